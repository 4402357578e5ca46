// Records of kernels, and what of them is another kernel's, too.
//
// A record is JSON (docs/JSON.md).  To keep it, its places become numbers of
// the kernel's places and the members that say whose it is go.  A kernel with
// the same fingerprint has other places in the same order, so with these put in
// the record is its own.  Sentences that name a place or the kernel are not
// taken apart: then the record is for the same places only.

#define _GNU_SOURCE

#include "project/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Rewriting {
  Task *task;
  const RecordOwner *owner;
  bool is_exact;
} Rewriting;

// What it makes of a place; NULL: as it is.
typedef json_t *PlaceRewriter(Rewriting *rewriting, const json_t *place);

// ----------------------------------------------------------------- places ---

static bool is_place(const json_t *json) {
  return json_object_size(json) == 3 && json_object_get(json, "file") &&
         json_object_get(json, "line") && json_object_get(json, "column");
}

static Loc loc_of(const json_t *place) {
  return (Loc){json_string_value(json_object_get(place, "file")),
               (unsigned)json_integer_value(json_object_get(place, "line")),
               (unsigned)json_integer_value(json_object_get(place, "column"))};
}

static json_t *json_loc(Loc loc) {
  return json_pack("{s:s?, s:i, s:i}", "file", loc.file, "line", (int)loc.line,
                   "column", (int)loc.column);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool has_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || !is_word(at[-1])) && !is_word(at[length]))
      return true;
  return false;
}

// "k.cu:4", or the name of the kernel.
static bool tells_more(const char *text, const RecordOwner *owner) {
  for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':'))
    if (isdigit((unsigned char)at[1]) && at > text &&
        !isspace((unsigned char)at[-1]))
      return true;
  return has_word(text, owner->kernel) || has_word(text, owner->source);
}

static json_t *rewrite(Rewriting *r, const json_t *json, PlaceRewriter *place);

static json_t *rewrite_members(Rewriting *r, const json_t *json,
                               PlaceRewriter *place) {
  json_t *copy = json_object(), *value;
  const char *key;
  json_object_foreach((json_t *)(uintptr_t)json, key, value) {
    json_object_set_new(copy, key, rewrite(r, value, place));
  }
  return copy;
}

static json_t *rewrite(Rewriting *r, const json_t *json, PlaceRewriter *place) {
  json_t *copy = place(r, json);
  if (copy)
    return copy;
  if (json_is_object(json))
    return rewrite_members(r, json, place);
  if (!json_is_array(json))
    return json_deep_copy(json);
  copy = json_array();
  for (size_t i = 0; i < json_array_size(json); i++)
    json_array_append_new(copy, rewrite(r, json_array_get(json, i), place));
  return copy;
}

// ---------------------------------------------------------------- keeping ---

static const char *const owners[] = {"file", "kernel", "source", "where"};
enum { OWNERS = sizeof owners / sizeof *owners };

static json_t *place_to_number(Rewriting *r, const json_t *json) {
  if (json_is_string(json) && tells_more(json_string_value(json), r->owner))
    r->is_exact = true;
  if (!is_place(json))
    return NULL;
  long number =
      place_table_find(&r->task->arena, r->owner->places, loc_of(json));
  if (number == NO_WORD)
    r->is_exact = true;
  return number == NO_WORD ? NULL : json_pack("{s:i}", "place", (int)number);
}

char *record_keep(Task *task, const char *record, const RecordOwner *owner,
                  bool *is_exact) {
  Rewriting rewriting = {.task = task, .owner = owner};
  json_t *root = json_loads(record, 0, NULL);
  if (!root)
    return NULL;
  for (int i = 0; i < OWNERS; i++)
    json_object_set_new(root, owners[i], json_null());
  json_t *kept = rewrite(&rewriting, root, place_to_number);
  json_decref(root);
  *is_exact = rewriting.is_exact;
  return json_to_line(task, kept);
}

static json_t *number_to_place(Rewriting *r, const json_t *json) {
  const json_t *number = json_object_get(json, "place");
  if (json_object_size(json) != 1 || !json_is_integer(number))
    return NULL;
  json_int_t at = json_integer_value(number);
  if (at < 0 || (size_t)at >= r->owner->places->at.count) {
    r->is_exact = true;
    return json_null();
  }
  return json_loc(r->owner->places->at.at[at]);
}

char *record_give(Task *task, const char *kept, const RecordOwner *owner) {
  Rewriting rewriting = {.task = task, .owner = owner};
  json_t *root = json_loads(kept, 0, NULL);
  json_t *given = root ? rewrite(&rewriting, root, number_to_place) : NULL;
  json_decref(root);
  if (!given || rewriting.is_exact) {
    json_decref(given);
    return NULL;
  }
  json_object_set_new(given, "file", json_string(owner->file));
  json_object_set_new(given, "kernel", json_string(owner->kernel));
  json_object_set_new(given, "source", json_string(owner->source));
  json_object_set_new(given, "where",
                      owner->loc.line ? json_loc(owner->loc) : json_null());
  return json_to_line(task, given);
}

char *owner_text(Task *task, const RecordOwner *owner) {
  char *text =
      arena_printf(&task->arena, "%s\n%s\n", owner->kernel, owner->source);
  size_t size = strlen(text) + 1;
  for (size_t i = 0; i < owner->places->words.at.count; i++)
    size += strlen(owner->places->words.at.at[i]) + 1;
  char *all = arena_alloc(&task->arena, size), *end = stpcpy(all, text);
  for (size_t i = 0; i < owner->places->words.at.count; i++)
    end = stpcpy(stpcpy(end, owner->places->words.at.at[i]), "\n");
  return all;
}

// --------------------------------------------------------- relative names ---

typedef struct Relation {
  const char *folder, *project;
} Relation;

// What a compile command calls "../k.cu" is one file with what others call
// "k.cu".  Where the folder before is a link only the system knows which.
static const char *without_dots(Task *task, const char *path) {
  if (!strstr(path, "/./") && !strstr(path, "/../"))
    return path;
  char *real = realpath(path, NULL);
  const char *copy = real ? arena_copy(&task->arena, real) : path;
  free(real);
  return copy;
}

static const char *relative(Task *task, const Relation *to, const char *file) {
  Arena *arena = &task->arena;
  const char *path = without_dots(
      task,
      *file == '/' ? file : arena_printf(arena, "%s/%s", to->folder, file));
  size_t length = strlen(to->project);
  bool is_below = !strncmp(path, to->project, length) && path[length] == '/';
  if (is_below)
    return path + length + 1;
  return path;
}

static void make_relative(Task *task, const Relation *to, json_t *json) {
  json_t *file = is_place(json) ? json_object_get(json, "file") : NULL, *value;
  const char *key;
  size_t index;
  if (json_is_string(file))
    json_object_set_new(
        json, "file", json_string(relative(task, to, json_string_value(file))));
  json_object_foreach(json, key, value) make_relative(task, to, value);
  json_array_foreach(json, index, value) make_relative(task, to, value);
}

char *record_relative(Task *task, const char *record, const char *command,
                      const char *label, const char *folder,
                      const char *project) {
  json_t *root = json_loads(record, 0, NULL);
  if (!root)
    return NULL;
  if (command)
    json_object_set_new(root, "command", json_string(command));
  json_object_set_new(root, "file", json_string(label));
  make_relative(task, &(Relation){folder, project}, root);
  return json_to_line(task, root);
}

// ------------------------------------------------------------------ facts ---

static const char *text_of(Task *task, const json_t *json, const char *name) {
  return json_to_text(task, json_object_get(json, name));
}

// Of a problem; those of named barriers have places of their ends alone.
static const json_t *place_of(const json_t *root, const json_t *problem) {
  const json_t *end = json_array_get(json_object_get(problem, "ends"), 0);
  const json_t *where = json_object_get(problem, "where");
  where = where ? where : json_object_get(end, "where");
  return json_is_object(where) ? where : json_object_get(root, "where");
}

// All of the answer is suppressed, and not a finding beside it.
static bool is_accepted(const json_t *root) {
  const json_t *list = json_object_get(root, "suppressed");
  const char *verdict = json_string_value(json_object_get(root, "verdict"));
  for (size_t i = 0; verdict && i < json_array_size(list); i++) {
    const char *kind =
        json_string_value(json_object_get(json_array_get(list, i), "kind"));
    if (kind && !strcmp(kind, verdict))
      return true;
  }
  return false;
}

char *record_complain(Task *task, const char *record, Loc where,
                      const char *text) {
  json_t *root = json_loads(record, 0, NULL);
  if (!json_object_get(root, "complaints"))
    json_object_set_new(root, "complaints", json_array());
  json_array_append_new(
      json_object_get(root, "complaints"),
      json_pack("{s:o, s:s}", "where", json_loc(where), "text", text));
  return json_to_line(task, root);
}

static Loc copy_of(Task *task, const json_t *place) {
  Loc loc = loc_of(place);
  loc.file = loc.file ? arena_copy(&task->arena, loc.file) : "";
  return loc;
}

static void read_needed(Task *task, const json_t *by, RecordFacts *facts) {
  const json_t *where = json_object_get(by, "by_where");
  if (is_place(where))
    push(&task->arena, &facts->needed, copy_of(task, where));
}

static void read_suppressions(Task *task, const json_t *root,
                              RecordFacts *facts) {
  const json_t *list = json_object_get(root, "suppressed");
  const json_t *problems = json_object_get(root, "problems");
  const json_t *complaints = json_object_get(root, "complaints");
  for (size_t i = 0; i < json_array_size(list); i++)
    read_needed(task, json_array_get(list, i), facts);
  for (size_t i = 0; i < json_array_size(problems); i++)
    read_needed(task,
                json_object_get(json_array_get(problems, i), "suppressed"),
                facts);
  for (size_t i = 0; i < json_array_size(complaints); i++) {
    const json_t *one = json_array_get(complaints, i);
    const char *text = text_of(task, one, "text");
    if (text)
      push(&task->arena, &facts->complaints,
           ((RecordComplaint){copy_of(task, json_object_get(one, "where")),
                              text}));
  }
}

static bool has_same_values(const json_t *root) {
  const json_t *list = json_object_get(root, "tolerated");
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *name = json_string_value(
        json_object_get(json_array_get(list, i), "assumption"));
    if (name && !strcmp(name, "benign-writes"))
      return true;
  }
  return false;
}

bool record_facts(Task *task, const char *record, RecordFacts *facts) {
  json_t *root = json_loads(record, 0, NULL);
  const json_t *problems = json_object_get(root, "problems");
  const json_t *first = json_array_get(problems, 0);
  const json_t *where = place_of(root, first);
  *facts = (RecordFacts){
      .verdict = text_of(task, root, "verdict"),
      .reason = text_of(task, root, "reason"),
      .sentence = text_of(task, first, "sentence"),
      .source = text_of(task, root, "source"),
      .where = {text_of(task, where, "file"), loc_of(where).line,
                loc_of(where).column},
      .seconds = json_number_value(json_object_get(root, "seconds")),
      .problems = (unsigned)json_array_size(problems),
      .is_accepted = is_accepted(root),
      .is_finding = json_object_get(first, "ends") != NULL,
      .has_same_values = has_same_values(root)};
  read_suppressions(task, root, facts);
  json_decref(root);
  return facts->verdict;
}

// ------------------------------------------------------------- comparison ---

// Times differ, and so may what an execution of another day has seen.
static void drop_chance(json_t *json) {
  static const char *const members[] = {"seconds", "replay",   "confirmed",
                                        "witness", "breaches", "schedule"};
  json_t *value;
  const char *key;
  size_t index;
  for (size_t i = 0;
       json_is_object(json) && i < sizeof members / sizeof *members; i++)
    json_object_del(json, members[i]);
  json_object_foreach(json, key, value) drop_chance(value);
  json_array_foreach(json, index, value) drop_chance(value);
}

bool record_agrees(Task *task, const char *a, const char *b) {
  json_t *one = json_loads(a, 0, NULL), *other = json_loads(b, 0, NULL);
  (void)task;
  drop_chance(one);
  drop_chance(other);
  bool agrees = one && other && json_equal(one, other);
  json_decref(one);
  json_decref(other);
  return agrees;
}
