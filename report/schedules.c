// From what many schedules have shown to a diagnosis.
//
// Of a schedule that goes wrong: what went wrong, then each delay with the
// accesses of other threads that it let pass, line by line with values, since
// these are what has to be kept apart.  Of a search: what it covered, in
// numbers, and that this is no proof.

#include "report/runs.h"
#include "report/tell.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_PASSED = 6 };

// ---------------------------------------------------------------- verdict ---

bool schedules_found(const SchedulesReport *report) {
  const SearchResult *search = &report->findings->search;
  bool differs = report->exploration->limits.compares_states &&
                 search->canonical.kind == TRIAL_FINISHED &&
                 search->trial.state != search->canonical.state;
  return search->end == SEARCH_FOUND &&
         (search->trial.kind == TRIAL_FAILED ||
          (search->trial.kind == TRIAL_FINISHED && differs));
}

static bool is_decided(const SchedulesReport *report) {
  const SearchResult *search = &report->findings->search;
  if (search->end == SEARCH_FOUND) // a replay that passed
    return search->trial.kind == TRIAL_FINISHED;
  return search->end == SEARCH_EXHAUSTED && !search->undecided;
}

const char *schedules_verdict(const SchedulesReport *report) {
  const Trial *trial = &report->findings->search.trial;
  if (schedules_found(report))
    return trial->kind == TRIAL_FAILED ? incident_kind(trial->incident)
                                       : "schedule-dependent";
  return is_decided(report) ? "passed" : "unknown";
}

const char *schedules_device_verdict(const SchedulesDevice *device) {
  switch (device->enforced->runs[PLAN_FOUND].end) {
  case GATES_ASSERTION:
    return incident_kind(INCIDENT_ASSERTION);
  case GATES_TRAP:
    return incident_kind(INCIDENT_TRAP);
  case GATES_RUNNING:
    return incident_kind(INCIDENT_DEADLOCK);
  case GATES_NONE:
  case GATES_OTHER:
  case GATES_LATE:
  case GATES_MORE:
    break;
  }
  return device->enforced->difference_count ? "schedule-dependent" : "passed";
}

static Level level(const SchedulesReport *report) {
  if (schedules_found(report))
    return LEVEL_WARNING;
  return is_decided(report) ? LEVEL_REMARK : LEVEL_DOUBT;
}

// ------------------------------------------------------------------ words ---

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static const char *end_text(Task *task, const SchedulesReport *report) {
  const SearchResult *search = &report->findings->search;
  switch (search->end) {
  case SEARCH_EXHAUSTED:
  case SEARCH_FOUND:
    return "";
  case SEARCH_SCHEDULES:
    return "the limit of schedules is reached";
  case SEARCH_TIME:
    return arena_printf(&task->arena, "the %u s of --timeout are over",
                        report->timeout);
  case SEARCH_ASKED:
    return "interrupted";
  case SEARCH_MEMORY:
    return "the worklist is too long";
  }
  return "";
}

static const char *selection_text(const SchedulesReport *report) {
  return report->exploration->limits.select == SELECT_CONDITIONAL
             ? " at conflicts with conditional atomics"
             : "";
}

const char *schedules_coverage(Task *task, const SchedulesReport *report) {
  const SearchResult *search = &report->findings->search;
  uint64_t count = schedule_count(search);
  unsigned bound = report->exploration->limits.bound;
  if (report->exploration->replayed)
    return "this schedule";
  if (search->end == SEARCH_FOUND)
    return arena_printf(&task->arena, "schedule %" PRIu64 ", %u delay%s%s",
                        count, search->found.count, plural(search->found.count),
                        selection_text(report));
  if (search->end == SEARCH_EXHAUSTED && !search->undecided)
    return arena_printf(
        &task->arena,
        "no bug within %u delay%s%s: %" PRIu64 " schedule%s; this is no proof",
        bound, plural(bound), selection_text(report), count, plural(count));
  if (search->end == SEARCH_EXHAUSTED)
    return arena_printf(&task->arena,
                        "no bug within %u delay%s%s, but %" PRIu64
                        " of %" PRIu64 " schedules did not come to their end",
                        bound, plural(bound), selection_text(report),
                        search->undecided, count);
  if (!search->lengths)
    return arena_printf(&task->arena, "%s", end_text(task, report));
  return arena_printf(
      &task->arena,
      "not exhausted, %s: no bug within %u delay%s%s, nor in %" PRIu64
      " schedule%s of %u; %" PRIu64 " list%s known and not run",
      end_text(task, report), search->lengths - 1, plural(search->lengths - 1),
      selection_text(report), search->run[search->lengths],
      plural(search->run[search->lengths]), search->lengths, search->left,
      search->left == 1 ? " is" : "s are");
}

const char *schedules_array(const SchedulesReport *report, int array) {
  Actor actor = {.array = array};
  return actor_array(&report->run, &actor);
}

static const char *cell_text(Task *task, const SchedulesReport *report,
                             int array, int64_t offset) {
  Actor actor = {.array = array};
  unsigned element = actor_element(&report->run, &actor);
  const char *name = schedules_array(report, array);
  if (!element || offset % (int64_t)element)
    return arena_printf(&task->arena, "byte %" PRId64 " of %s", offset, name);
  return arena_printf(&task->arena, "%s[%" PRId64 "]", name,
                      offset / (int64_t)element);
}

// What a value points to, if it is an address, or NULL.
static const char *pointee_text(Task *task, const SchedulesReport *report,
                                uint64_t value) {
  const Findings *findings = report->findings;
  for (unsigned i = 0; i < findings->lay_count; i++) {
    const Lay *lay = &findings->lay[i];
    if (value - lay->at < lay->bytes)
      return arena_printf(
          &task->arena, "&%s",
          cell_text(task, report, lay->array, (int64_t)(value - lay->at)));
  }
  return NULL;
}

const char *schedules_value(Task *task, const SchedulesReport *report,
                            int array, uint64_t bytes, uint64_t value) {
  const LaunchFile *launch = report->run.launch;
  char at[sizeof value];
  const char *pointee =
      bytes == sizeof value ? pointee_text(task, report, value) : NULL;
  if (pointee)
    return pointee;
  memcpy(at, &value, sizeof at);
  if ((size_t)array < launch->elements.count &&
      launch->elements.at[array]->bytes == bytes)
    return element_text(task, launch->elements.at[array], at);
  unsigned unused = bytes < 8 ? 64 - 8 * (unsigned)bytes : 0;
  return arena_printf(&task->arena, "%" PRId64,
                      (int64_t)(value << unused) >> unused);
}

// ------------------------------------------------------------------ steps ---

static bool same_instance(const Instance *a, const Instance *b) {
  return a->block == b->block && a->thread == b->thread &&
         a->ordinal == b->ordinal;
}

const Step *schedules_delay(const Findings *findings, unsigned delay) {
  const Steps *steps = &findings->steps;
  for (uint32_t i = 0; i < steps->count; i++)
    if (steps->at[i].kind == STEP_DELAY && !delay--)
      return &steps->at[i];
  return NULL;
}

static const char *thread_text(Task *task, const SchedulesReport *report,
                               const Instance *instance) {
  const Run *run = report->run.run;
  const uint32_t *block = run->block, *grid = run->grid;
  return arena_printf(
      &task->arena, "thread (%u,%u,%u) in block (%u,%u,%u)",
      instance->thread % block[0], instance->thread / block[0] % block[1],
      instance->thread / block[0] / block[1], instance->block % grid[0],
      instance->block / grid[0] % grid[1], instance->block / grid[0] / grid[1]);
}

static Loc site_loc(const SchedulesReport *report, uint32_t site) {
  return report->run.code->sites.at[site].loc;
}

static const char *site_text(Task *task, const SchedulesReport *report,
                             uint32_t site) {
  return tell_place(&task->arena, site_loc(report, site), report->run.file);
}

static bool writes(const SchedulesReport *report, const Step *step) {
  const Site *site = &report->run.code->sites.at[step->site];
  return site->kind != SITE_READ && site->kind != SITE_FETCH && !site->is_load;
}

// What stands between a cell and its value, if that remains.
static const char *is_word(const SchedulesReport *report, const Step *step) {
  if (!writes(report, step))
    return " = ";
  return step->kind == STEP_DELAY ? ", which is " : ", which stays ";
}

// "reads a[0] = 5", "writes a[0], 5 becomes 7".
static const char *access_text(Task *task, const SchedulesReport *report,
                               const Step *step) {
  Arena *arena = &task->arena;
  const Site *site = &report->run.code->sites.at[step->site];
  const char *before =
      schedules_value(task, report, step->array, step->bytes, step->before);
  const char *start =
      arena_printf(arena, "%s %s", site_verb(site),
                   cell_text(task, report, step->array, step->offset));
  if (step->bytes > sizeof step->before)
    return arena_printf(arena, "%s (%" PRIu64 " bytes)", start, step->bytes);
  if (step->before == step->after)
    return arena_printf(arena, "%s%s%s", start, is_word(report, step), before);
  return arena_printf(
      arena, "%s, %s becomes %s", start, before,
      schedules_value(task, report, step->array, step->bytes, step->after));
}

static bool conflict(const SchedulesReport *report, const Step *a,
                     const Step *b) {
  bool is_same_thread = a->instance.block == b->instance.block &&
                        a->instance.thread == b->instance.thread;
  return !is_same_thread && a->array == b->array &&
         a->offset < b->offset + (int64_t)b->bytes &&
         b->offset < a->offset + (int64_t)a->bytes &&
         (writes(report, a) || writes(report, b));
}

// ------------------------------------------------------------------ notes ---

typedef struct Teller {
  Task *task;
  const SchedulesReport *report;
  Remark *remark; // whose notes these are
} Teller;

static void say(const Teller *teller, const char *line) {
  note_line(&teller->task->arena, teller->remark, line);
}

// One more access, below a delay.
static void tell_step(const Teller *teller, const Step *step) {
  Task *task = teller->task;
  const char *text =
      arena_printf(&task->arena, "%s %s, %s",
                   thread_text(task, teller->report, &step->instance),
                   access_text(task, teller->report, step),
                   site_text(task, teller->report, step->site));
  note_add(&task->arena, teller->remark,
           (Note){.line = arena_printf(&task->arena, "  %s", text),
                  .there = text,
                  .where = site_loc(teller->report, step->site)});
}

// What came between a delay and the access that was delayed.
static void tell_passed(const Teller *teller, const Step *delay) {
  const Steps *steps = &teller->report->findings->steps;
  const Step *end = steps->at + steps->count;
  unsigned shown = 0;
  for (const Step *step = delay + 1; step < end; step++) {
    if (step->kind == STEP_ACCESS &&
        same_instance(&step->instance, &delay->instance)) {
      say(teller,
          arena_printf(
              &teller->task->arena, "  %sthen it %s",
              shown ? "" : "no access in conflict with it comes in between; ",
              access_text(teller->task, teller->report, step)));
      return;
    }
    if (step->kind == STEP_ACCESS && conflict(teller->report, step, delay) &&
        ++shown <= MOST_PASSED)
      tell_step(teller, step);
  }
  say(teller, "  it never goes on");
}

static void tell_delay(const Teller *teller, const Step *step,
                       unsigned number) {
  Task *task = teller->task;
  const char *text =
      arena_printf(&task->arena, "delay %u: %s waits before it %s", number,
                   thread_text(task, teller->report, &step->instance),
                   access_text(task, teller->report, step));
  const char *place = site_text(task, teller->report, step->site);
  note_add(&task->arena, teller->remark,
           (Note){.line = arena_printf(&task->arena, "%s, %s", text, place),
                  .there = text,
                  .where = site_loc(teller->report, step->site)});
}

static void tell_delays(const Teller *teller) {
  const Steps *steps = &teller->report->findings->steps;
  unsigned number = 0;
  for (uint32_t i = 0; i < steps->count; i++)
    if (steps->at[i].kind == STEP_DELAY) {
      tell_delay(teller, &steps->at[i], ++number);
      tell_passed(teller, &steps->at[i]);
    }
  if (!number)
    say(teller, "this is the canonical schedule, without any delay");
}

static void tell_differences(const Teller *teller,
                             const Difference *differences, unsigned count) {
  Task *task = teller->task;
  const SchedulesReport *report = teller->report;
  for (unsigned i = 0; i < count; i++) {
    const Difference *difference = &differences[i];
    say(teller,
        arena_printf(
            &task->arena,
            "%s is %s at the end, %s after the canonical schedule",
            cell_text(task, report, difference->array, difference->offset),
            schedules_value(task, report, difference->array, difference->bytes,
                            difference->found),
            schedules_value(task, report, difference->array, difference->bytes,
                            difference->canonical)));
  }
}

// ----------------------------------------------------------------- device ---

// ", by thread (0,0,0) in block (0,0,0), k.cu:4:3"
static const char *device_end(const Teller *teller, const EnforcedRun *run) {
  const uint32_t *block = teller->report->run.run->block;
  uint32_t threads = block[0] * block[1] * block[2];
  Instance instance = {.block = run->thread / threads,
                       .thread = run->thread % threads};
  return arena_printf(&teller->task->arena, ", by %s, %s",
                      thread_text(teller->task, teller->report, &instance),
                      site_text(teller->task, teller->report, run->site));
}

static void tell_device(const Teller *teller) {
  const SchedulesDevice *device = teller->report->device;
  Arena *arena = &teller->task->arena;
  if (!device || device->reason)
    return;
  if (!device->is_tried) {
    say(teller, arena_printf(arena, "there is no schedule to enforce on %s",
                             device->found.name));
    return;
  }
  const EnforcedRun *run = &device->enforced->runs[PLAN_FOUND];
  say(teller,
      arena_printf(arena, "enforced on %s, %u accesses: %s%s",
                   device->found.name, run->made,
                   schedules_device_verdict(device),
                   run->end != GATES_NONE ? device_end(teller, run) : ""));
  tell_differences(teller, device->enforced->differences,
                   device->enforced->difference_count);
}

// ---------------------------------------------------------------- remarks ---

static void tell_statistics(const Teller *teller) {
  const SearchResult *search = &teller->report->findings->search;
  uint64_t count = schedule_count(search), orders = count - search->repeated;
  double seconds = teller->report->findings->seconds;
  if (!count)
    return;
  say(teller,
      arena_printf(
          &teller->task->arena,
          "%" PRIu64 " schedule%s (%" PRIu64 " conflict order%s), %" PRIu64
          " duplicates not run, %" PRIu64
          " with a delay that did not come, %.0f schedules a second",
          count, plural(count), orders, plural(orders), search->skipped,
          search->unreached,
          seconds > 0 ? (double)(count + search->minimising) / seconds : 0.0));
}

static bool has_failed(const SchedulesReport *report) {
  return report->findings->search.trial.kind == TRIAL_FAILED;
}

// What it is that notes follow: races, and what ended the schedule; or that
// its end is another one; of a search without a finding the last incident.
static void tell_headings(Task *task, const SchedulesReport *report,
                          Diagnosis *diagnosis) {
  const Outcome *outcome = &report->findings->incident;
  bool is_found = schedules_found(report);
  bool is_of_state = is_found && !has_failed(report);
  unsigned first = is_found || !outcome->count ? 0 : outcome->count - 1;
  for (unsigned i = first; !is_of_state && i < outcome->count; i++)
    tell_incident(task, diagnosis, &report->run, &outcome->incidents[i]);
  if (is_of_state)
    remark_add(&task->arena, diagnosis,
               (Remark){.level = LEVEL_WARNING,
                        .kind = "schedule-dependent",
                        .naming = NAMES_FILE,
                        .where = report->run.entry->loc,
                        .sentence = "the final state depends on the schedule",
                        .there = "the final state depends on the schedule",
                        .is_confirmed = true});
  else if (!diagnosis->remarks.count)
    remark_add(&task->arena, diagnosis, (Remark){.level = LEVEL_REMARK});
}

static void tell_found(const Teller *teller) {
  const SchedulesReport *report = teller->report;
  tell_delays(teller);
  if (!has_failed(report))
    tell_differences(teller, report->findings->differences,
                     report->findings->difference_count);
  if (report->written)
    say(teller, arena_printf(&teller->task->arena, "schedule written to %s",
                             report->written));
}

static const char *detail(Task *task, const SchedulesReport *report) {
  const Run *run = report->run.run;
  return arena_printf(
      &task->arena, "%s; kernel '%s', grid %s, block %s, %.2f s",
      schedules_coverage(task, report), report->run.entry->source,
      tell_ids(&task->arena, run->grid), tell_ids(&task->arena, run->block),
      report->findings->seconds);
}

Diagnosis *diagnose_schedules(Task *task, const SchedulesReport *report) {
  Diagnosis *diagnosis = diagnosis_of_run(task, &report->run);
  tell_headings(task, report, diagnosis);
  Teller teller = {task, report,
                   &diagnosis->remarks.at[diagnosis->remarks.count - 1]};
  if (schedules_found(report))
    tell_found(&teller);
  tell_device(&teller);
  tell_statistics(&teller);
  diagnosis->verdict = schedules_verdict(report);
  diagnosis->level = level(report);
  diagnosis->detail = detail(task, report);
  diagnosis->seconds = report->findings->seconds;
  diagnosis->answer = report;
  diagnosis->json = json_schedules;
  return diagnosis;
}
