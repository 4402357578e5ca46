// SARIF 2.1.0, which code hosts and editors read.
//
// Each problem is a result, each verified kernel one of kind `pass`, and what
// is not decided one of kind `open` and a notification of the tool: who counts
// results never takes fewer for better.  Two threads of a problem are two
// thread flows of one code flow.

#include "report/documents/sarif.h"

#include <string.h>

// ----------------------------------------------------------------- places ---

json_t *sarif_message(const char *text) {
  return json_pack("{s:s}", "text", text);
}

static json_t *artifact(const Sarif *sarif, const char *file) {
  const char *shown = path_shown(sarif->results, file);
  json_t *location =
      json_pack("{s:s}", "uri", path_uri(&sarif->results->arena, shown));
  if (path_is_inside(shown))
    json_object_set_new(location, "uriBaseId", json_string("SRCROOT"));
  return location;
}

static json_t *region(const Sarif *sarif, Loc where, bool has_snippet) {
  const char *line = source_line(sarif->results, where);
  json_t *object = json_pack("{s:i}", "startLine", (int)where.line);
  if (where.column)
    json_object_set_new(object, "startColumn",
                        json_integer(source_column(sarif->results, where)));
  if (line && has_snippet)
    json_object_set_new(object, "snippet", sarif_message(line));
  return object;
}

json_t *sarif_location(const Sarif *sarif, Loc where, const char *message) {
  json_t *physical =
      json_pack("{s:o}", "artifactLocation", artifact(sarif, where.file));
  if (where.line)
    json_object_set_new(physical, "region",
                        region(sarif, where, message != NULL));
  json_t *location = json_pack("{s:o}", "physicalLocation", physical);
  if (message)
    json_object_set_new(location, "message", sarif_message(message));
  return location;
}

// A set to SARIF; the kernel of a header is in many units.
static void add_once(json_t *list, json_t *item) {
  size_t i;
  json_t *other;
  json_array_foreach(list, i, other) if (json_equal(other, item)) {
    json_decref(item);
    return;
  }
  json_array_append_new(list, item);
}

static json_t *logical_location(const KernelRecord *record) {
  json_t *logical =
      json_pack("{s:s, s:s}", "name", record->source, "kind", "function");
  if (record->kernel)
    json_object_set_new(logical, "decoratedName", json_string(record->kernel));
  return logical;
}

json_t *sarif_kernel_location(const Sarif *sarif, const KernelRecord *record,
                              const Alarm *alarm, Loc where) {
  json_t *location = sarif_location(sarif, where, NULL);
  json_t *kernels = json_pack("[o]", logical_location(record));
  for (size_t i = 0; alarm && i < alarm->instances.count; i++)
    add_once(kernels, logical_location(alarm->instances.at[i]));
  json_object_set_new(location, "logicalLocations", kernels);
  return location;
}

// ---------------------------------------------------------------- results ---

static json_t *kernel_result(const Sarif *sarif, const KernelRecord *record,
                             const char *rule, const char *kind,
                             const char *message, Loc where) {
  return json_pack("{s:s, s:i, s:s, s:s, s:o, s:[o]}", "ruleId", rule,
                   "ruleIndex", sarif_rule_index(rule), "kind", kind, "level",
                   "none", "message", sarif_message(message), "locations",
                   sarif_kernel_location(sarif, record, NULL, where));
}

// "kernel 'scan' is verified", "program 'pool.c' is unknown"
static const char *says(const Sarif *sarif, const KernelRecord *record) {
  bool is_whole = !strcmp(record->technique, "threads") ||
                  !strcmp(record->technique, "program");
  return arena_printf(
      &sarif->results->arena, "%s '%s' is %s", is_whole ? "program" : "kernel",
      is_whole ? record->file : record->source, record->verdict);
}

static void add_pass(const Sarif *sarif, const KernelRecord *record,
                     json_t *to) {
  Arena *arena = &sarif->results->arena;
  const char *text = arena_printf(arena, "%s%s%s", says(sarif, record),
                                  record->scope ? " for " : "",
                                  record->scope ? record->scope : "");
  for (size_t i = 0; i < record->assumptions.count; i++)
    text = arena_printf(arena, "%s%s%s", text, i ? ", " : ", assuming ",
                        record->assumptions.at[i].name);
  json_array_append_new(to, kernel_result(sarif, record, "verified", "pass",
                                          text, record->where));
}

// What is no bug because an assumption says so: results of their own, which who
// reads only bugs does not see.
static void add_tolerated(const Sarif *sarif, const KernelRecord *record,
                          json_t *to) {
  Results *results = sarif->results;
  for (size_t i = 0; i < record->tolerated.count; i++) {
    const Toleration *pair = &record->tolerated.at[i];
    const char *text = arena_printf(
        &results->arena, "%s in kernel '%s', %s, which is no bug by %s",
        pair->sentence, record->source, places_shown(results, pair),
        pair->assumption);
    json_array_append_new(
        to, kernel_result(sarif, record, rule_of(pair->assumption)->id,
                          "informational", text, pair->where));
  }
}

static const char *open_text(const Sarif *sarif, const KernelRecord *record) {
  const char *why = record->reason  ? record->reason
                    : record->scope ? record->scope
                                    : "no reason is given";
  return arena_printf(&sarif->results->arena, "%s: %s", says(sarif, record),
                      why);
}

static Loc open_place(const KernelRecord *record) {
  return record->reason_where.line ? record->reason_where : record->where;
}

static void add_results(const Sarif *sarif, json_t *to) {
  for (size_t i = 0; i < sarif->results->records.count; i++) {
    const KernelRecord *record = &sarif->results->records.at[i];
    for (size_t k = 0; k < record->alarms.count; k++)
      if (!record->alarms.at[k].same_as)
        json_array_append_new(
            to, sarif_problem(sarif, record, &record->alarms.at[k]));
    add_tolerated(sarif, record, to);
    if (record->class == CLASS_GOOD)
      add_pass(sarif, record, to);
    else if (record->class != CLASS_BUG)
      json_array_append_new(to, kernel_result(sarif, record, "not-decided",
                                              "open", open_text(sarif, record),
                                              open_place(record)));
  }
}

// ---------------------------------------------------------- notifications ---

static json_t *notification(const char *id, const char *level,
                            const char *message, json_t *location) {
  json_t *object = json_pack("{s:{s:s}, s:s, s:o}", "descriptor", "id", id,
                             "level", level, "message", sarif_message(message));
  if (location)
    json_object_set_new(object, "locations", json_pack("[o]", location));
  return object;
}

static json_t *notifications(const Sarif *sarif) {
  const Results *results = sarif->results;
  json_t *list = json_array();
  for (size_t i = 0; i < results->records.count; i++) {
    const KernelRecord *record = &results->records.at[i];
    if (record->class != CLASS_OPEN && record->class != CLASS_WRONG)
      continue;
    bool is_wrong = record->class == CLASS_WRONG;
    json_array_append_new(
        list,
        notification(is_wrong ? "wrong-use" : "not-decided",
                     is_wrong ? "error" : "warning", open_text(sarif, record),
                     sarif_location(sarif, open_place(record), NULL)));
  }
  for (size_t i = 0; i < results->troubles.count; i++) {
    const Trouble *trouble = &results->troubles.at[i];
    json_array_append_new(
        list, notification(
                  trouble->kind, "error", trouble_text(sarif->results, trouble),
                  trouble->file
                      ? sarif_location(sarif, (Loc){trouble->file, 0, 0}, NULL)
                      : NULL));
  }
  return list;
}

static void add_suppressions(const Sarif *sarif, json_t *list) {
  Results *results = sarif->results;
  for (size_t i = 0; i < results->suppressions.count; i++) {
    const SuppressionNote *note = &results->suppressions.at[i];
    json_array_append_new(
        list,
        notification("suppression", "note", suppression_text(results, note),
                     sarif_location(sarif, note->where, NULL)));
  }
}

static void set_time(json_t *invocation, const char *name, const char *text) {
  enum { DATE_TIME = 20 }; // 2026-11-26T07:00:00Z
  if (text && strlen(text) == DATE_TIME && text[10] == 'T' && text[19] == 'Z')
    json_object_set_new(invocation, name, json_string(text));
}

static json_t *invocation(const Sarif *sarif, int status) {
  json_t *list = notifications(sarif);
  json_t *object =
      json_pack("{s:b}", "executionSuccessful", json_array_size(list) == 0);
  add_suppressions(sarif, list); // which hide no kernel
  if (sarif->results->command)
    json_object_set_new(object, "commandLine",
                        json_string(sarif->results->command));
  if (status >= 0)
    json_object_set_new(object, "exitCode", json_integer(status));
  set_time(object, "startTimeUtc", sarif->results->started);
  set_time(object, "endTimeUtc", sarif->results->ended);
  json_object_set_new(object, "toolExecutionNotifications", list);
  return object;
}

// ------------------------------------------------------------------ rules ---

int sarif_rule_index(const char *id) {
  for (size_t i = 0; i < rules_count(); i++)
    if (!strcmp(rule_at(i)->id, id))
      return (int)i;
  return -1;
}

static json_t *rule_object(const ProblemRule *rule) {
  const char *severity = !strcmp(rule->level, "error")  ? "error"
                         : !strcmp(rule->level, "note") ? "recommendation"
                                                        : "warning";
  return json_pack("{s:s, s:s, s:o, s:o, s:o, s:{s:s}, s:{s:s, s:s, s:[s, s]}}",
                   "id", rule->id, "name", rule->title, "shortDescription",
                   sarif_message(rule->title), "fullDescription",
                   sarif_message(rule->text), "help", sarif_message(rule->help),
                   "defaultConfiguration", "level", rule->level, "properties",
                   "precision", "high", "problem.severity", severity, "tags",
                   "gpu", "concurrency");
}

static json_t *rules(void) {
  json_t *list = json_array();
  for (size_t i = 0; i < rules_count(); i++)
    json_array_append_new(list, rule_object(rule_at(i)));
  return list;
}

// "0.1.0" of "0.1.0 (LLVM ..)"; "": there is no number.
static const char *version(const Sarif *sarif) {
  const char *tool = sarif->results->tool;
  const char *from = tool + strcspn(tool, "0123456789");
  return arena_printf(&sarif->results->arena, "%.*s", (int)strcspn(from, " "),
                      from);
}

static json_t *driver(const Sarif *sarif) {
  const char *number = version(sarif);
  json_t *object = json_pack("{s:s, s:s, s:o}", "name", "gpuverify", "version",
                             sarif->results->tool, "rules", rules());
  if (*number)
    json_object_set_new(object, "semanticVersion", json_string(number));
  return object;
}

static json_t *base_ids(const Sarif *sarif) {
  Arena *arena = &sarif->results->arena;
  const char *folder = path_uri(arena, sarif->results->folder);
  bool has_slash = folder[strlen(folder) - 1] == '/';
  return json_pack("{s:{s:s}}", "SRCROOT", "uri",
                   arena_printf(arena, "%s%s", folder, has_slash ? "" : "/"));
}

void document_sarif(FILE *out, Results *results, int status) {
  Sarif sarif = {.results = results};
  json_t *list = json_array();
  add_results(&sarif, list);
  sarif_number_marks(&sarif, list);
  json_t *run = json_pack(
      "{s:{s:o}, s:[o], s:o, s:s, s:o}", "tool", "driver", driver(&sarif),
      "invocations", invocation(&sarif, status), "originalUriBaseIds",
      base_ids(&sarif), "columnKind", "unicodeCodePoints", "results", list);
  json_t *root = json_pack("{s:s, s:s, s:[o]}", "$schema",
                           "https://json.schemastore.org/sarif-2.1.0.json",
                           "version", "2.1.0", "runs", run);
  json_dumpf(root, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
  fputc('\n', out);
  json_decref(root);
}
