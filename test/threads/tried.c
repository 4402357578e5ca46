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

int main(void) {
  pthread_t thread;
  int error;
  pthread_create(&thread, NULL, work, NULL);
  while ((error = pthread_tryjoin_np(thread, NULL)) == EBUSY && !is_done)
    sched_yield();
  if (BUG == 1)
    assert(error == 0);
  else if (error == EBUSY || BUG == 2)
    pthread_join(thread, NULL);
  return 0;
}
