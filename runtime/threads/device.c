// Schedules that a device executes by their numbers.
//
// It does what workers do here, many at once, and tells how each ended.  Who
// believes that: the first of them are executed by the processor, too, and have
// to come to the same, step by step; and of what goes wrong the processor
// repeats the one with the lowest number, from which the report is made.  What
// a device has no room for it leaves to the processor.

#include "runtime/threads/search.h"

#include <inttypes.h>
#include <stdlib.h>

enum { FIRST_COUNT = 4096, ALIGNMENT = 64 };

static const double LONG_RUN = 0.25; // seconds: no more at once

static DeviceProfile profile_of(const ThreadsSearch *search) {
  const ThreadsAnswer *answer = search->answer;
  char **arguments = posix_arguments();
  return (DeviceProfile){
      .question = search->question,
      .limit = world.limit,
      .steps = world.expected_steps,
      .heap_bytes = answer->heap_bytes,
      .threads = answer->threads,
      .globals = world.pristine,
      .constants = (const void *)(uintptr_t)CONSTANTS_AT,
      .locals = world.tls_image,
      .globals_bytes = world.globals_bytes,
      .own_bytes = search->question->image->globals_end,
      .constants_bytes = world.constants_bytes,
      .locals_bytes = world.tls_bytes,
      .arguments = (uint64_t)(uintptr_t)arguments,
      .environment =
          (uint64_t)(uintptr_t)(arguments + search->question->argc + 1)};
}

// -------------------------------------------------------------------- ends ---

static void describe(const RunEnd *end, char *text, size_t room) {
  snprintf(text, room, "'%s' (%s, thread %u, %" PRIu64 " steps)",
           end->mishap == MISHAP_LIMIT ? "too many steps"
                                       : mishap_name(end->mishap),
           world_site_text(end->site), end->thread, end->steps);
}

static bool disagree(const ThreadsSearch *search, const RunEnd *there,
                     const RunEnd *here, uint64_t number) {
  char one[MISHAP_TEXT / 3], other[MISHAP_TEXT / 3], text[MISHAP_TEXT];
  describe(there, one, sizeof one);
  describe(here, other, sizeof other);
  snprintf(text, sizeof text,
           "schedule %" PRIu64 ": the device says %s, and the processor %s",
           number + 1, one, other);
  return search_refuse(search->answer, text);
}

// Addresses of stacks, which a device lays out in another way, count as one.
static uint64_t hash_word(uint64_t hash, uint64_t word) {
  return (hash ^ (is_of_stack(word) ? STACKS_AT : word)) *
         UINT64_C(0x9e3779b97f4a7c15);
}

// What the last run has left in the program's variables and its heap.
static uint64_t memory_hash(const ThreadsSearch *search) {
  const uint64_t *globals =
      (const uint64_t *)(uintptr_t)(GLOBALS_AT + POSIX_VARIABLES_BYTES);
  const uint64_t *heap = (const uint64_t *)(uintptr_t)HEAP_AT;
  uint64_t hash = 0;
  uint64_t own = search->question->image->globals_end - POSIX_VARIABLES_BYTES;
  for (uint64_t i = 0; i < own / sizeof hash; i++)
    hash = hash_word(hash, globals[i]);
  for (uint64_t i = 0; i < world.heap_used / sizeof hash; i++)
    if (world.granules[i * sizeof hash / GRANULE] == GRANULE)
      hash = hash_word(hash, heap[i]);
  return hash;
}

// In all that both know of it.
static bool is_same(const RunEnd *there, const RunEnd *here) {
  bool is_silent = there->mishap == MISHAP_NONE;
  return there->mishap == here->mishap && there->steps == here->steps &&
         there->trace == here->trace && there->threads == here->threads &&
         (is_silent
              ? there->status == here->status
              : there->site == here->site && there->thread == here->thread);
}

static bool repeats_here(ThreadsSearch *search, const RunEnd *there,
                         uint64_t memory, uint64_t number) {
  search_run(search, number, search_policy(search, number));
  if (!is_same(there, &world.end))
    return disagree(search, there, &world.end, number);
  if (world.end.mishap == MISHAP_NONE)
    search_note_output(search);
  if (memory == memory_hash(search))
    return true;
  char text[MISHAP_TEXT];
  snprintf(text, sizeof text,
           "schedule %" PRIu64
           ": at its end the device has other values in "
           "memory than the processor",
           number + 1);
  return search_refuse(search->answer, text);
}

// As the processor's own would be told; text is the processor's business.
static bool look_at(ThreadsSearch *search, const RunEnd *there,
                    uint64_t number) {
  ThreadsAnswer *answer = search->answer;
  answer->run[0]++;
  answer->device_schedules++;
  answer->traces[there->trace * UINT64_C(0x9e3779b97f4a7c15) >> 42] = 1;
  answer->cut += there->mishap == MISHAP_LIMIT;
  world.end = *there;
  world.flaw.mishap = MISHAP_NONE;
  RunEnd end = world_verdict();
  if (!mishap_is_bug(end.mishap))
    return true;
  answer->device_found = end;
  search_note_failure(answer, number);
  return false;
}

// Whether it does the processor says, until it has said so often that it does
// not.
static bool may_leak(ThreadsAnswer *answer, const DeviceEnd *end) {
  enum { MOST_LOOKS = 1024 };
  return end->may_leak && answer->flaw_at == UINT64_MAX &&
         answer->device_leaks++ < MOST_LOOKS;
}

static bool run_here(ThreadsSearch *search, uint64_t number) {
  search_run(search, number, search_policy(search, number));
  return search_look_at_end(search, 0, number);
}

static bool take_end(ThreadsSearch *search, const DeviceEnd *end,
                     uint64_t number) {
  RunEnd there = {.mishap = end->mishap,
                  .site = end->site,
                  .thread = end->thread,
                  .threads = end->threads,
                  .status = end->status,
                  .steps = end->steps,
                  .trace = end->trace};
  if (end->is_beyond) {
    search->answer->device_left++;
    return run_here(search, number);
  }
  bool is_checked =
      number - search->question->lots < search->question->device->checked;
  if (is_checked && !repeats_here(search, &there, end->memory, number))
    return false;
  if (may_leak(search->answer, end))
    return run_here(search, number);
  search->answer->yielded += end->has_yielded;
  return look_at(search, &there, number);
}

// False: there is no use in going on.
static bool take_ends(ThreadsSearch *search, const DeviceEnd *ends,
                      uint64_t first, uint64_t count) {
  uint64_t lots = search->question->lots;
  for (uint64_t i = first < lots ? lots - first : 0; i < count; i++)
    if (!take_end(search, &ends[i], first + i))
      return false;
  return true;
}

// ------------------------------------------------------------------- search
// ---

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t how_many(const ThreadsQuestion *question, uint64_t first,
                         uint64_t wanted) {
  uint64_t count = smaller(wanted, question->device->most);
  return question->schedules ? smaller(count, question->schedules - first)
                             : count;
}

static void run_all(ThreadsSearch *search, DeviceEnd *ends) {
  const ThreadsQuestion *question = search->question;
  ThreadsDevice *device = question->device;
  uint64_t first = question->lots / ALIGNMENT * ALIGNMENT, wanted = FIRST_COUNT,
           count;
  for (; !search_is_over(search, first); first += count) {
    count = how_many(question, first, wanted);
    double since = clock_seconds();
    if (!device->run(device, first, question->lots, count, ends)) {
      search_refuse(search->answer, device->reason);
      return;
    }
    since = clock_seconds() - since;
    search->answer->device_seconds += since;
    if (since < LONG_RUN && wanted < device->most)
      wanted *= 2;
    if (!take_ends(search, ends, first, count))
      return;
  }
}

void search_on_device(ThreadsSearch *search) {
  ThreadsDevice *device = search->question->device;
  search_use_profile(search);
  search->end_count = 0;
  search->ends_are_cut = false;
  DeviceProfile profile = profile_of(search);
  if (!device->begin(device, &profile)) {
    search_refuse(search->answer, device->reason);
    return;
  }
  DeviceEnd *ends = calloc(device->most, sizeof *ends);
  if (ends)
    run_all(search, ends);
  else
    search_refuse(search->answer, "out of memory");
  search_merge_ends(search);
  free(ends);
}

bool search_agrees(ThreadsSearch *search) {
  const ThreadsAnswer *answer = search->answer;
  const RunEnd *there = &answer->device_found;
  return !there->mishap || ends_alike(there, &answer->found) ||
         disagree(search, there, &answer->found, answer->found_at);
}
