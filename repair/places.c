// Places of a source: what lies in what, and how a statement gets there.

#define _XOPEN_SOURCE 700

#include "repair/repair.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ----------------------------------------------------------------- files ---

static bool is_same_file(const char *a, const char *b) {
  if (!strcmp(a, b))
    return true;
  char *real_a = realpath(a, NULL), *real_b = realpath(b, NULL);
  bool is_same = real_a && real_b && !strcmp(real_a, real_b);
  free(real_a);
  free(real_b);
  return is_same;
}

bool places_find(Arena *arena, const Places *places, const Edits *edits,
                 Loc loc, size_t *file, size_t *at) {
  for (size_t i = 0; loc.file && loc.line && i < places->texts.count; i++) {
    SourceText source = places->texts.at[i];
    if (!is_same_file(source.path, loc.file))
      continue;
    if (edits_touch(edits, i)) {
      source.text = edits_apply(arena, edits, i, &source);
      source.size = strlen(source.text);
    }
    *file = i;
    *at = edits_origin(edits, i, text_at(&source, loc.line, loc.column));
    return true;
  }
  return false;
}

// ----------------------------------------------------------------- nests ---

size_t places_function(const Places *places, size_t nest) {
  while (places->nests.at[nest].outer != nest)
    nest = places->nests.at[nest].outer;
  return nest;
}

bool places_inside(const Places *places, size_t nest, size_t outer) {
  while (nest != outer && places->nests.at[nest].outer != nest)
    nest = places->nests.at[nest].outer;
  return nest == outer;
}

size_t places_innermost(const Places *places, size_t function, size_t at) {
  size_t best = function;
  for (size_t i = 0; i < places->nests.count; i++) {
    const Nest *nest = &places->nests.at[i], *found = &places->nests.at[best];
    bool is_around = nest->begin <= at && at < nest->end;
    if (is_around && nest->end - nest->begin <= found->end - found->begin &&
        places_function(places, i) == function)
      best = i;
  }
  return best;
}

static void reach(const Places *places, size_t body, bool *reached) {
  if (reached[body])
    return;
  reached[body] = true;
  size_t function = places->bodies.at[body].nest;
  for (size_t i = 0; i < places->calls.count; i++)
    if (places_function(places, places->calls.at[i].nest) == function)
      reach(places, places->calls.at[i].body, reached);
}

const bool *places_reached(Arena *arena, const Places *places,
                           const char *kernel) {
  for (size_t i = 0; i < places->kernels.count; i++) {
    if (strcmp(places->kernels.at[i].name, kernel) != 0)
      continue;
    bool *reached = arena_alloc(arena, places->bodies.count);
    reach(places, places->kernels.at[i].body, reached);
    return reached;
  }
  return NULL;
}

// ------------------------------------------------------------------ gaps ---

size_t gap_at(const Gap *gap) {
  if (!gap->is_body)
    return gap->at;
  return gap->is_behind ? gap->end : gap->begin;
}

static void add_edit(Arena *arena, Edits *edits, size_t file, size_t begin,
                     size_t end, const char *text) {
  push(arena, edits, ((Edit){file, begin, end, text}));
}

static void put_braces(Arena *arena, size_t file, const Gap *gap,
                       const char *statement, Edits *edits) {
  const char *before = gap->is_behind ? "" : statement;
  const char *behind = gap->is_behind ? statement : "";
  add_edit(arena, edits, file, gap->begin, gap->begin,
           arena_printf(arena, "{ %s%s", before, *before ? " " : ""));
  add_edit(arena, edits, file, gap->end, gap->end,
           arena_printf(arena, "%s%s }", *behind ? " " : "", behind));
}

// As that of the line before.
static const char *line_end(const SourceText *source, size_t line) {
  return line > 1 && source->text[line - 2] == '\r' ? "\r\n" : "\n";
}

void gap_edit(Arena *arena, const Places *places, const Gap *gap,
              const char *statement, Edits *edits) {
  size_t file = places->nests.at[gap->nest].file, line;
  const SourceText *source = &places->texts.at[file];
  if (gap->is_body) {
    put_braces(arena, file, gap, statement, edits);
  } else if (text_begins_line(source, gap->at, &line)) {
    const char *indent = text_indent(arena, source, gap->like);
    add_edit(arena, edits, file, line, line,
             arena_printf(arena, "%s%s%s", indent, statement,
                          line_end(source, line)));
  } else {
    add_edit(arena, edits, file, gap->at, gap->at,
             arena_printf(arena, "%s ", statement));
  }
}

// --------------------------------------------------------------- actions ---

void action_replace(Arena *arena, const Places *places, const Action *action,
                    Edits *edits) {
  assert(action->instead);
  add_edit(arena, edits, places->nests.at[action->nest].file, action->begin,
           action->end, arena_printf(arena, "%s;", action->instead));
}

void action_drop(Arena *arena, const Places *places, const Action *action,
                 Edits *edits) {
  size_t file = places->nests.at[action->nest].file, line;
  const SourceText *source = &places->texts.at[file];
  size_t blanks = strspn(source->text + action->end, " \t\r");
  size_t end = action->end + blanks;
  bool is_end = source->text[end] == '\n' || !source->text[end];
  if (action->kind == ACTION_BARRIER && action->instead) {
    action_replace(arena, places, action, edits);
  } else if (action->is_body) {
    add_edit(arena, edits, file, action->begin, action->end, "{}");
  } else if (text_begins_line(source, action->begin, &line) && is_end) {
    end += source->text[end] == '\n';
    add_edit(arena, edits, file, line, end, "");
  } else {
    add_edit(arena, edits, file, action->begin, is_end ? action->end : end, "");
  }
}
