// A worker sleeps while there is no task; it is told when to end.
//
// bug 1: deadlock   the end is told without the lock
// bug 2: assertion  it ends although there is a task

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int tasks, done;
static _Atomic int is_ending;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!tasks && !is_ending)
      pthread_cond_wait(&changed, &lock);
#if BUG == 2
    if (is_ending)
      break;
#endif
    if (!tasks)
      break;
    tasks--;
    done++;
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  pthread_mutex_lock(&lock);
  tasks++;
  pthread_cond_signal(&changed);
#if BUG == 1
  pthread_mutex_unlock(&lock);
  is_ending = 1;
  pthread_cond_signal(&changed);
#else
  is_ending = 1;
  pthread_mutex_unlock(&lock);
#endif
  pthread_join(worker, NULL);
  assert(done == 1);
  return 0;
}
