// The first thread that is to run a function once ends within it, of itself or
// cancelled: then it is as if nobody had called it, and others go on.
//
// bug 1: assertion  the function is thought to begin once only
// bug 2: deadlock   it leaves a mutex locked, for it has no handler

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static once_flag flag = ONCE_FLAG_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int begun, flagged;
static int made;

static void unlock(void *unused) {
  (void)unused;
  pthread_mutex_unlock(&mutex);
}

static void make(void) {
  pthread_mutex_lock(&mutex);
#if BUG == 2
  if (!begun)
    pthread_exit(NULL);
#endif
  pthread_cleanup_push(unlock, NULL);
  if (!begun++) {
    pthread_cancel(pthread_self());
    pthread_testcancel();
  }
  made++;
  pthread_cleanup_pop(1);
}

static void make_flag(void) {
  if (!flagged++)
    thrd_exit(0);
}

static void *work(void *unused) {
  pthread_once(&once, make);
  assert(made == 1);
  return unused;
}

static void *work_flag(void *unused) {
  call_once(&flag, make_flag);
  return unused;
}

int main(void) {
  void *(*const works[])(void *) = {work, work, work_flag};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, works[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  call_once(&flag, make_flag);
  assert(flagged == 2 && begun == (BUG == 1 ? 1 : 2));
  return 0;
}
