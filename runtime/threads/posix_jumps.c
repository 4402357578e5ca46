// setjmp and longjmp, within a thread.
//
// setjmp is glibc's, which saves registers; the code of the program then tells
// us, at its first return (ir_jumps.c), and we write behind them which call of
// a function that was.  A jump goes where that call has not returned yet, and
// is a mistake elsewhere.  Of a thread's calls of functions with setjmp there
// is a list, the innermost one first.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>
#include <string.h>

// As much of a jmp_buf as __pthread_unwind_buf_t has, too.
typedef struct JumpBuffer {
  __jmp_buf registers;
  uint32_t frame; // number of the call, and whether the mask was saved
  uint64_t mask;
  void *cleanup; // the last block of handlers
} JumpBuffer;

_Static_assert(sizeof(JumpBuffer) == JUMP_BYTES &&
                   sizeof(JumpBuffer) <= sizeof(__pthread_unwind_buf_t),
               "there is room for it");

static uint32_t frames; // in this schedule

void jumps_reset(void) { frames = 0; }

void threads_enter(JumpFrame *frame) {
  if (frames == UINT32_MAX >> 1)
    world_fail(MISHAP_REFUSED, "setjmp by 2,147,483,647 calls is not executed");
  *frame = (JumpFrame){world.self->frame, ++frames};
  world.self->frame = frame;
}

void threads_leave(const JumpFrame *frame) { world.self->frame = frame->outer; }

// The bytes were told before the registers were saved.
void threads_saved(void *at, int result, int saves_mask) {
  JumpBuffer *buffer = at;
  if (result)
    return;
  buffer->frame = (uint32_t)world.self->frame->number << 1 | (saves_mask != 0);
  buffer->mask = world.self->mask;
  buffer->cleanup = world.self->cleanup;
}

static JumpFrame *find(const PosixThread *thread, uint32_t number) {
  JumpFrame *frame = thread->frame;
  while (frame && frame->number != number)
    frame = frame->outer;
  return frame;
}

static _Noreturn void tell_lost(uint32_t number) {
  for (uint32_t i = 0; i < world.count; i++)
    if (!world.threads[i].is_ended && find(&world.threads[i], number))
      world_fail(MISHAP_MISUSE, "jumps to where thread %u has called setjmp",
                 i);
  if (!number || number > frames)
    world_fail(MISHAP_MISUSE, "jumps to where nobody has called setjmp");
  world_fail(MISHAP_MISUSE, "jumps to a function that has returned");
}

// Of pthread_once, which the jump leaves for good; stacks grow downwards.
static void forget_calls(const JumpFrame *frame) {
  while (world.self->once && (uintptr_t)world.self->once < (uintptr_t)frame)
    world.self->once = world.self->once->outer;
}

_Noreturn void posix_jump(void *at, int value) {
  const JumpBuffer *buffer = at;
  JumpFrame *frame = find(world.self, buffer->frame >> 1);
  if (!frame)
    tell_lost(buffer->frame >> 1);
  world.self->frame = frame;
  forget_calls(frame);
  scopes_forget();
  struct __jmp_buf_tag copy;
  memset(&copy, 0, sizeof copy);
  memcpy(copy.__jmpbuf, buffer->registers, sizeof copy.__jmpbuf);
  longjmp(&copy, value);
}

static _Noreturn void posix_longjmp(void *at, int value) {
  const JumpBuffer *buffer = at;
  world_touch(at, sizeof *buffer, false);
  if (find(world.self, buffer->frame >> 1) &&
      buffer->cleanup != world.self->cleanup)
    world_fail(MISHAP_MISUSE,
               "jumps over pthread_cleanup_push or pthread_cleanup_pop");
  if (buffer->frame & 1) {
    world.hidden++;
    world.self->mask = buffer->mask;
  }
  posix_jump(at, value);
}

#define SAVING(name) {#name, (void *)(uintptr_t)name, CAPTURES | APART}

const PosixCall jump_calls[] = {
    SAVING(_setjmp),
    SAVING(__sigsetjmp),
    {"longjmp", (void *)(uintptr_t)posix_longjmp, CAPTURES},
    {"_longjmp", (void *)(uintptr_t)posix_longjmp, CAPTURES},
    {"siglongjmp", (void *)(uintptr_t)posix_longjmp, CAPTURES},
    {NULL, NULL, 0}};
