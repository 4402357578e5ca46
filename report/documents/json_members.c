// Members of JSON objects that may be missing, or not what they should be.

#include "report/documents/json_members.h"

#include <limits.h>
#include <string.h>

const char *member_text(Results *results, json_t *object, const char *name) {
  const char *text = json_string_value(json_object_get(object, name));
  return text ? clean_text(&results->arena, text) : NULL;
}

json_int_t member_number(json_t *object, const char *name, json_int_t other) {
  json_t *value = json_object_get(object, name);
  return json_is_integer(value) ? json_integer_value(value) : other;
}

static unsigned small(json_t *place, const char *name) {
  json_int_t value = member_number(place, name, 0);
  return value > 0 && value < INT_MAX ? (unsigned)value : 0;
}

Loc place_of_json(Results *results, json_t *place) {
  const char *file = json_string_value(json_object_get(place, "file"));
  const NamedText *renamed = &results->renamed;
  if (file && renamed->name && !strcmp(file, renamed->name))
    file = renamed->value;
  Loc loc = {file ? arena_copy(&results->arena, file) : NULL,
             small(place, "line"), small(place, "column")};
  return file ? loc : (Loc){0};
}

Loc member_place(Results *results, json_t *object, const char *name) {
  return place_of_json(results, json_object_get(object, name));
}

const char *numbers_text(Arena *arena, json_t *triple) {
  const char *text = "";
  size_t i;
  json_t *value;
  json_array_foreach(triple, i, value) text =
      json_is_integer(value)
          ? arena_printf(arena, "%s%s%lld", text, i ? "," : "",
                         (long long)json_integer_value(value))
          : arena_printf(arena, "%s%s*", text, i ? "," : "");
  return text;
}

const char *triple_text(Arena *arena, json_t *triple) {
  return arena_printf(arena, "(%s)", numbers_text(arena, triple));
}
