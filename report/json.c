// What a program reads: one object a kernel, one line an object.
//
// docs/JSON.md describes every member.  Members are written in one order and
// left out only where that file says so, so that two runs differ in nothing
// but the seconds.  Here is what all who write JSON share.

#include "report/json.h"

#include <stdlib.h>
#include <string.h>

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

void report_trouble(FILE *out, const char *kind, Loc where, const char *what,
                    const char *why) {
  json_t *message = what ? json_sprintf("%s: %s", what, why) : json_text(why);
  json_t *object = json_pack("{s:i, s:s, s:o, s:o}", "schema", SCHEMA_VERSION,
                             "trouble", kind, "file", json_text(where.file),
                             "message", message ? message : json_text(why));
  if (where.line)
    json_object_set_new(object, "line", json_integer(where.line));
  json_print_line(object, out);
}

void report_folder(FILE *out, const char *folder) {
  json_print_line(json_pack("{s:i, s:o}", "schema", SCHEMA_VERSION, "folder",
                            json_text(folder)),
                  out);
}

// --------------------------------------------------------------- problems ---

static bool is_only_warned(const Diagnosis *diagnosis, const char *kind) {
  for (unsigned i = 0; i <= VERDICT_ERROR; i++)
    if (diagnosis->only_warned >> i & 1 &&
        !strcmp(verdict_name((VerdictKind)i), kind))
      return true;
  return false;
}

// What the user knows of.
static json_t *known(const Diagnosis *diagnosis, const Remark *remark) {
  const Suppression *by = remark->suppression;
  return by ? json_pack("{s:o, s:s, s:o}", "reason", json_text(by->reason),
                        "by", by->is_in_source ? "source" : "list", "by_where",
                        json_place(by->where, diagnosis->file))
            : json_null();
}

// Who tells only the last of several problems tells none of the others.
static const Remark *remark_of(const Diagnosis *diagnosis, const char *kind,
                               const char *sentence, size_t *next) {
  for (size_t i = *next; sentence && i < diagnosis->remarks.count; i++) {
    const Remark *remark = &diagnosis->remarks.at[i];
    if (!remark->kind || !remark->sentence || strcmp(remark->kind, kind) != 0 ||
        strcmp(remark->sentence, sentence) != 0)
      continue;
    *next = i + 1;
    return remark;
  }
  return NULL;
}

// How bad it is for this user, of whatever engine.
static void weigh_problem(const Diagnosis *diagnosis, json_t *problem,
                          size_t *next) {
  const char *kind = json_string_value(json_object_get(problem, "kind"));
  if (!kind)
    return;
  const Remark *remark =
      remark_of(diagnosis, kind,
                json_string_value(json_object_get(problem, "sentence")), next);
  json_object_set_new(
      problem, "level",
      json_text(is_only_warned(diagnosis, kind) ? "warning" : "error"));
  json_object_set_new(problem, "suppressed",
                      remark ? known(diagnosis, remark) : json_null());
}

json_t *report_object(const Diagnosis *diagnosis) {
  json_t *object = diagnosis->json(diagnosis), *problem;
  size_t i, next = 0;
  json_array_foreach(json_object_get(object, "problems"), i, problem)
      weigh_problem(diagnosis, problem, &next);
  if (!json_object_get(object, "suppressed"))
    json_object_set_new(object, "suppressed",
                        json_suppressed(diagnosis, NULL, VERDICT_UNKNOWN));
  return object;
}

void report_json(FILE *out, const Diagnosis *diagnosis) {
  json_print_line(report_object(diagnosis), out);
}
