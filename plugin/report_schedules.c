// What many schedules have shown, for a person.
//
// Of a schedule that goes wrong: what went wrong, then each delay with the
// accesses of other threads that it let pass, line by line with values, since
// these are what has to be kept apart.  Of a search: what it covered, in
// numbers, and that this is no proof.

#include "plugin/schedules.h"

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

static const Incident *last_incident(const Outcome *outcome) {
  return outcome->count ? &outcome->incidents[outcome->count - 1] : NULL;
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

int schedules_status(const SchedulesReport *report) {
  if (schedules_found(report))
    return EXIT_BUG_FOUND;
  return is_decided(report) ? EXIT_ALL_VERIFIED : EXIT_NOT_DECIDED;
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
                        report->settings->options.timeout);
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

static void print_thread(FILE *out, const SchedulesReport *report,
                         const Instance *instance) {
  const Run *run = report->run.run;
  const uint32_t *block = run->block, *grid = run->grid;
  fprintf(out, "thread (%u,%u,%u) in block (%u,%u,%u)",
          instance->thread % block[0], instance->thread / block[0] % block[1],
          instance->thread / block[0] / block[1], instance->block % grid[0],
          instance->block / grid[0] % grid[1],
          instance->block / grid[0] / grid[1]);
}

static void print_site(FILE *out, const SchedulesReport *report,
                       uint32_t site) {
  fputs(", ", out);
  report_place(out, report->run.code->sites.at[site].loc, report->run.file);
  fputc('\n', out);
}

static void print_place(FILE *out, const SchedulesReport *report,
                        const Step *step) {
  print_site(out, report, step->site);
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
static void print_access(FILE *out, Task *task, const SchedulesReport *report,
                         const Step *step) {
  const Site *site = &report->run.code->sites.at[step->site];
  const char *before =
      schedules_value(task, report, step->array, step->bytes, step->before);
  fprintf(out, " %s %s", site_verb(site),
          cell_text(task, report, step->array, step->offset));
  if (step->bytes > sizeof step->before)
    fprintf(out, " (%" PRIu64 " bytes)", step->bytes);
  else if (step->before == step->after)
    fprintf(out, "%s%s", is_word(report, step), before);
  else
    fprintf(
        out, ", %s becomes %s", before,
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

// What came between a delay and the access that was delayed.
static void print_passed(FILE *out, Task *task, const SchedulesReport *report,
                         const Step *delay) {
  const Steps *steps = &report->findings->steps;
  const Step *end = steps->at + steps->count;
  unsigned shown = 0;
  for (const Step *step = delay + 1; step < end; step++) {
    if (step->kind == STEP_ACCESS &&
        same_instance(&step->instance, &delay->instance)) {
      fputs(shown
                ? "    then it"
                : "    no access in conflict with it comes in between; then it",
            out);
      print_access(out, task, report, step);
      fputc('\n', out);
      return;
    }
    if (step->kind != STEP_ACCESS || !conflict(report, step, delay) ||
        ++shown > MOST_PASSED)
      continue;
    fputs("    ", out);
    print_thread(out, report, &step->instance);
    print_access(out, task, report, step);
    print_place(out, report, step);
  }
  fputs("    it never goes on\n", out);
}

static void print_delays(FILE *out, Task *task, const SchedulesReport *report) {
  const Steps *steps = &report->findings->steps;
  unsigned number = 0;
  for (uint32_t i = 0; i < steps->count; i++) {
    const Step *step = &steps->at[i];
    if (step->kind != STEP_DELAY)
      continue;
    fprintf(out, "  delay %u: ", ++number);
    print_thread(out, report, &step->instance);
    fputs(" waits before it", out);
    print_access(out, task, report, step);
    print_place(out, report, step);
    print_passed(out, task, report, step);
  }
  if (!number)
    fputs("  this is the canonical schedule, without any delay\n", out);
}

static void print_differences(FILE *out, Task *task,
                              const SchedulesReport *report,
                              const Difference *differences, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    const Difference *difference = &differences[i];
    fprintf(out, "  %s is %s at the end, %s after the canonical schedule\n",
            cell_text(task, report, difference->array, difference->offset),
            schedules_value(task, report, difference->array, difference->bytes,
                            difference->found),
            schedules_value(task, report, difference->array, difference->bytes,
                            difference->canonical));
  }
}

// ----------------------------------------------------------------- device ---

static void print_device_end(FILE *out, const SchedulesReport *report,
                             const EnforcedRun *run) {
  const uint32_t *block = report->run.run->block;
  uint32_t threads = block[0] * block[1] * block[2];
  Instance instance = {.block = run->thread / threads,
                       .thread = run->thread % threads};
  fputs(", by ", out);
  print_thread(out, report, &instance);
  print_site(out, report, run->site);
}

static void print_device(FILE *out, Task *task, const SchedulesReport *report) {
  const SchedulesDevice *device = report->device;
  if (!device || device->reason)
    return;
  if (!device->is_tried) {
    fprintf(out, "  there is no schedule to enforce on %s\n",
            device->found.name);
    return;
  }
  const EnforcedRun *run = &device->enforced->runs[PLAN_FOUND];
  fprintf(out, "  enforced on %s, %u accesses: %s", device->found.name,
          run->made, schedules_device_verdict(device));
  if (run->end != GATES_NONE)
    print_device_end(out, report, run);
  else
    fputc('\n', out);
  print_differences(out, task, report, device->enforced->differences,
                    device->enforced->difference_count);
}

// ------------------------------------------------------------------- text ---

// Races, and what ended the schedule.
static void print_incidents(FILE *out, Task *task,
                            const SchedulesReport *report) {
  const Outcome *outcome = &report->findings->incident;
  for (unsigned i = 0; i < outcome->count; i++)
    report_incident(out, task, &report->run, &outcome->incidents[i]);
}

static void print_found(FILE *out, Task *task, const SchedulesReport *report) {
  bool has_failed = report->findings->search.trial.kind == TRIAL_FAILED;
  if (has_failed)
    print_incidents(out, task, report);
  else
    fprintf(out, "%s: the final state depends on the schedule\n",
            report->run.file);
  print_delays(out, task, report);
  if (!has_failed)
    print_differences(out, task, report, report->findings->differences,
                      report->findings->difference_count);
  if (report->written)
    fprintf(out, "  schedule written to %s\n", report->written);
}

static void print_undecided(FILE *out, Task *task,
                            const SchedulesReport *report) {
  const Incident *incident = last_incident(&report->findings->incident);
  if (incident && !schedules_found(report))
    report_incident(out, task, &report->run, incident);
}

static void print_statistics(FILE *out, const SchedulesReport *report) {
  const SearchResult *search = &report->findings->search;
  uint64_t count = schedule_count(search), orders = count - search->repeated;
  double seconds = report->findings->seconds;
  if (!count)
    return;
  fprintf(out,
          "  %" PRIu64 " schedule%s (%" PRIu64 " conflict order%s), %" PRIu64
          " duplicates not run, %" PRIu64
          " with a delay that did not come, "
          "%.0f schedules a second\n",
          count, plural(count), orders, plural(orders), search->skipped,
          search->unreached,
          seconds > 0 ? (double)(count + search->minimising) / seconds : 0.0);
}

void report_schedules_text(FILE *out, Task *task,
                           const SchedulesReport *report) {
  const Run *run = report->run.run;
  if (schedules_found(report))
    print_found(out, task, report);
  else
    print_undecided(out, task, report);
  print_device(out, task, report);
  print_statistics(out, report);
  fprintf(out,
          "verdict: %s (%s; kernel '%s', grid (%u,%u,%u), block (%u,%u,%u), "
          "%.2f s)\n",
          schedules_verdict(report), schedules_coverage(task, report),
          report->run.entry->source, run->grid[0], run->grid[1], run->grid[2],
          run->block[0], run->block[1], run->block[2],
          report->findings->seconds);
}
