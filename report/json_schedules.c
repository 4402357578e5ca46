// What many schedules have shown, for a program: one object on one line.
// docs/JSON.md describes the members.

#include "report/json.h"
#include "report/runs.h"

static json_t *step_object(Task *task, const SchedulesReport *report,
                           const Step *step) {
  const Site *site = &report->run.code->sites.at[step->site];
  const char *before =
      schedules_value(task, report, step->array, step->bytes, step->before);
  const char *after =
      schedules_value(task, report, step->array, step->bytes, step->after);
  return json_pack(
      "{s:s, s:I, s:I, s:I, s:s, s:o, s:I, s:I, s:s, s:s, s:o}", "step",
      step->kind == STEP_DELAY ? "delay" : "access", "block",
      (json_int_t)step->instance.block, "thread",
      (json_int_t)step->instance.thread, "access",
      (json_int_t)step->instance.ordinal, "action", site_verb(site), "array",
      json_text(schedules_array(report, step->array)), "offset_bytes",
      (json_int_t)step->offset, "bytes", (json_int_t)step->bytes, "before",
      before, "after", after, "where", json_place(site->loc, report->run.file));
}

static json_t *schedule_array(Task *task, const SchedulesReport *report) {
  const Steps *steps = &report->findings->steps;
  json_t *list = json_array();
  for (uint32_t i = 0; schedules_found(report) && i < steps->count; i++)
    if (steps->at[i].kind != STEP_REPEATED)
      json_array_append_new(list, step_object(task, report, &steps->at[i]));
  return list;
}

static json_t *differences_array(Task *task, const SchedulesReport *report,
                                 const Difference *differences,
                                 unsigned count) {
  json_t *list = json_array();
  for (unsigned i = 0; i < count; i++) {
    const Difference *difference = &differences[i];
    json_array_append_new(
        list,
        json_pack("{s:o, s:I, s:s, s:s}", "array",
                  json_text(schedules_array(report, difference->array)),
                  "offset_bytes", (json_int_t)difference->offset, "found",
                  schedules_value(task, report, difference->array,
                                  difference->bytes, difference->found),
                  "canonical",
                  schedules_value(task, report, difference->array,
                                  difference->bytes, difference->canonical)));
  }
  return list;
}

static json_t *device_object(Task *task, const SchedulesReport *report) {
  const SchedulesDevice *device = report->device;
  if (!device)
    return json_null();
  const Enforced *enforced = device->reason ? NULL : device->enforced;
  const char *reason =
      device->is_tried ? device->reason : "there is no schedule to enforce";
  return json_pack(
      "{s:s, s:b, s:I, s:o, s:o, s:o}", "name", device->found.name, "enforced",
      enforced != NULL, "accesses",
      (json_int_t)(enforced ? enforced->runs[PLAN_FOUND].made : 0), "verdict",
      json_text(enforced ? schedules_device_verdict(device) : NULL),
      "differences",
      differences_array(task, report, enforced ? enforced->differences : NULL,
                        enforced ? enforced->difference_count : 0),
      "reason", json_text(reason));
}

static json_t *problems_array(Task *task, const SchedulesReport *report) {
  const Outcome *outcome = &report->findings->incident;
  json_t *list = json_array();
  for (unsigned i = 0; i < outcome->count; i++)
    json_array_append_new(
        list, json_incident(task, &report->run, &outcome->incidents[i]));
  return list;
}

static json_t *search_object(const SchedulesReport *report) {
  const SearchResult *search = &report->findings->search;
  json_t *run = json_array();
  for (unsigned i = 0; i <= report->exploration->limits.bound; i++)
    json_array_append_new(run, json_number(search->run[i]));
  return json_pack(
      "{s:I, s:o, s:o, s:b, s:I, s:o, s:o, s:o, s:o, s:o}", "bound",
      (json_int_t)report->exploration->limits.bound, "schedules",
      json_number(schedule_count(search)), "by_length", run, "exhausted",
      search->end == SEARCH_EXHAUSTED && !search->undecided, "lengths",
      (json_int_t)search->lengths, "conflict_orders",
      json_number(schedule_count(search) - search->repeated), "skipped",
      json_number(search->skipped), "unreached", json_number(search->unreached),
      "undecided", json_number(search->undecided), "left",
      json_number(search->left));
}

json_t *json_schedules(const Diagnosis *diagnosis) {
  const SchedulesReport *report = diagnosis->answer;
  const Run *run = report->run.run;
  Task task = {0};
  json_t *object = json_pack(
      "{s:i, s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
      "s:o, s:f}",
      "schema", (int)SCHEMA_VERSION, "technique", "schedules", "file",
      json_text(diagnosis->file), "kernel", json_text(diagnosis->kernel),
      "source", json_text(diagnosis->source), "verdict", diagnosis->verdict,
      "coverage", json_text(schedules_coverage(&task, report)), "grid_size",
      json_triple(run->grid), "block_size", json_triple(run->block), "search",
      search_object(report), "problems", problems_array(&task, report),
      "differences",
      differences_array(&task, report, report->findings->differences,
                        report->findings->difference_count),
      "device", device_object(&task, report), "steps",
      schedule_array(&task, report), "schedule_file",
      json_text(report->written), "seconds", diagnosis->seconds);
  arena_free(&task.arena);
  return object;
}
