// Main does something else as long as a thread has not ended.
//
// bug 1:    assertion   who has done its work need not have ended
// bug 2:    misuse      it is joined once more

#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int is_done;

static void *work(void *arg) {
  is_done = 1;
  return arg;
}

// Mostly it waits for that.
static int has_ended(pthread_t thread) {
  if (BUG != 1 || !is_done)
    return pthread_join(thread, NULL) == 0;
  return pthread_tryjoin_np(thread, NULL) == 0;
}

int main(void) {
  pthread_t thread;
  int error;
  pthread_create(&thread, NULL, work, NULL);
  if (BUG == 1) {
    assert(has_ended(thread));
    return 0;
  }
  while ((error = pthread_tryjoin_np(thread, NULL)) == EBUSY && !is_done)
    sched_yield();
  if (error == EBUSY || BUG == 2)
    assert(has_ended(thread));
  return 0;
}
