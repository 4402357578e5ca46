// Threads: to create, to join, to name, to end.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_HANDLE = 0x1000 };

static uint64_t handle_of(const PosixThread *thread) {
  return FIRST_HANDLE + thread->index;
}

PosixThread *posix_thread(uint64_t handle) {
  uint64_t index = handle - FIRST_HANDLE;
  if (index >= world.count)
    world_fail(MISHAP_MISUSE, "this is no thread");
  return &world.threads[index];
}

PosixThread *thread_create(uint64_t *handle, void *(*body)(void *),
                           void *argument) {
  threads_publish(argument);
  PosixThread *thread = world_add_thread(body, argument);
  thread->mask = world.self->mask;
  races_fork(thread);
  world_touch(handle, sizeof *handle, true);
  *handle = handle_of(thread);
  return thread;
}

static int posix_pthread_create(uint64_t *handle, const int *attributes,
                                void *(*body)(void *), void *argument) {
  if (attributes)
    world_touch(attributes, sizeof *attributes, false);
  bool is_detached = attributes && *attributes == PTHREAD_CREATE_DETACHED;
  thread_create(handle, body, argument)->is_detached = is_detached;
  return 0;
}

// Who is cancelled meanwhile leaves it to others.  As glibc has it, to join one
// that has ended is no cancellation point.
static void wait_to_join(PosixThread *thread) {
  thread->is_joined = false;
  posix_cancel_point();
  thread->is_joined = true;
  world_wait(WAIT_JOIN, thread);
  if (world.self->is_cut_short)
    thread->is_joined = false;
  posix_cancel_wait();
}

int posix_pthread_join(uint64_t handle, void **result) {
  PosixThread *thread = posix_thread(handle);
  if (thread == world.self)
    return EDEADLK;
  if (thread->is_detached || thread->is_joined)
    world_fail(MISHAP_MISUSE, "joins thread %u, which was %s", thread->index,
               thread->is_joined ? "joined before" : "detached");
  thread->is_joined = true;
  while (!thread->is_ended)
    wait_to_join(thread);
  thread->is_gone = true;
  races_join(thread);
  if (result) {
    world_step(NULL, 0, true);
    world_touch(result, sizeof *result, true);
    *result = thread->result;
  }
  return 0;
}

PosixThread *posix_thread_there(uint64_t handle, const char *does) {
  PosixThread *thread = posix_thread(handle);
  if (thread->is_gone || (thread->is_ended && thread->is_detached))
    world_fail(MISHAP_MISUSE, "%s thread %u, which has ended and was %s", does,
               thread->index, thread->is_gone ? "joined" : "detached");
  return thread;
}

int posix_pthread_detach(uint64_t handle) {
  PosixThread *thread = posix_thread_there(handle, "detaches");
  if (thread->is_detached)
    return EINVAL;
  thread->is_detached = true;
  return 0;
}

_Noreturn void posix_thread_end(void *result) {
  world.self->result = result;
  world.self->is_exiting = true;
  locals_end_thread();
  keys_end_thread();
  if (world.question->image->asks_for_ends)
    threads_meet(); // it has done all, and goes on being one
  world_leave();
}

uint64_t posix_pthread_self(void) { return handle_of(world.self); }

static int posix_pthread_equal(uint64_t a, uint64_t b) { return a == b; }

static int posix_sched_yield(void) {
  world_yield();
  return 0;
}

static int posix_pthread_setname_np(uint64_t handle, const char *name) {
  PosixThread *thread = posix_thread(handle);
  world_touch(name, strlen(name) + 1, false);
  if (strlen(name) >= sizeof thread->name)
    return ERANGE;
  world.hidden++;
  strcpy(thread->name, name);
  return 0;
}

// The program's, up to where a thread has its own.
static const char *name_of(const PosixThread *thread) {
  const char *program = posix_arguments()[0], *slash = strrchr(program, '/');
  return thread->name[0] ? thread->name : slash ? slash + 1 : program;
}

static int posix_pthread_getname_np(uint64_t handle, char *to, size_t room) {
  char name[sizeof world.self->name];
  snprintf(name, sizeof name, "%.*s", (int)sizeof name - 1,
           name_of(posix_thread(handle)));
  if (strlen(name) >= room)
    return ERANGE;
  world_touch(to, strlen(name) + 1, true);
  strcpy(to, name);
  return 0;
}

// Of a thread that has ended.
static int posix_pthread_tryjoin_np(uint64_t handle, void **result) {
  return posix_thread(handle)->is_ended ? posix_pthread_join(handle, result)
                                        : EBUSY;
}

static int posix_gettid(void) { return PROCESS + (int)world.self->index; }

static int posix_sched_getcpu(void) {
  return (int)(world.self->index % world.question->processors);
}

// Each thread may be executed by each processor.
static int posix_sched_getaffinity(int process, size_t bytes, char *set) {
  (void)process;
  world_touch(set, bytes, true);
  memset(set, 0, bytes);
  for (unsigned i = 0; i < world.question->processors && i / 8 < bytes; i++)
    set[i / 8] = (char)(set[i / 8] | 1 << i % 8);
  return 0;
}

static int posix_pthread_getaffinity_np(uint64_t handle, size_t bytes,
                                        char *set) {
  posix_thread(handle);
  return posix_sched_getaffinity(0, bytes, set);
}

static int posix___sched_cpucount(size_t bytes, const char *set) {
  int count = 0;
  world_touch(set, bytes, false);
  for (size_t i = 0; i < bytes; i++)
    count += __builtin_popcount((unsigned char)set[i]);
  return count;
}

// Who executes threads is of no interest.
static int posix_pthread_any(uint64_t thread, uint64_t value) {
  (void)thread;
  (void)value;
  return 0;
}

#define IGNORED(name) {#name, (void *)(uintptr_t)posix_pthread_any, 0}

const PosixCall thread_calls[] = {
    POSIX_KEEPER(pthread_create),
    POSIX_CALL(pthread_join),
    POSIX_CALL(pthread_detach),
    {"pthread_exit", (void *)(uintptr_t)posix_thread_exit, CAPTURES},
    POSIX_APART(pthread_self),
    POSIX_APART(pthread_equal),
    POSIX_APART(sched_yield),
    {"pthread_yield", (void *)(uintptr_t)posix_sched_yield, APART},
    IGNORED(pthread_setconcurrency),
    IGNORED(pthread_setschedparam),
    POSIX_CALL(pthread_setname_np),
    POSIX_CALL(pthread_getname_np),
    IGNORED(pthread_atfork),
    IGNORED(pthread_getconcurrency),
    IGNORED(pthread_setaffinity_np),
    IGNORED(sched_setaffinity),
    POSIX_CALL(pthread_tryjoin_np),
    POSIX_APART(gettid),
    POSIX_APART(sched_getcpu),
    POSIX_CALL(sched_getaffinity),
    POSIX_CALL(__sched_cpucount),
    POSIX_CALL(pthread_getaffinity_np),
    {NULL, NULL, 0}};
