// What a program reads: one object a kernel, one line an object.
//
// docs/JSON.md describes every member.  Members are written in one order and
// left out only where that file says so, so that two runs differ in nothing
// but the seconds.  Here is what all who write JSON share.

#include "report/json.h"

#include <stdlib.h>

json_t *json_text(const char *string) {
  json_t *value = string ? json_string(string) : NULL;
  return value ? value : json_null();
}

json_t *json_number(uint64_t value) { return json_integer((json_int_t)value); }

json_t *json_place(Loc loc, const char *file) {
  if (!loc.line)
    return json_null();
  return json_pack("{s:o, s:o, s:o}", "file",
                   json_text(loc.file ? loc.file : file), "line",
                   json_number(loc.line), "column", json_number(loc.column));
}

json_t *json_triple(const uint32_t values[3]) {
  return json_pack("[o, o, o]", json_number(values[0]), json_number(values[1]),
                   json_number(values[2]));
}

json_t *json_names(size_t count, const char *const *at) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, json_text(at[i]));
  return list;
}

void json_print_line(json_t *object, FILE *out) {
  char *line = object ? json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER |
                                               JSON_REAL_PRECISION(6))
                      : NULL;
  if (!line) {
    fputs("out of memory\n", stderr);
    abort();
  }
  fprintf(out, "%s\n", line);
  free(line);
  json_decref(object);
}

void report_trouble(FILE *out, const char *kind, const char *file,
                    const char *what, const char *why) {
  json_t *message = what ? json_sprintf("%s: %s", what, why) : json_text(why);
  json_print_line(json_pack("{s:i, s:s, s:o, s:o}", "schema", SCHEMA_VERSION,
                            "trouble", kind, "file", json_text(file), "message",
                            message ? message : json_text(why)),
                  out);
}

void report_json(FILE *out, const Diagnosis *diagnosis) {
  json_print_line(diagnosis->json(diagnosis), out);
}
