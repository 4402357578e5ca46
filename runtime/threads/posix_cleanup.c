// What a thread runs when pthread_exit ends it, and cancellation as far as
// nobody is cancelled.
//
// pthread_cleanup_push of glibc's header saves registers in a block on the
// stack and registers the block; when the saving returns once more, it calls
// the handler and asks for the next block.  So we keep a list of blocks and
// jump to the last one.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <pthread.h>

// Begins as __pthread_unwind_buf_t.
typedef struct CleanupBlock {
  struct {
    __jmp_buf registers;
    int mask_was_saved;
  } at;
  struct CleanupBlock *previous;
} CleanupBlock;

_Static_assert(sizeof(CleanupBlock) <= sizeof(__pthread_unwind_buf_t),
               "there is room for it");

static _Noreturn void run_last(void) {
  CleanupBlock *block = world.self->cleanup;
  if (!block)
    posix_thread_end(world.self->result);
  world.self->cleanup = block->previous;
  posix_jump(block, 1);
}

_Noreturn void posix_thread_exit(void *result) {
  world.self->result = result;
  run_last();
}

static void register_block(void *at) {
  CleanupBlock *block = at;
  block->previous = world.self->cleanup;
  world.self->cleanup = block;
}

static void unregister_block(void *at) {
  const CleanupBlock *block = at;
  world.self->cleanup = block->previous;
}

static _Noreturn void run_next(void *at) {
  (void)at;
  run_last();
}

static int set(int *now, int value, int most, int *before) {
  if (value < 0 || value > most)
    return EINVAL;
  if (before) {
    world_touch(before, sizeof *before, true);
    *before = *now;
  }
  world.hidden++;
  *now = value;
  return 0;
}

static int posix_pthread_setcancelstate(int state, int *before) {
  return set(&world.self->cancel_state, state, PTHREAD_CANCEL_DISABLE, before);
}

static int posix_pthread_setcanceltype(int type, int *before) {
  return set(&world.self->cancel_type, type, PTHREAD_CANCEL_ASYNCHRONOUS,
             before);
}

static void posix_pthread_testcancel(void) {}

#define HIDDEN(name, function)                                                 \
  {#name, (void *)(uintptr_t)function, CAPTURES | APART}

const PosixCall cleanup_calls[] = {
    HIDDEN(__pthread_register_cancel, register_block),
    HIDDEN(__pthread_unregister_cancel, unregister_block),
    HIDDEN(__pthread_unwind_next, run_next),
    POSIX_CALL(pthread_setcancelstate),
    POSIX_CALL(pthread_setcanceltype),
    POSIX_APART(pthread_testcancel),
    {NULL, NULL, 0}};
