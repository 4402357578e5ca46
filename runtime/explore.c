// Exploring the schedules of a kernel, in a process of its own.
//
// The kernel becomes host code once; then all of its schedules are executed in
// this process, or in copies of it.  What is found is made as short as it can
// be, and executed once more, as the canonical schedule is, with all accesses
// told: the difference between the two is the explanation.

#define _GNU_SOURCE

#include "runtime/schedule_cpu.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { OWN_STEPS = 1000000 };

typedef struct Work {
  const Exploration *exploration;
  Findings *findings;
  Run run;
  Outcome *outcome; // of the schedule at hand
  bool *observed;   // by array
  char **copies;    // of what the canonical schedule left, by array
} Work;

Findings *findings_new(void) {
  void *at = mmap(NULL, sizeof(Findings), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

void findings_free(Findings *findings) { munmap(findings, sizeof *findings); }

static void refuse(const Work *work, const char *reason) {
  snprintf(work->findings->reason, sizeof work->findings->reason, "%s", reason);
}

// ------------------------------------------------------------------- open ---

static bool own_buffers(const Run *run) {
  for (size_t i = 0; i < run->buffers.count; i++)
    if (!memory_make_private(run->buffers.at[i].at, run->buffers.at[i].bytes))
      return false;
  return true;
}

static bool choose_observed(Work *work) {
  const Exploration *exploration = work->exploration;
  const Memory *memory = machine.memory;
  work->observed = calloc(memory->count, sizeof *work->observed);
  for (size_t i = 0; work->observed && i < exploration->observed.count; i++)
    work->observed[exploration->observed.at[i]] = true;
  for (unsigned i = 0; work->observed && i < memory->count; i++)
    if (!exploration->observed.count)
      work->observed[i] =
          memory->regions[i].space == SPACE_GLOBAL && memory->regions[i].at;
  return work->observed;
}

static bool open_machine(Work *work, Image *image) {
  if (!own_buffers(&work->run) ||
      !machine_open(&work->run, image, work->outcome) ||
      !choose_observed(work) || !watch_open(work->observed))
    refuse(work, "not enough memory");
  else if (!schedule_open(work->exploration->seed))
    refuse(work, "there are more threads than can be executed together");
  else
    return true;
  return false;
}

// ---------------------------------------------------------------- explain ---

static Region *region_of(int array) {
  for (unsigned i = 0; i < machine.memory->count; i++)
    if (machine.memory->regions[i].array == array)
      return &machine.memory->regions[i];
  return NULL;
}

static void copy_observed(Work *work) {
  work->copies = calloc(machine.memory->count, sizeof *work->copies);
  for (unsigned i = 0; work->copies && i < machine.memory->count; i++) {
    const Region *region = region_of((int)i);
    if (work->observed[i] && (work->copies[i] = malloc(region->bytes)))
      memcpy(work->copies[i], region->at, region->bytes);
  }
}

static void compare_array(const Work *work, int array, unsigned element) {
  Findings *findings = work->findings;
  const Region *region = region_of(array);
  const char *copy = work->copies[array];
  for (uint64_t at = 0; at < region->bytes; at += element) {
    uint64_t bytes =
        region->bytes - at < element ? region->bytes - at : element;
    if (!memcmp(copy + at, region->at + at, bytes))
      continue;
    if (findings->difference_count == MOST_DIFFERENCES)
      return;
    Difference *difference =
        &findings->differences[findings->difference_count++];
    *difference = (Difference){array, (int64_t)at, bytes, 0, 0};
    memcpy(&difference->canonical, copy + at, bytes);
    memcpy(&difference->found, region->at + at, bytes);
  }
}

static void compare_observed(const Work *work) {
  for (unsigned i = 0; work->copies && i < machine.memory->count; i++) {
    unsigned element = i < work->exploration->elements.count
                           ? work->exploration->elements.at[i]
                           : 1;
    if (work->copies[i])
      compare_array(work, (int)i, element && element <= 8 ? element : 1);
  }
}

static void tell_schedule(Steps *steps, const DelayList *delays, Trial *trial) {
  watcher.steps = steps;
  schedule_execute(delays, trial);
  watcher.steps = NULL;
}

static void explain(Work *work) {
  Findings *findings = work->findings;
  Trial trial;
  tell_schedule(&findings->canonical, &(DelayList){0}, &trial);
  copy_observed(work);
  watch_undo();
  tell_schedule(&findings->steps, &findings->search.found, &trial);
  findings->incident = *machine.outcome;
  if (trial.kind == TRIAL_FINISHED)
    compare_observed(work);
  watch_undo();
}

// ----------------------------------------------------------------- search ---

static void find_races(Work *work) {
  Trial trial;
  machine.watches_races = true;
  schedule_execute(&(DelayList){0}, &trial);
  machine.watches_races = false;
  watch_undo();
  work->findings->races = *work->outcome;
}

// The one schedule, as if a search had found it.
static void replay(Work *work) {
  const Exploration *exploration = work->exploration;
  SearchResult *result = &work->findings->search;
  Executor executor = schedule_executor();
  executor.execute(NULL, &(DelayList){0}, 1, &result->canonical);
  executor.execute(NULL, exploration->replayed, 1, &result->trial);
  result->found = *exploration->replayed;
  result->end = SEARCH_FOUND;
}

static void search(Work *work) {
  const Exploration *exploration = work->exploration;
  Findings *findings = work->findings;
  SearchLimits limits = exploration->limits;
  watcher.deadline = limits.deadline;
  Crew *crew = exploration->jobs > 1 ? crew_open(exploration->jobs) : NULL;
  Executor alone = schedule_executor();
  Executor executor = crew ? crew_executor(crew) : alone;
  limits.is_asked = &findings->is_asked;
  schedule_search(&limits, &executor, &findings->search);
  watcher.deadline = 0;
  if (findings->search.end == SEARCH_FOUND)
    schedule_minimise(&limits, &alone, &findings->search);
  if (crew)
    crew_close(crew);
}

static void work_in_child(void *data) {
  Work *work = data;
  Findings *findings = work->findings;
  Task task = {0};
  Image image = {0};
  const char *reason = NULL;
  machine.outcome = NULL;
  if (!image_make(&task, &work->run, &image, &reason)) {
    refuse(work, reason);
    return;
  }
  work->outcome = outcome_new();
  if (!work->outcome || !open_machine(work, &image))
    return;
  findings->is_executed = true;
  double start = clock_seconds();
  if (work->exploration->checks_races)
    find_races(work);
  if (work->exploration->replayed)
    replay(work);
  else
    search(work);
  findings->seconds = clock_seconds() - start;
  if (findings->search.end == SEARCH_FOUND)
    explain(work);
  findings->is_done = true;
}

void explore(const Exploration *exploration, Findings *findings) {
  Work work = {exploration, findings, .run = exploration->run};
  double seconds = exploration->run.max_seconds;
  work.run.watch = WATCH_SCHEDULES;
  watcher.limits_steps_itself = !work.run.max_steps;
  if (!work.run.max_steps)
    work.run.max_steps = OWN_STEPS;
  if (!child_run(work_in_child, &work, seconds) && !findings->reason[0])
    refuse(&work, "the process that executed it has died");
}
