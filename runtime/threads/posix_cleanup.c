// What a thread runs when pthread_exit ends it, or somebody cancels it.
//
// A thread that was cancelled ends at the next function that is a cancellation
// point, or in one where it waits; which functions are, POSIX says, and of
// those that may be one none is.  One that may be cancelled anywhere is not
// executed.
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
  while (world.self->once && world.self->once->cleanup == block)
    once_forget();
  if (!block)
    posix_thread_end(world.self->result);
  world.self->cleanup = block->previous;
  posix_jump(block, 1);
}

_Noreturn void posix_thread_exit(void *result) {
  world.self->result = result;
  world.self->is_exiting = true;
  run_last();
}

// ------------------------------------------------------------ cancellation ---

static bool may_end(const PosixThread *thread) {
  return thread->is_cancelled && !thread->is_exiting &&
         thread->cancel_state == PTHREAD_CANCEL_ENABLE;
}

void posix_cancel_point(void) {
  if (!may_end(world.self))
    return;
  races_acquire(world.self);
  posix_thread_exit(PTHREAD_CANCELED);
}

void posix_cancel_wait(void) {
  if (!world.self->is_cut_short)
    return;
  world.self->is_cut_short = false;
  posix_cancel_point();
}

static void refuse_anywhere(const PosixThread *thread) {
  if (may_end(thread) && thread->cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS)
    world_fail(MISHAP_REFUSED,
               "to cancel thread %u, which lets itself be cancelled anywhere "
               "(PTHREAD_CANCEL_ASYNCHRONOUS), is not executed",
               thread->index);
}

static bool may_be_cut_short(ThreadWait wait) {
  switch (wait) {
  case WAIT_CONDITION:
  case WAIT_SEMAPHORE:
  case WAIT_JOIN:
    return true;
  case WAIT_NOT:
  case WAIT_MUTEX:
  case WAIT_READ_LOCK:
  case WAIT_WRITE_LOCK:
  case WAIT_BARRIER:
  case WAIT_ONCE:
  case WAIT_FUTEX:
    break;
  }
  return false;
}

static int posix_pthread_cancel(uint64_t handle) {
  PosixThread *thread = posix_thread_there(handle, "cancels");
  if (thread->is_ended || thread->is_cancelled)
    return 0;
  races_release(thread);
  world.hidden++;
  world.changed = world.steps;
  thread->is_cancelled = true;
  refuse_anywhere(thread);
  if (may_end(thread) && may_be_cut_short(thread->wait)) {
    thread->is_cut_short = true;
    world_wake(thread);
  }
  return 0;
}

// ---------------------------------------------------------------- handlers ---

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
  refuse_anywhere(world.self);
  return 0;
}

static int posix_pthread_setcancelstate(int state, int *before) {
  return set(&world.self->cancel_state, state, PTHREAD_CANCEL_DISABLE, before);
}

static int posix_pthread_setcanceltype(int type, int *before) {
  return set(&world.self->cancel_type, type, PTHREAD_CANCEL_ASYNCHRONOUS,
             before);
}

#define HIDDEN(name, function)                                                 \
  {#name, (void *)(uintptr_t)function, CAPTURES | APART}

const PosixCall cleanup_calls[] = {
    HIDDEN(__pthread_register_cancel, register_block),
    HIDDEN(__pthread_unregister_cancel, unregister_block),
    HIDDEN(__pthread_unwind_next, run_next),
    POSIX_CALL(pthread_setcancelstate),
    POSIX_CALL(pthread_setcanceltype),
    POSIX_CALL(pthread_cancel),
    {"pthread_testcancel", (void *)(uintptr_t)posix_cancel_point, 0},
    {NULL, NULL, 0}};
