// Threads wait until all parts of the work are done.
//
// bug 1:    deadlock   only one of two that wait is woken
// bug 2:    deadlock   the count is looked at before the lock is taken
// bug 3:    assertion  who is woken does not look again
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int left = 2, done;

static void finish(void) {
  pthread_mutex_lock(&mutex);
  done++;
  left--;
#if BUG == 1
  if (!left)
    pthread_cond_signal(&changed);
#elif BUG == 3
  pthread_cond_broadcast(&changed);
#else
  if (!left)
    pthread_cond_broadcast(&changed);
#endif
  pthread_mutex_unlock(&mutex);
}

static void wait_for_all(void) {
#if BUG == 2
  if (!__atomic_load_n(&left, __ATOMIC_SEQ_CST))
    return;
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&changed, &mutex);
#else
  pthread_mutex_lock(&mutex);
#if BUG == 3
  if (left)
#else
  while (left)
#endif
    pthread_cond_wait(&changed, &mutex);
#endif
  assert(done == 2);
  pthread_mutex_unlock(&mutex);
}

static void *work(void *arg) {
  finish();
  return arg;
}

static void *watch(void *arg) {
  wait_for_all();
  return arg;
}

int main(void) {
  pthread_t workers[2], watcher;
  pthread_create(&watcher, NULL, watch, NULL);
  for (int i = 0; i < 2; i++)
    pthread_create(&workers[i], NULL, work, NULL);
  wait_for_all();
  for (int i = 0; i < 2; i++)
    pthread_join(workers[i], NULL);
  pthread_join(watcher, NULL);
  return 0;
}
