// Barriers of the whole grid.
//
// They order threads of different blocks.  But blocks may wait for each other
// only where all of them run at once, which a kernel can rely on if it is
// launched cooperatively; elsewhere it would hang.  That is known of a kernel
// that waits so already, and where all launches that are seen say so.  A
// function may have such a barrier if all kernels that come to it may.

#include "repair/repair.h"

#include <string.h>

bool grid_may_wait(Arena *arena, const Places *places,
                   const PlacedKernel *kernel) {
  const bool *reached = places_reached(arena, places, kernel->name);
  bool may_wait = kernel->is_cooperative;
  for (size_t i = 0; !may_wait && i < places->bodies.count; i++)
    may_wait = reached[i] && places->bodies.at[i].waits_for_grid;
  return may_wait;
}

static void leave_out(Arena *arena, const Places *places,
                      const PlacedKernel *kernel, bool *may_wait) {
  const bool *reached = places_reached(arena, places, kernel->name);
  for (size_t i = 0; i < places->bodies.count; i++)
    may_wait[i] &= !reached[i];
}

const bool *grid_bodies(Arena *arena, const Places *places,
                        const char *kernel) {
  bool *may_wait = arena_alloc(arena, places->bodies.count);
  const bool *reached = places_reached(arena, places, kernel);
  memcpy(may_wait, reached, places->bodies.count);
  for (size_t i = 0; i < places->kernels.count; i++)
    if (!grid_may_wait(arena, places, &places->kernels.at[i]))
      leave_out(arena, places, &places->kernels.at[i], may_wait);
  return may_wait;
}

// ------------------------------------------------------------------- text ---

static const Body *body_around(const Places *places, size_t nest) {
  size_t function = places_function(places, nest), i = 0;
  while (places->bodies.at[i].nest != function)
    i++;
  return &places->bodies.at[i];
}

// The last one that is there.
static const char *variable_at(const Places *places, const Gap *gap) {
  const char *name = NULL;
  for (size_t i = 0; i < places->grids.count; i++) {
    const GridVariable *grid = &places->grids.at[i];
    if (places_inside(places, gap->nest, grid->nest) && grid->at <= gap_at(gap))
      name = grid->name;
  }
  return name;
}

const char *grid_statement(Arena *arena, const Places *places, const Gap *gap) {
  const char *name = variable_at(places, gap);
  if (name)
    return arena_printf(arena, "%s.sync();", name);
  return arena_printf(arena, "%sthis_grid().sync();",
                      body_around(places, gap->nest)->groups);
}

static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

static bool includes(const char *line) {
  const char *word = line + strspn(line, " \t");
  return *word == '#' &&
         !strncmp(word + 1 + strspn(word + 1, " \t"), "include", 7);
}

// Before the first one, or behind what the file says of itself.
static Edit inclusion(const SourceText *source, size_t file) {
  const char *line = source->text, *text = "#include <cooperative_groups.h>\n";
  while (*line && !includes(line))
    line = next_line(line);
  if (!*line) {
    text = "#include <cooperative_groups.h>\n\n";
    for (line = source->text; !strncmp(line, "//", 2) || *line == '\n';)
      line = next_line(line);
  }
  size_t at = (size_t)(line - source->text);
  return (Edit){file, at, at, text};
}

void grid_include(Arena *arena, const Places *places, size_t file,
                  Edits *edits) {
  push(arena, edits, inclusion(&places->texts.at[file], file));
}
