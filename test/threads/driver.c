// A driver that is stopped while requests come in: the last request lets the
// stopper go on, and none works on a driver that has stopped.
//
// bug 1: assertion  a request asks whether it is stopped before it is counted

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int pending = 1;
static atomic_int is_stopping, may_stop, has_stopped;

static void done(void) {
  if (atomic_fetch_sub(&pending, 1) == 1)
    may_stop = 1;
}

static int begin(void) {
#if BUG == 1
  if (is_stopping)
    return 0;
  atomic_fetch_add(&pending, 1);
#else
  atomic_fetch_add(&pending, 1);
  if (is_stopping) {
    done();
    return 0;
  }
#endif
  return 1;
}

static void *request(void *unused) {
  if (begin()) {
    assert(!has_stopped);
    done();
  }
  return unused;
}

static void *stop(void *unused) {
  is_stopping = 1;
  done();
  while (!may_stop)
    sched_yield();
  has_stopped = 1;
  return unused;
}

int main(void) {
  pthread_t stopper, worker;
  pthread_create(&stopper, NULL, stop, NULL);
  pthread_create(&worker, NULL, request, NULL);
  pthread_join(stopper, NULL);
  pthread_join(worker, NULL);
  return 0;
}
