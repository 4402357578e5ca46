// Unified diffs of edits.
//
// Both texts are cut into lines; which lines differ the edits say, so nothing
// has to be compared but the lines that they touch.  Edits whose lines are
// close to each other share a hunk.

#include "repair/repair.h"

#include <string.h>

enum { CONTEXT = 3 };

typedef struct Line {
  const char *at;
  size_t size; // with its end of line
} Line;
typedef Vec(Line) Lines;

// Lines [old, old_end) became [new, new_end).
typedef struct Change {
  size_t old, old_end, new, new_end;
} Change;
typedef Vec(Change) Changes;

typedef struct Diff {
  FILE *out;
  Arena *arena;
  Lines old, new;
  Changes changes;
} Diff;

static Lines lines_of(Arena *arena, const char *text) {
  Lines lines = {0};
  while (*text) {
    size_t size = strcspn(text, "\n");
    size += text[size] == '\n';
    push(arena, &lines, ((Line){text, size}));
    text += size;
  }
  return lines;
}

static bool same_line(const Lines *a, size_t i, const Lines *b, size_t j) {
  return a->at[i].size == b->at[j].size &&
         !memcmp(a->at[i].at, b->at[j].at, a->at[i].size);
}

// How far ahead both go on with the same few lines.
static bool find_meeting(const Diff *diff, size_t i, size_t j, size_t *more_old,
                         size_t *more_new) {
  size_t most = diff->old.count - i + diff->new.count - j;
  for (size_t sum = 1; sum <= most; sum++)
    for (size_t a = 0; a <= sum; a++) {
      size_t b = sum - a;
      bool is_end = i + a == diff->old.count && j + b == diff->new.count;
      bool is_in = i + a < diff->old.count && j + b < diff->new.count;
      if (!is_end &&
          !(is_in && same_line(&diff->old, i + a, &diff->new, j + b)))
        continue;
      *more_old = a;
      *more_new = b;
      return true;
    }
  return false;
}

static void compare(Diff *diff) {
  size_t i = 0, j = 0, a = 0, b = 0;
  while (i < diff->old.count || j < diff->new.count) {
    if (i < diff->old.count && j < diff->new.count &&
        same_line(&diff->old, i, &diff->new, j)) {
      i++;
      j++;
      continue;
    }
    if (!find_meeting(diff, i, j, &a, &b))
      return;
    push(diff->arena, &diff->changes, ((Change){i, i + a, j, j + b}));
    i += a;
    j += b;
  }
}

static void print_lines(const Diff *diff, char mark, const Lines *lines,
                        size_t begin, size_t end) {
  for (size_t i = begin; i < end; i++) {
    Line line = lines->at[i];
    bool is_ended = line.at[line.size - 1] == '\n';
    fprintf(diff->out, "%c%.*s%s", mark, (int)line.size, line.at,
            is_ended ? "" : "\n\\ No newline at end of file\n");
  }
}

static void print_range(FILE *out, char mark, size_t begin, size_t end) {
  size_t count = end - begin;
  fprintf(out, "%c%zu", mark, count ? begin + 1 : begin);
  if (count != 1)
    fprintf(out, ",%zu", count);
}

static size_t less(size_t a, size_t b) { return a > b ? a - b : 0; }

// The changes from `first` to before `last`.
static void print_hunk(const Diff *diff, size_t first, size_t last) {
  const Change *from = &diff->changes.at[first];
  const Change *to = &diff->changes.at[last - 1];
  size_t begin = less(from->old, CONTEXT), end = to->old_end + CONTEXT;
  if (end > diff->old.count)
    end = diff->old.count;
  fputs("@@ ", diff->out);
  print_range(diff->out, '-', begin, end);
  fputc(' ', diff->out);
  print_range(diff->out, '+', from->new - (from->old - begin),
              to->new_end + (end - to->old_end));
  fputs(" @@\n", diff->out);
  for (size_t i = first; i < last; i++) {
    const Change *change = &diff->changes.at[i];
    print_lines(diff, ' ', &diff->old, begin, change->old);
    print_lines(diff, '-', &diff->old, change->old, change->old_end);
    print_lines(diff, '+', &diff->new, change->new, change->new_end);
    begin = change->old_end;
  }
  print_lines(diff, ' ', &diff->old, begin, end);
}

static void print_hunks(const Diff *diff) {
  const Changes *all = &diff->changes;
  for (size_t first = 0, last; first < all->count; first = last) {
    last = first + 1;
    while (last < all->count &&
           all->at[last].old - all->at[last - 1].old_end <= 2 * (size_t)CONTEXT)
      last++;
    print_hunk(diff, first, last);
  }
}

void diff_print(FILE *out, Arena *arena, const SourceText *source, size_t file,
                const Edits *before, const Edits *edits) {
  Edits all = {0};
  edits_add(arena, &all, before);
  edits_add(arena, &all, edits);
  edits_sort(&all);
  Diff diff = {.out = out, .arena = arena};
  diff.old = lines_of(arena, edits_apply(arena, before, file, source));
  diff.new = lines_of(arena, edits_apply(arena, &all, file, source));
  compare(&diff);
  fprintf(out, "--- %s\n+++ %s\n", source->path, source->path);
  print_hunks(&diff);
}
