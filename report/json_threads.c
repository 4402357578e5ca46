// What many schedules of a program have shown, for a program: one object on one
// line.  docs/JSON.md describes the members.

#include "report/json.h"
#include "report/threads.h"

static const DeedSite *site_at(const ThreadsReport *report, uint32_t number) {
  return &report->question->image->sites.at[number];
}

static json_t *problems(const ThreadsReport *report) {
  const RunEnd *found = &report->answer->found;
  json_t *list = json_array();
  if (!threads_found(report))
    return list;
  json_array_append_new(
      list,
      json_pack("{s:s, s:b, s:o, s:i, s:o, s:o, s:o}", "kind",
                mishap_name(found->mishap), "confirmed", true, "sentence",
                json_text(found->text), "thread", (int)found->thread, "where",
                json_place(site_at(report, found->site)->loc, report->file),
                "other",
                found->mishap == MISHAP_RACE
                    ? json_place(site_at(report, found->other_site)->loc,
                                 report->file)
                    : json_null(),
                "other_thread",
                found->mishap == MISHAP_RACE
                    ? json_integer((json_int_t)found->other_thread)
                    : json_null()));
  return list;
}

static json_t *switches(const ThreadsReport *report) {
  const ThreadSchedule *schedule = &report->answer->schedule;
  json_t *list = json_array();
  for (uint32_t i = 0; threads_found(report) && i < schedule->count; i++)
    json_array_append_new(list, json_pack("{s:i, s:i, s:i, s:b}", "thread",
                                          (int)schedule->at[i].thread, "step",
                                          (int)schedule->at[i].step, "to",
                                          (int)schedule->at[i].to, "forced",
                                          (int)schedule->at[i].is_forced));
  return list;
}

static json_t *ends(const ThreadsReport *report) {
  const ThreadsAnswer *answer = report->answer;
  json_t *list = json_array();
  for (unsigned i = 0; i < answer->end_count; i++)
    json_array_append_new(list,
                          json_pack("{s:o, s:i, s:I}", "output",
                                    json_text(answer->ends[i].text), "status",
                                    answer->ends[i].status, "times",
                                    (json_int_t)answer->ends[i].times));
  return list;
}

static json_t *device(const ThreadsReport *report) {
  const ThreadsAnswer *answer = report->answer;
  if (!report->question->device)
    return json_null();
  return json_pack(
      "{s:o, s:I, s:I, s:f}", "name", json_text(report->question->device->name),
      "schedules", (json_int_t)answer->device_schedules, "left",
      (json_int_t)answer->device_left, "seconds", answer->device_seconds);
}

static json_t *search(const ThreadsReport *report) {
  const ThreadsAnswer *answer = report->answer;
  const ThreadsQuestion *question = report->question;
  return json_pack(
      "{s:s, s:i, s:I, s:I, s:I, s:i, s:I, s:I, s:o, s:b, s:b, s:I, s:I, s:f, "
      "s:o, s:o}",
      "scheduler", policy_name(question->policy), "depth", (int)question->depth,
      "seed", (json_int_t)question->seed, "schedules",
      (json_int_t)answer->schedules, "distinct", (json_int_t)answer->distinct,
      "threads", (int)answer->threads, "steps", (json_int_t)answer->points,
      "cut", (json_int_t)answer->cut, "found_at",
      threads_found(report) ? json_integer((json_int_t)answer->found_at + 1)
                            : json_null(),
      "exhausted", (int)answer->is_exhausted, "interrupted",
      (int)answer->is_interrupted, "unwatched", (json_int_t)answer->unwatched,
      "yielded", (json_int_t)answer->yielded, "processor_seconds", answer->work,
      "missed",
      threads_missed(question, answer) < 1
          ? json_real(threads_missed(question, answer))
          : json_null(),
      "device", device(report));
}

json_t *json_threads(const Diagnosis *diagnosis) {
  const ThreadsReport *report = diagnosis->answer;
  return json_pack(
      "{s:i, s:s, s:s, s:s, s:s, s:s, s:o, s:b, s:o, s:o, s:o, s:o, s:b, s:f}",
      "schema", (int)SCHEMA_VERSION, "technique", "threads", "file",
      report->file, "kernel", diagnosis->kernel, "source", diagnosis->source,
      "verdict", diagnosis->verdict, "reason", json_text(diagnosis->reason),
      "confirmed", (int)diagnosis->is_confirmed, "problems", problems(report),
      "schedule", switches(report), "ends", ends(report), "search",
      search(report), "ends_cut", (int)report->answer->ends_are_cut, "seconds",
      diagnosis->seconds);
}
