// Two locks, taken in one order.
//
// bug 1:   deadlock   in two orders
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void both(pthread_mutex_t *one, pthread_mutex_t *other) {
  pthread_mutex_lock(one);
  pthread_mutex_lock(other);
  shared++;
  pthread_mutex_unlock(other);
  pthread_mutex_unlock(one);
}

static void *forwards(void *arg) {
  (void)arg;
  both(&first, &second);
  return NULL;
}

static void *backwards(void *arg) {
  (void)arg;
#if BUG == 1
  both(&second, &first);
#else
  both(&first, &second);
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, forwards, NULL);
  pthread_create(&b, NULL, backwards, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return shared == 2 ? 0 : 1;
}
