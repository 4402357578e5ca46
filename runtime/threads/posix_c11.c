// C11's threads, by POSIX's.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

static int answer(int error) {
  return !error               ? thrd_success
         : error == EBUSY     ? thrd_busy
         : error == ETIMEDOUT ? thrd_timedout
                              : thrd_error;
}

static int posix_thrd_create(uint64_t *handle, int (*body)(void *),
                             void *argument) {
  thread_create(handle, NULL, argument)->c11 = body;
  return thrd_success;
}

static int posix_thrd_join(uint64_t handle, int *result) {
  void *value;
  int error = posix_pthread_join(handle, &value);
  if (!error && result) {
    world_touch(result, sizeof *result, true);
    *result = (int)(intptr_t)value;
  }
  return answer(error);
}

static _Noreturn void posix_thrd_exit(int result) {
  posix_thread_exit((void *)(intptr_t)result);
}

static void posix_thrd_yield(void) { world_yield(); }

static int posix_thrd_sleep(const struct timespec *time, void *left) {
  (void)left;
  posix_sleep_for(posix_nanoseconds(time));
  return 0;
}

static int posix_thrd_detach(uint64_t handle) {
  return answer(posix_pthread_detach(handle));
}

static int posix_mtx_init(void *mutex, int kind) {
  mutex_begin(mutex, kind & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE
                                          : PTHREAD_MUTEX_NORMAL);
  return thrd_success;
}

static int posix_mtx_lock(void *mutex) {
  return answer(posix_pthread_mutex_lock(mutex));
}
static int posix_mtx_trylock(void *mutex) {
  return answer(posix_pthread_mutex_trylock(mutex));
}
static int posix_mtx_timedlock(void *mutex, const struct timespec *until) {
  return answer(posix_pthread_mutex_timedlock(mutex, until));
}
static int posix_mtx_unlock(void *mutex) {
  return answer(posix_pthread_mutex_unlock(mutex));
}
static void posix_mtx_destroy(void *mutex) {
  posix_pthread_mutex_destroy(mutex);
}

static int posix_cnd_init(uint32_t *condition) {
  condition_begin(condition);
  return thrd_success;
}
static void posix_cnd_destroy(void *condition) {
  posix_pthread_cond_destroy(condition);
}
static int posix_cnd_wait(void *condition, void *mutex) {
  return answer(posix_pthread_cond_wait(condition, mutex));
}
static int posix_cnd_timedwait(void *condition, void *mutex,
                               const struct timespec *until) {
  return answer(posix_pthread_cond_timedwait(condition, mutex, until));
}
static int posix_cnd_signal(void *condition) {
  return answer(posix_pthread_cond_signal(condition));
}
static int posix_cnd_broadcast(void *condition) {
  return answer(posix_pthread_cond_broadcast(condition));
}

static void posix_call_once(void *once, void (*body)(void)) {
  posix_pthread_once(once, body);
}

static int posix_thrd_equal(uint64_t a, uint64_t b) { return a == b; }

static int posix_tss_create(uint32_t *key, void (*destroy)(void *)) {
  return answer(posix_pthread_key_create(key, destroy));
}
static void posix_tss_delete(uint32_t key) { posix_pthread_key_delete(key); }
static int posix_tss_set(uint32_t key, void *value) {
  return answer(posix_pthread_setspecific(key, value));
}
static void *posix_tss_get(uint32_t key) {
  return posix_pthread_getspecific(key);
}

const PosixCall c11_calls[] = {
    POSIX_APART(thrd_equal),
    {"thrd_current", (void *)(uintptr_t)posix_pthread_self, APART},
    POSIX_CALL(tss_create),
    POSIX_CALL(tss_delete),
    POSIX_LEAVER(tss_set),
    POSIX_CALL(tss_get),
    POSIX_KEEPER(thrd_create),
    POSIX_CALL(thrd_join),
    POSIX_CALL(thrd_exit),
    POSIX_APART(thrd_yield),
    POSIX_CALL(thrd_sleep),
    POSIX_CALL(thrd_detach),
    POSIX_CALL(mtx_init),
    POSIX_APART(mtx_lock),
    POSIX_APART(mtx_trylock),
    POSIX_CALL(mtx_timedlock),
    POSIX_APART(mtx_unlock),
    POSIX_CALL(mtx_destroy),
    POSIX_CALL(cnd_init),
    POSIX_CALL(cnd_destroy),
    POSIX_APART(cnd_wait),
    POSIX_CALL(cnd_timedwait),
    POSIX_APART(cnd_signal),
    POSIX_APART(cnd_broadcast),
    POSIX_KEEPER(call_once),
    {NULL, NULL, 0}};
