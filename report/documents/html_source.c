// The source of a problem, with the ways of two threads as two lanes beside it.
//
// Shown are the lines on the ways, a few around them, and the last barrier.
// What the file says now is shown, and whether that may be something else than
// was looked at.

#include "report/documents/html.h"

#include <string.h>

enum {
  AROUND = 2,     // lines above and below
  MOST_ROWS = 80, // of one excerpt
  MOST_LANES = 2,
};

typedef enum Mark {
  MARK_LANE = 1, // << the lane: it is on its way
  MARK_ACCESS = MARK_LANE << MOST_LANES,
  MARK_BARRIER = MARK_ACCESS << MOST_LANES,
  MARK_WHERE = MARK_BARRIER << 1,
  MARK_NEAR = MARK_WHERE << 1,
} Mark;

typedef struct Excerpt {
  Page *page;
  const SourceFile *source;
  unsigned char *marks; // by line
} Excerpt;

// ------------------------------------------------------------------- marks ---

static void mark(Excerpt *excerpt, Loc where, unsigned bits) {
  if (where.file && !strcmp(where.file, excerpt->source->name) && where.line &&
      where.line <= excerpt->source->lines.count)
    excerpt->marks[where.line] |= (unsigned char)bits;
}

static void mark_all(Excerpt *excerpt, const Alarm *alarm) {
  for (unsigned i = 0; i < alarm->participants.count && i < MOST_LANES; i++) {
    const Participant *one = &alarm->participants.at[i];
    for (size_t k = 0; k < one->way.count; k++)
      mark(excerpt, one->way.at[k], (unsigned)MARK_LANE << i);
    mark(excerpt, one->where,
         (unsigned)MARK_LANE << i | (unsigned)MARK_ACCESS << i);
  }
  for (size_t i = 0; i < alarm->standpoints.count; i++)
    mark(excerpt, alarm->standpoints.at[i].where, MARK_BARRIER);
  mark(excerpt, alarm->barrier, MARK_BARRIER);
  mark(excerpt, alarm->where, MARK_WHERE);
}

static void mark_around(Excerpt *excerpt) {
  size_t count = excerpt->source->lines.count;
  for (size_t line = 1; line <= count; line++) {
    if (!(excerpt->marks[line] & ~(unsigned)MARK_NEAR))
      continue;
    for (size_t near = line > AROUND ? line - AROUND : 1;
         near <= line + AROUND && near <= count; near++)
      if (!excerpt->marks[near])
        excerpt->marks[near] = MARK_NEAR;
  }
}

// -------------------------------------------------------------------- rows ---

static void print_lane(const Excerpt *excerpt, unsigned marks, unsigned lane) {
  bool is_way = marks & (unsigned)MARK_LANE << lane;
  bool is_access = marks & (unsigned)MARK_ACCESS << lane;
  fprintf(excerpt->page->out, "<td class=\"%s%s\">%s</td>",
          !is_way ? ""
          : lane  ? "b"
                  : "a",
          is_access ? " at" : "", is_access ? "&#9679;" : "");
}

static void print_row(const Excerpt *excerpt, size_t line) {
  FILE *out = excerpt->page->out;
  unsigned marks = excerpt->marks[line];
  bool is_a = marks & MARK_ACCESS, is_b = marks & MARK_ACCESS << 1;
  fprintf(out, "<tr class=\"%s\">",
          is_a && is_b           ? "ab"
          : is_a                 ? "a"
          : is_b                 ? "b"
          : marks & MARK_BARRIER ? "barrier"
                                 : "");
  for (unsigned lane = 0; lane < MOST_LANES; lane++)
    print_lane(excerpt, marks, lane);
  fprintf(out, "<th>%zu</th><td>", line);
  print_escaped(out, excerpt->source->lines.at[line - 1]);
  fputs("</td></tr>\n", out);
}

static void print_rows(const Excerpt *excerpt) {
  unsigned rows = 0;
  size_t last = 0;
  for (size_t line = 1; line <= excerpt->source->lines.count; line++) {
    if (!excerpt->marks[line])
      continue;
    if (rows == MOST_ROWS) {
      fputs("<tr class=\"gap\"><td colspan=\"4\">and more lines</td></tr>",
            excerpt->page->out);
      return;
    }
    if (last && line > last + 1)
      fputs("<tr class=\"gap\"><td colspan=\"4\">&#8943;</td></tr>",
            excerpt->page->out);
    print_row(excerpt, line);
    last = line;
    rows++;
  }
}

static void print_excerpt(Page *page, const Alarm *alarm,
                          const SourceFile *source) {
  Arena arena = {0};
  Excerpt excerpt = {page, source,
                     arena_alloc(&arena, source->lines.count + 2)};
  mark_all(&excerpt, alarm);
  mark_around(&excerpt);
  fputs("<figure class=\"source\"><figcaption>", page->out);
  html_place(page, (Loc){source->name, 0, 0});
  if (!source->is_there)
    html_element(page, "span", "gone", "this file is not there any more");
  else if (source->is_newer)
    html_element(page, "span", "gone",
                 "this file has changed since, so lines may be others");
  fputs("</figcaption><table>", page->out);
  print_rows(&excerpt);
  fputs("</table></figure>\n", page->out);
  arena_free(&arena);
}

// ------------------------------------------------------------------- files ---

typedef Vec(const SourceFile *) SourceFiles;

static void add_file(Page *page, SourceFiles *files, Loc where) {
  if (!where.file || !where.line)
    return;
  const SourceFile *source = source_open(page->results, where.file);
  for (size_t i = 0; i < files->count; i++)
    if (files->at[i] == source)
      return;
  push(&page->results->arena, files, source);
}

static SourceFiles files_of(Page *page, const Alarm *alarm) {
  SourceFiles files = {0};
  add_file(page, &files, alarm->where);
  for (unsigned i = 0; i < alarm->participants.count; i++) {
    const Participant *one = &alarm->participants.at[i];
    add_file(page, &files, one->where);
    for (size_t k = 0; k < one->way.count; k++)
      add_file(page, &files, one->way.at[k]);
  }
  return files;
}

void html_source(Page *page, const Alarm *alarm) {
  SourceFiles files = files_of(page, alarm);
  if (!page->excerpts) {
    html_element(page, "p", "gone",
                 "its source is left out: the page has very many problems");
    return;
  }
  page->excerpts--;
  for (size_t i = 0; i < files.count; i++)
    print_excerpt(page, alarm, files.at[i]);
}

void html_line(const Page *page, Loc where) {
  const char *line = source_line(page->results, where);
  if (!line)
    return;
  fprintf(page->out, "<figure class=\"source\"><table><tr><th>%u</th><td>",
          where.line);
  print_escaped(page->out, line);
  fputs("</td></tr></table></figure>\n", page->out);
}
