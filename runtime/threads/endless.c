// Whether a program that has made too many steps will ever change anything.
//
// From the limit on each thread that can go on does so alone.  What it does is
// determined by memory, its stack and its registers; if memory does not change,
// and stack and registers are at some step as they were at an earlier one, it
// goes on like this for ever.  If that is so of each thread, nothing changes
// whoever goes on: the program is endless.  In all other cases, such as that a
// thread counts, waits or asks for the time, it is only too long.
//
// Brent's algorithm: the state is compared with one that is kept, byte by byte,
// which is replaced after 1, 2, 4.. steps.

#include "runtime/threads/world.h"

#include <setjmp.h>
#include <stddef.h>
#include <string.h>

enum { MOST_LOOKS = 1 << 14 }; // of one thread

typedef struct State {
  jmp_buf registers;
  uint64_t hidden, words;
  uint64_t stack[STACK_BYTES / 8]; // of the larger kind
} State;

static struct {
  uint64_t changed; // of memory, when it began
  uint64_t age, period;
  uint32_t first, looks;
  State now, kept;
} search;

_Noreturn void endless_not(void) {
  world_fail(MISHAP_LIMIT, "more than %llu steps",
             (unsigned long long)world.limit);
}

// From this frame on, which lies below those of who called.  Volatile: memcpy
// would be AddressSanitizer's, which looks at frames in its own way.
static __attribute__((noinline, no_sanitize("address"))) void copy_stack(void) {
  const volatile uint64_t *from = __builtin_frame_address(0);
  uint64_t *to = search.now.stack;
  from += 2;
  while ((const volatile void *)from <
         (const void *)world_stack_end(world.self))
    *to++ = *from++;
  search.now.words = (uint64_t)(to - search.now.stack);
}

// In a frame of its own, and without arguments: all that is in it, and in
// registers, belongs to the state.
static __attribute__((noinline)) void look_at_state(void) {
  memset(&search.now.registers, 0, sizeof search.now.registers);
  search.now.hidden = world.hidden;
  if (!setjmp(search.now.registers))
    copy_stack();
}

static bool is_as_kept(void) {
  const State *now = &search.now, *kept = &search.kept;
  return now->words == kept->words && now->hidden == kept->hidden &&
         !memcmp(now->registers, kept->registers, sizeof now->registers) &&
         !memcmp(now->stack, kept->stack, now->words * sizeof *now->stack);
}

static void keep(void) {
  size_t bytes = search.now.words * sizeof *search.now.stack;
  memcpy(&search.kept, &search.now, offsetof(State, stack) + bytes);
}

static void begin_thread(void) {
  search.looks = 0;
  search.age = search.period = 1;
}

static bool recurs(void) {
  look_at_state();
  if (search.looks && is_as_kept())
    return true;
  if (++search.looks == MOST_LOOKS)
    endless_not();
  if (--search.age)
    return false;
  keep();
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
