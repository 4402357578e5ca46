// The fewest deviations under which a schedule still goes wrong the same way.
//
// Halves of them are left out, then quarters and so on; what is not missed
// stays out.  Last they go one by one, again until none can.

#include "runtime/threads/world.h"

#include <stddef.h>
#include <string.h>

enum { MOST_RUNS = 20000, MOST_STEPS = 1 << 26, MOST_SECONDS = 10 };

bool ends_alike(const RunEnd *a, const RunEnd *b) {
  if (a->mishap != b->mishap)
    return false;
  return a->mishap == MISHAP_DEADLOCK || a->mishap == MISHAP_LIVELOCK ||
         (a->mishap == MISHAP_STATUS && a->status == b->status) ||
         (a->site == b->site && a->other_site == b->other_site);
}

static bool is_other_status(void) {
  return !world.end.mishap && world.knows_status &&
         world.end.status != world.expected_status;
}

RunEnd world_verdict(void) {
  if (is_other_status()) {
    world.end.mishap = MISHAP_STATUS;
    snprintf(world.end.text, sizeof world.end.text,
             "exit status %d, and %d in the first schedule", world.end.status,
             world.expected_status);
  }
  bool is_open = !world.end.mishap || world.end.mishap == MISHAP_LIMIT ||
                 world.end.mishap == MISHAP_REFUSED;
  return is_open && world.flaw.mishap ? world.flaw : world.end;
}

static uint64_t runs, steps; // of all of them
static double since;         // when the first of them began

// As far as it matters for the wanted end: a race may come before another one.
static bool still_fails(const ThreadsQuestion *question,
                        const ThreadSchedule *schedule, const RunEnd *wanted) {
  ThreadsQuestion changed = *question;
  const ThreadsQuestion *before = world.question;
  changed.replayed = schedule;
  world.question = &changed;
  world_run(&policy_replay);
  world.question = before;
  RunEnd end = world_verdict();
  runs++;
  steps += world.end.steps;
  return ends_alike(&end, wanted);
}

static bool may_try_more(void) {
  return runs < MOST_RUNS && steps < MOST_STEPS &&
         clock_seconds() < since + MOST_SECONDS;
}

static void leave_out(ThreadSchedule *schedule, uint32_t first,
                      uint32_t count) {
  memmove(&schedule->at[first], &schedule->at[first + count],
          (schedule->count - first - count) * sizeof *schedule->at);
  schedule->count -= count;
}

// As far as it goes, which is the beginning of its room.
static void copy(ThreadSchedule *to, const ThreadSchedule *from) {
  memcpy(to, from,
         offsetof(ThreadSchedule, at) + from->count * sizeof *from->at);
}

static uint32_t preemptions(const ThreadSchedule *schedule) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < schedule->count; i++)
    count += !schedule->at[i].is_forced;
  return count;
}

// By `size` of them at a time, from the last to the first.
static bool shrink(const ThreadsQuestion *question, ThreadsAnswer *answer,
                   uint32_t size) {
  static ThreadSchedule tried;
  bool has_shrunk = false;
  for (uint32_t end = answer->schedule.count; end >= size && may_try_more();
       end -= size) {
    copy(&tried, &answer->schedule);
    leave_out(&tried, end - size, size);
    if (!still_fails(question, &tried, &answer->found))
      continue;
    copy(&answer->schedule, &tried);
    has_shrunk = true;
  }
  return has_shrunk;
}

bool minimise(const ThreadsQuestion *question, ThreadsAnswer *answer) {
  world.record = NULL;
  since = clock_seconds();
  answer->preemptions_before = preemptions(&answer->schedule);
  if (!still_fails(question, &answer->schedule, &answer->found))
    return false;
  for (uint32_t size = answer->schedule.count / 2; size > 1; size /= 2)
    shrink(question, answer, size);
  while (shrink(question, answer, 1))
    continue;
  answer->preemptions = preemptions(&answer->schedule);
  return true;
}

void replay_told(const ThreadsQuestion *question, ThreadsAnswer *answer,
                 const ThreadSchedule *schedule) {
  ThreadsQuestion changed = *question;
  changed.replayed = schedule;
  world.question = &changed;
  world.record = NULL;
  world.deeds = &answer->deeds;
  answer->deeds.count = 0;
  world_run(&policy_replay);
  world.deeds = NULL;
  world.question = question;
  answer->found = world_verdict();
}
