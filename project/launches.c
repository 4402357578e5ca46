// Launches as JSON, and back.
//
// Facts of the host's code share their terms, so these are numbered: each is
// written once, behind those that it is made of.

#include "project/json.h"

#include <string.h>

// --------------------------------------------------------------- writing ---

typedef struct Writer {
  Task *task;
  PlaceTable *places; // NULL: places are written out
  Vec(const HostTerm *) terms;
  json_t *list;
} Writer;

static json_t *place(Writer *writer, Loc loc) {
  if (!loc.line)
    return json_null();
  if (!writer->places)
    return json_of_place(loc);
  return json_integer(
      (json_int_t)place_table_add(&writer->task->arena, writer->places, loc));
}

static json_t *extents(const Extent *at) {
  json_t *list = json_array();
  for (int axis = 0; axis < 3; axis++)
    json_array_append_new(list, at[axis].known ? json_integer(at[axis].value)
                                               : json_null());
  return list;
}

static json_t *whole(uint64_t value) { return json_integer((json_int_t)value); }

static json_t *words(const ArgumentWords *at) {
  json_t *list = json_array();
  for (size_t i = 0; i < at->count; i++)
    json_array_append_new(list, json_pack("[o, i, o]", whole(at->at[i].offset),
                                          (int)at->at[i].bytes,
                                          whole(at->at[i].value)));
  return list;
}

static json_t *arguments(Writer *writer, const Launch *launch) {
  json_t *list = json_array();
  for (size_t i = 0; i < launch->arguments.count; i++) {
    const Argument *argument = &launch->arguments.at[i];
    json_array_append_new(
        list,
        json_pack("[o, o, o, b]",
                  argument->known ? whole(argument->value) : json_null(),
                  words(&argument->words), place(writer, argument->allocation),
                  argument->is_shown_negative));
  }
  return list;
}

static size_t term(Writer *writer, const HostTerm *t) {
  json_t *args = json_array();
  for (size_t i = 0; i < writer->terms.count; i++)
    if (writer->terms.at[i] == t) {
      json_decref(args);
      return i;
    }
  for (int i = 0; i < 3; i++)
    json_array_append_new(args, t->args[i] ? whole(term(writer, t->args[i]))
                                           : json_null());
  json_array_append_new(writer->list,
                        json_pack("[i, i, o, s?, o]", (int)t->op, (int)t->width,
                                  whole(t->value), t->name, args));
  push(&writer->task->arena, &writer->terms, t);
  return writer->terms.count - 1;
}

static json_t *facts(Writer *writer, const Launch *launch) {
  json_t *list = json_array();
  for (size_t i = 0; i < launch->facts.count; i++) {
    const HostFact *fact = &launch->facts.at[i];
    json_array_append_new(
        list,
        json_pack("[o, s?, o, b, o, b]", whole(term(writer, fact->holds)),
                  fact->text, place(writer, fact->where), fact->is_of_bounds,
                  fact->defined ? whole(term(writer, fact->defined))
                                : json_null(),
                  fact->is_of_program));
  }
  return list;
}

json_t *launch_to_json(Task *task, const Launch *launch, PlaceTable *places) {
  Writer writer = {.task = task, .places = places, .list = json_array()};
  json_t *json = json_object();
  json_object_set_new(json, "block", extents(launch->block));
  json_object_set_new(json, "grid", extents(launch->grid));
  json_object_set_new(json, "global", extents(launch->global));
  json_object_set_new(json, "offset", extents(launch->offset));
  json_object_set_new(json, "cluster", extents(launch->cluster));
  json_object_set_new(json, "shared",
                      extents((Extent[3]){launch->dynamic_shared}));
  json_object_set_new(json, "gives",
                      json_pack("[b, b, b, b, b, b]", launch->gives_block[0],
                                launch->gives_block[1], launch->gives_block[2],
                                launch->gives_grid[0], launch->gives_grid[1],
                                launch->gives_grid[2]));
  json_object_set_new(
      json, "axes",
      json_pack("[i, i]", (int)launch->block_axes, (int)launch->grid_axes));
  json_object_set_new(json, "arguments", arguments(&writer, launch));
  json_object_set_new(json, "facts", facts(&writer, launch));
  json_object_set_new(json, "terms", writer.list);
  json_object_set_new(json, "where", place(&writer, launch->where));
  return json;
}

const char *launch_text(Task *task, const Launch *launch, PlaceTable *places) {
  return json_to_line(task, launch_to_json(task, launch, places));
}

// --------------------------------------------------------------- reading ---

static const json_t *at(const json_t *list, size_t i) {
  return json_array_get(list, i);
}

static uint64_t number(const json_t *json) {
  return (uint64_t)json_integer_value(json);
}

static bool read_extents(const json_t *launch, const char *name, Extent *to) {
  const json_t *list = json_object_get(launch, name);
  for (size_t axis = 0; axis < 3; axis++)
    to[axis] = (Extent){json_is_integer(at(list, axis)),
                        (uint32_t)number(at(list, axis))};
  return json_array_size(list) == 3;
}

static void read_arguments(Task *task, const json_t *list, Launch *launch) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *one = at(list, i), *words_of = at(one, 1);
    Argument argument = {.known = json_is_integer(at(one, 0)),
                         .value = number(at(one, 0)),
                         .allocation = json_to_place(task, at(one, 2)),
                         .is_shown_negative = json_is_true(at(one, 3))};
    for (size_t k = 0; k < json_array_size(words_of); k++) {
      const json_t *word = at(words_of, k);
      push(&task->arena, &argument.words,
           ((ArgumentWord){number(at(word, 0)), (unsigned)number(at(word, 1)),
                           number(at(word, 2))}));
    }
    push(&task->arena, &launch->arguments, argument);
  }
}

static bool read_terms(Task *task, const json_t *list, HostTerm *terms) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *one = at(list, i), *args = at(one, 4);
    terms[i] = (HostTerm){.op = (HostOp)number(at(one, 0)),
                          .width = (unsigned)number(at(one, 1)),
                          .value = number(at(one, 2)),
                          .name = json_to_text(task, at(one, 3))};
    for (size_t k = 0; k < 3; k++) {
      const json_t *arg = at(args, k);
      if (json_is_integer(arg) && number(arg) >= i)
        return false;
      terms[i].args[k] = json_is_integer(arg) ? &terms[number(arg)] : NULL;
    }
  }
  return true;
}

static bool read_facts(Task *task, const json_t *json, Launch *launch) {
  const json_t *list = json_object_get(json, "facts");
  const json_t *terms = json_object_get(json, "terms");
  size_t count = json_array_size(terms);
  HostTerm *read = arena_alloc(&task->arena, (count + 1) * sizeof *read);
  if (!read_terms(task, terms, read))
    return false;
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *one = at(list, i), *defined = at(one, 4);
    bool is_always = json_is_null(defined);
    if (number(at(one, 0)) >= count || (!is_always && number(defined) >= count))
      return false;
    push(&task->arena, &launch->facts,
         ((HostFact){.holds = &read[number(at(one, 0))],
                     .defined = is_always ? NULL : &read[number(defined)],
                     .text = json_to_text(task, at(one, 1)),
                     .where = json_to_place(task, at(one, 2)),
                     .is_of_bounds = json_is_true(at(one, 3)),
                     .is_of_program = json_is_true(at(one, 5))}));
  }
  return true;
}

bool launch_from_json(Task *task, const json_t *json, Launch *launch) {
  const json_t *gives = json_object_get(json, "gives");
  const json_t *axes = json_object_get(json, "axes");
  Extent shared[3];
  *launch = (Launch){0};
  if (!read_extents(json, "block", launch->block) ||
      !read_extents(json, "grid", launch->grid) ||
      !read_extents(json, "global", launch->global) ||
      !read_extents(json, "offset", launch->offset) ||
      !read_extents(json, "cluster", launch->cluster) ||
      !read_extents(json, "shared", shared))
    return false;
  launch->dynamic_shared = shared[0];
  for (size_t axis = 0; axis < 3; axis++) {
    launch->gives_block[axis] = json_is_true(at(gives, axis));
    launch->gives_grid[axis] = json_is_true(at(gives, axis + 3));
  }
  launch->block_axes = (unsigned)number(at(axes, 0));
  launch->grid_axes = (unsigned)number(at(axes, 1));
  launch->where = json_to_place(task, json_object_get(json, "where"));
  read_arguments(task, json_object_get(json, "arguments"), launch);
  return read_facts(task, json, launch);
}
