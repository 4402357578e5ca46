// One problem as a result of SARIF.

#include "report/documents/sarif.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------ fingerprint ---

// FNV-1a of 64 bits, without what an editor may have moved: blanks.
static uint64_t hash(uint64_t so_far, const char *text) {
  for (; *text; text++)
    if (!isspace((unsigned char)*text))
      so_far = (so_far ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return (so_far ^ 0xff) * UINT64_C(0x100000001b3);
}

// Of the line's text, which stays when lines above come or go.
static uint64_t hash_place(const Sarif *sarif, uint64_t so_far, Loc where) {
  const char *line = source_line(sarif->results, where);
  if (where.file)
    so_far = hash(so_far, path_shown(sarif->results, where.file));
  return line ? hash(so_far, line) : so_far;
}

// Without template arguments: which instance is told may change.
static const char *template_name(Arena *arena, const char *source) {
  size_t length = strcspn(source, "<");
  return length ? arena_printf(arena, "%.*s", (int)length, source) : source;
}

static const char *fingerprint(const Sarif *sarif, const KernelRecord *record,
                               const Alarm *alarm) {
  uint64_t value = hash(UINT64_C(0xcbf29ce484222325), rule_of(alarm->kind)->id);
  value = hash(value, path_shown(sarif->results, record->file));
  value = hash(value, template_name(&sarif->results->arena, record->source));
  value = hash_place(sarif, value, alarm->where);
  uint64_t both = 0; // whichever of them comes first
  for (size_t i = 0; i < alarm->participants.count; i++)
    both += hash_place(sarif, value, alarm->participants.at[i].where);
  value ^= both;
  return arena_printf(&sarif->results->arena, "%016llx",
                      (unsigned long long)value);
}

typedef struct Marked {
  json_t *marks;
  const char *mark;
  size_t number; // in the document
} Marked;

static int compare_marked(const void *a, const void *b) {
  const Marked *one = a, *two = b;
  int order = strcmp(one->mark, two->mark);
  return order                       ? order
         : one->number < two->number ? -1
                                     : one->number > two->number;
}

// Code hosts show one of those with the same hash.
void sarif_number_marks(const Sarif *sarif, json_t *results) {
  size_t room = json_array_size(results) + 1, count = 0, same = 0;
  Marked *marked = arena_alloc(&sarif->results->arena, room * sizeof *marked);
  for (size_t i = 0; i < json_array_size(results); i++) {
    json_t *marks =
        json_object_get(json_array_get(results, i), "partialFingerprints");
    const char *mark =
        json_string_value(json_object_get(marks, "gpuverify/v1"));
    if (mark)
      marked[count++] = (Marked){marks, mark, i};
  }
  qsort(marked, count, sizeof *marked, compare_marked);
  for (size_t i = 0; i < count; i++) {
    same = i && !strcmp(marked[i - 1].mark, marked[i].mark) ? same + 1 : 1;
    json_object_set_new(marked[i].marks, "primaryLocationLineHash",
                        json_sprintf("%s:%zu", marked[i].mark, same));
  }
}

// ------------------------------------------------------------------ flows ---

static const char *participant_text(const Sarif *sarif,
                                    const Participant *one) {
  return arena_printf(&sarif->results->arena, "%s%s%s", one->who,
                      one->does ? " " : "", one->does ? one->does : "");
}

static json_t *step(const Sarif *sarif, Loc where, const char *message,
                    bool is_access) {
  return json_pack("{s:o, s:s}", "location",
                   sarif_location(sarif, where, message), "importance",
                   is_access ? "essential" : "unimportant");
}

// The last line of the way is that of the access.
static json_t *steps(const Sarif *sarif, const Participant *one) {
  json_t *list = json_array();
  size_t count = one->way.count;
  if (count && one->way.at[count - 1].line == one->where.line)
    count--;
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, step(sarif, one->way.at[i], NULL, false));
  if (one->where.line)
    json_array_append_new(
        list, step(sarif, one->where, participant_text(sarif, one), true));
  else if (!count)
    json_array_append_new(
        list, json_pack("{s:{s:o}}", "location", "message",
                        sarif_message(participant_text(sarif, one))));
  return list;
}

static json_t *inputs(const Alarm *alarm) {
  json_t *object = json_object();
  for (size_t i = 0; i < alarm->inputs.count; i++)
    json_object_set_new(object, alarm->inputs.at[i].name,
                        sarif_message(alarm->inputs.at[i].value));
  return object;
}

static json_t *code_flow(const Sarif *sarif, const Alarm *alarm) {
  json_t *flows = json_array();
  for (size_t i = 0; i < alarm->participants.count; i++) {
    const Participant *one = &alarm->participants.at[i];
    json_array_append_new(
        flows,
        json_pack("{s:s, s:o, s:o, s:o}", "id", one->who, "message",
                  sarif_message(participant_text(sarif, one)), "immutableState",
                  inputs(alarm), "locations", steps(sarif, one)));
  }
  return json_pack("{s:o}", "threadFlows", flows);
}

// ---------------------------------------------------------- related places ---

static void add_related(const Sarif *sarif, json_t *list, Loc where,
                        const char *message) {
  if (!where.line)
    return;
  json_t *location = sarif_location(sarif, where, message);
  json_object_set_new(location, "id",
                      json_integer((json_int_t)json_array_size(list) + 1));
  json_array_append_new(list, location);
}

static json_t *related(const Sarif *sarif, const Alarm *alarm) {
  json_t *list = json_array();
  for (size_t i = 0; i < alarm->participants.count; i++) {
    const Participant *one = &alarm->participants.at[i];
    add_related(sarif, list, one->where, participant_text(sarif, one));
  }
  add_related(sarif, list, alarm->barrier,
              "the last barrier before the accesses");
  return list;
}

// ------------------------------------------------------------------ graph ---

static json_t *node(const Sarif *sarif, const Standpoint *at, size_t index) {
  const char *label =
      arena_printf(&sarif->results->arena, "%s, %s%s%s", at->who, at->what,
                   at->help ? "; " : "", at->help ? at->help : "");
  json_t *object = json_pack("{s:o, s:o}", "id", json_sprintf("%zu", index),
                             "label", sarif_message(label));
  if (at->where.line)
    json_object_set_new(object, "location",
                        sarif_location(sarif, at->where, NULL));
  return object;
}

// Who waits for whom.
static json_t *graph(const Sarif *sarif, const Alarm *alarm) {
  json_t *nodes = json_array(), *edges = json_array();
  for (size_t i = 0; i < alarm->standpoints.count; i++) {
    const Standpoint *at = &alarm->standpoints.at[i];
    json_array_append_new(nodes, node(sarif, at, i));
    if (at->waits_for >= 0)
      json_array_append_new(
          edges, json_pack("{s:o, s:o, s:o}", "id", json_sprintf("%zu", i),
                           "sourceNodeId", json_sprintf("%zu", i),
                           "targetNodeId", json_sprintf("%d", at->waits_for)));
  }
  return json_pack("{s:o, s:o, s:o}", "description",
                   sarif_message("which warp waits for which"), "nodes", nodes,
                   "edges", edges);
}

// ----------------------------------------------------------------- result ---

static json_t *message_of(const Sarif *sarif, const Alarm *alarm) {
  Arena *arena = &sarif->results->arena;
  const char *text = alarm->sentence;
  for (size_t i = 0; i < alarm->participants.count; i++)
    text = arena_printf(arena, "%s%s %s", text, i ? " and" : ":",
                        participant_text(sarif, &alarm->participants.at[i]));
  for (size_t i = 0; i < alarm->inputs.count; i++)
    text = arena_printf(arena, "%s%s%s = %s", text, i ? ", " : ", when ",
                        alarm->inputs.at[i].name, alarm->inputs.at[i].value);
  if (alarm->instances.count)
    text = arena_printf(arena, "%s; the same of %s", text,
                        instances_text(sarif->results, alarm));
  if (alarm->caveat)
    text = arena_printf(arena, "%s (%s)", text, alarm->caveat);
  return sarif_message(text);
}

static json_t *suppression(const Alarm *alarm) {
  json_t *object =
      json_pack("{s:s, s:s}", "kind",
                alarm->is_suppressed_inside ? "inSource" : "external", "status",
                "accepted");
  if (alarm->suppression)
    json_object_set_new(object, "justification",
                        json_string(alarm->suppression));
  return json_pack("[o]", object);
}

static json_t *properties(const KernelRecord *record, const Alarm *alarm) {
  json_t *object =
      json_pack("{s:s, s:s, s:b}", "verdict", record->verdict, "technique",
                record->technique, "confirmed", (int)alarm->is_confirmed);
  if (alarm->replay)
    json_object_set_new(object, "replay", json_string(alarm->replay));
  return object;
}

json_t *sarif_problem(const Sarif *sarif, const KernelRecord *record,
                      const Alarm *alarm) {
  const ProblemRule *rule = rule_of(alarm->kind);
  const char *mark = fingerprint(sarif, record, alarm);
  bool is_known = class_of(alarm->kind, true) == CLASS_BUG;
  json_t *object = json_pack(
      "{s:s, s:i, s:s, s:s, s:o, s:[o], s:{s:s}, s:o}", "ruleId", rule->id,
      "ruleIndex", sarif_rule_index(rule->id), "kind", "fail", "level",
      !is_known                                       ? "note"
      : alarm->is_confirmed && !alarm->is_only_warned ? rule->level
                                                      : "warning",
      "message", message_of(sarif, alarm), "locations",
      sarif_kernel_location(sarif, record, alarm, alarm->where),
      "partialFingerprints", "gpuverify/v1", mark, "properties",
      properties(record, alarm));
  if (alarm->participants.count) {
    json_object_set_new(object, "codeFlows",
                        json_pack("[o]", code_flow(sarif, alarm)));
    json_object_set_new(object, "relatedLocations", related(sarif, alarm));
  }
  if (alarm->standpoints.count)
    json_object_set_new(object, "graphs",
                        json_pack("[o]", graph(sarif, alarm)));
  if (alarm->instances.count)
    json_object_set_new(object, "occurrenceCount",
                        json_integer((json_int_t)alarm->instances.count + 1));
  if (alarm->is_suppressed)
    json_object_set_new(object, "suppressions", suppression(alarm));
  return object;
}
