// A function that locks is called by one that has the lock, but not always.
//
// bug 1: deadlock  the lock is of the kind that its owner cannot lock again

#define _GNU_SOURCE

#include <pthread.h>

#if BUG == 1
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#else
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
#endif
static int level;

static void lower(void) {
  pthread_mutex_lock(&lock);
  level = 0;
  pthread_mutex_unlock(&lock);
}

static void *raise(void *unused) {
  pthread_mutex_lock(&lock);
  if (++level > 1)
    lower();
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *reset(void *unused) {
  lower();
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, raise, NULL);
  pthread_create(&threads[1], NULL, reset, NULL);
  pthread_join(threads[1], NULL);
  pthread_create(&threads[2], NULL, raise, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[2], NULL);
  return 0;
}
