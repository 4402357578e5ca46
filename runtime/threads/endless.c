// Whether a program that has made too many steps will ever change anything.
//
// From the limit on each thread that can go on does so alone.  What it does is
// determined by memory, its stack and its registers; if memory does not change,
// and stack and registers are at some step as they were at an earlier one, it
// goes on like this for ever.  If that is so of each thread, nothing changes
// whoever goes on: the program is endless.  In all other cases, such as that a
// thread counts, waits or asks for the time, it is only too long.
//
// Brent's algorithm: the state is compared with one that is kept, which is
// replaced after 1, 2, 4.. steps.

#include "runtime/threads/world.h"

#include <setjmp.h>
#include <string.h>

enum { MOST_LOOKS = 1 << 14 }; // of one thread

static struct {
  uint64_t changed; // of memory, when it began
  uint64_t kept, age, period;
  uint32_t first, looks;
} search;

_Noreturn void endless_not(void) {
  world_fail(MISHAP_LIMIT, "more than %llu steps",
             (unsigned long long)world.limit);
}

static uint64_t mix(uint64_t hash, const uint64_t *from, const uint64_t *end) {
  for (; from < end; from++)
    hash = (hash ^ *from) * UINT64_C(0x9e3779b97f4a7c15) >> 7 ^ hash << 57;
  return hash;
}

// From this frame on, which lies below those of who called.
static __attribute__((noinline, no_sanitize("address"))) uint64_t
hash_stack(uint64_t hash) {
  const uint64_t *frame = (const uint64_t *)__builtin_frame_address(0);
  return mix(hash, frame + 2,
             (const uint64_t *)(const void *)world_stack_end(world.self));
}

static __attribute__((noinline)) uint64_t state(void) {
  static union {
    jmp_buf all;
    uint64_t words[sizeof(jmp_buf) / 8];
  } registers;
  memset(&registers, 0, sizeof registers);
  if (setjmp(registers.all))
    return 0;
  return hash_stack(mix(world.hidden, registers.words,
                        registers.words + sizeof(jmp_buf) / 8));
}

static void begin_thread(void) {
  search.looks = 0;
  search.age = search.period = 1;
}

static bool recurs(void) {
  uint64_t now = state();
  if (search.looks && now == search.kept)
    return true;
  if (++search.looks == MOST_LOOKS)
    endless_not();
  if (--search.age)
    return false;
  search.kept = now;
  search.age = search.period *= 2;
  return false;
}

static void begin(void) {
  world.is_judged = true;
  search.changed = world.changed;
  search.first = world.self->index;
  begin_thread();
}

static void go_on_with(PosixThread *next) {
  if (next->index == search.first)
    world_fail(MISHAP_LIVELOCK,
               "threads go on and nothing changes any more, for %llu steps",
               (unsigned long long)(world.steps - world.changed));
  begin_thread();
  world_go_on(next);
}

void endless_look(void) {
  if (!world.is_judged)
    begin();
  if (world.changed != search.changed)
    endless_not();
  world.event = world.steps + 1;
  if (recurs())
    go_on_with(ready_after(world.self));
}
