// Repairs for programs: one member more of the kernel's record.

#include "report/json.h"
#include "report/repairs.h"

static void drop(void *record) { json_decref(record); }

struct json_t *report_keep_record(Arena *arena, const Diagnosis *diagnosis) {
  json_t *record = report_object(diagnosis);
  arena_defer(arena, drop, record);
  return record;
}

static json_t *place(const RepairReport *report, size_t file, size_t at) {
  const SourceText *source = &report->places->texts.at[file];
  return json_place(text_place(source, at), source->path);
}

static json_t *edits(const RepairReport *report, const Edits *all) {
  json_t *list = json_array();
  for (size_t i = 0; i < all->count; i++) {
    const Edit *edit = &all->at[i];
    json_array_append_new(
        list, json_pack("{s:o, s:o, s:o, s:o}", "file",
                        json_text(report->places->texts.at[edit->file].path),
                        "offset", json_number(edit->begin), "length",
                        json_number(edit->end - edit->begin), "text",
                        json_text(edit->text)));
  }
  return list;
}

static json_t *changes(const RepairReport *report) {
  const Candidates *all = &report->proposal->changes;
  json_t *list = json_array();
  for (size_t i = 0; i < all->count; i++)
    json_array_append_new(
        list,
        json_pack("{s:o, s:o}", "sentence", json_text(all->at[i].what), "where",
                  place(report, all->at[i].file, all->at[i].at)));
  return list;
}

static json_t *proposal(const RepairReport *report) {
  const Proposal *found = report->proposal;
  if (!found)
    return json_null();
  return json_pack("{s:b, s:o, s:o, s:o, s:o, s:b, s:b, s:i, s:f}", "found",
                   (int)found->is_found, "reason", json_text(found->reason),
                   "changes", changes(report), "edits",
                   edits(report, &found->edits), "diff",
                   json_text(repair_diff(report)), "applied",
                   (int)report->is_applied, "fixed", (int)report->is_fixed,
                   "tried", (int)found->tried, "seconds", report->seconds);
}

static json_t *barriers(const RepairReport *report) {
  const Redundancy *found = report->redundancy;
  json_t *list = json_array();
  for (size_t i = 0; i < found->barriers.count; i++) {
    const Needed *one = &found->barriers.at[i];
    size_t file = report->places->nests.at[one->action->nest].file;
    json_array_append_new(list,
                          json_pack("{s:o, s:o, s:b, s:b}", "barrier",
                                    json_text(one->action->name), "where",
                                    place(report, file, one->action->begin),
                                    "redundant", (int)one->is_redundant,
                                    "left_out", (int)one->is_left_out));
  }
  return list;
}

static json_t *redundancy(const RepairReport *report) {
  const Redundancy *found = report->redundancy;
  return json_pack("{s:o, s:o, s:o, s:b, s:b, s:f}", "barriers",
                   barriers(report), "edits", edits(report, &found->edits),
                   "diff", json_text(repair_diff(report)), "complete",
                   (int)!found->is_over, "applied", (int)report->is_applied,
                   "seconds", report->seconds);
}

void report_repair_json(FILE *out, struct json_t *record,
                        const RepairReport *report) {
  json_t *all = json_copy(record);
  if (report->redundancy)
    json_object_set_new(all, "redundant", redundancy(report));
  else
    json_object_set_new(all, "repair", proposal(report));
  json_print_line(all, out);
}
