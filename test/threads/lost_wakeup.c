// A flag and a condition variable.
//
// bug 1:   deadlock  the flag is tested before the lock is taken
// bug 2:   deadlock  no flag at all
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *wait_for_it(void *arg) {
#if BUG == 1
  if (!ready) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
  }
#else
  pthread_mutex_lock(&lock);
#if BUG == 2
  pthread_cond_wait(&changed, &lock);
#else
  while (!ready)
    pthread_cond_wait(&changed, &lock);
#endif
  pthread_mutex_unlock(&lock);
#endif
  return arg;
}

int main(void) {
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_for_it, NULL);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(waiter, NULL);
  return 0;
}
