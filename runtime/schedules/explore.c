// Exploring the schedules of a kernel, in a process of its own.
//
// The kernel becomes host code once; then all of its schedules are executed in
// this process, or in copies of it.  What is found is made as short as it can
// be, and executed once more, as the canonical schedule is, with all accesses
// told: the difference between the two is the explanation.

#define _GNU_SOURCE

#include "runtime/schedules/cpu.h"

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

static void tell_lay(Findings *findings) {
  const Memory *memory = machine.memory;
  for (unsigned i = 0; i < memory->count; i++) {
    const Region *region = &memory->regions[i];
    if (region->at && findings->lay_count < MOST_LAYS)
      findings->lay[findings->lay_count++] =
          (Lay){region->array, (uintptr_t)region->at, region->bytes};
  }
}

static bool open_machine(Work *work, Image *image) {
  if (!own_buffers(&work->run) ||
      !machine_open(&work->run, image, work->outcome))
    refuse(work, "not enough memory");
  else if (machine.together != machine.total)
    refuse(work,
           "there are more than the 4096 threads that can be executed "
           "together");
  else if (!choose_observed(work) || !watch_open(work->observed) ||
           !schedule_open(work->exploration->seed))
    refuse(work, "not enough memory");
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

void differences_add(Difference *differences, unsigned *count, int array,
                     const char *canonical, const char *found, uint64_t bytes,
                     unsigned element) {
  if (!element || element > sizeof differences->found)
    element = 1;
  for (uint64_t at = 0; at < bytes; at += element) {
    uint64_t size = bytes - at < element ? bytes - at : element;
    if (!memcmp(canonical + at, found + at, size))
      continue;
    if (*count == MOST_DIFFERENCES)
      return;
    Difference *difference = &differences[(*count)++];
    *difference = (Difference){array, (int64_t)at, size, 0, 0};
    memcpy(&difference->canonical, canonical + at, size);
    memcpy(&difference->found, found + at, size);
  }
}

unsigned exploration_element(const Exploration *exploration, int array) {
  return (size_t)array < exploration->elements.count
             ? exploration->elements.at[array]
             : 1;
}

static void compare_observed(const Work *work) {
  Findings *findings = work->findings;
  for (int i = 0; work->copies && i < (int)machine.memory->count; i++) {
    const Region *region = region_of(i);
    if (work->copies[i])
      differences_add(findings->differences, &findings->difference_count, i,
                      work->copies[i], region->at, region->bytes,
                      exploration_element(work->exploration, i));
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

// Where the first schedule was that did not come to its end.
static void explain_endless(Work *work) {
  Trial trial;
  schedule_execute(&work->findings->search.first_endless, &trial);
  work->findings->incident = *machine.outcome;
  watch_undo();
}

// ----------------------------------------------------------------- search ---

// The one schedule, as if a search had found it.
static void replay(Work *work) {
  const Exploration *exploration = work->exploration;
  SearchResult *result = &work->findings->search;
  Executor executor = schedule_executor();
  executor_try(&executor, &(DelayList){0}, &result->canonical);
  executor_try(&executor, exploration->replayed, &result->trial);
  result->found = *exploration->replayed;
  result->end = SEARCH_FOUND;
}

static void search(Work *work) {
  const Exploration *exploration = work->exploration;
  Findings *findings = work->findings;
  SearchLimits limits = exploration->limits;
  watcher.deadline = limits.deadline;
  WorkerPool *crew =
      exploration->jobs > 1 ? crew_open(exploration->jobs) : NULL;
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
  work->outcome = calloc(1, sizeof *work->outcome); // of each worker its own
  if (!work->outcome || !open_machine(work, &image))
    return;
  findings->is_executed = true;
  tell_lay(findings);
  double start = clock_seconds();
  machine.watches_races = work->exploration->checks_races;
  if (work->exploration->replayed)
    replay(work);
  else
    search(work);
  findings->seconds = clock_seconds() - start;
  if (findings->search.end == SEARCH_FOUND)
    explain(work);
  else if (findings->search.endless)
    explain_endless(work);
  findings->is_done = true;
}

void explore(const Exploration *exploration, Findings *findings) {
  Work work = {exploration, findings, .run = exploration->run};
  double seconds = exploration->run.max_seconds;
  work.run.watch = WATCH_SCHEDULES;
  work.run.hooks = &schedule_hooks;
  watcher.limits_steps_itself = !work.run.max_steps;
  if (!work.run.max_steps)
    work.run.max_steps = OWN_STEPS;
  if (!child_run(work_in_child, &work, seconds) && !findings->reason[0])
    refuse(&work, "the process that executed it has died");
}
