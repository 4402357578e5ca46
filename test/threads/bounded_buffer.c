// Producers and consumers with a buffer of one place.
//
// bug 1:   assertion  `if` for `while` at the consumer's wait
// bug 2:   deadlock   one condition variable for both sides, and one signal
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
static int count;

#if BUG == 2
#define EMPTY full
#else
#define EMPTY empty
#endif

static void *produce(void *arg) {
  pthread_mutex_lock(&lock);
  while (count == 1)
    pthread_cond_wait(&EMPTY, &lock);
  count++;
  pthread_cond_signal(&full);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *consume(void *arg) {
  pthread_mutex_lock(&lock);
#if BUG == 1
  if (count == 0)
#else
  while (count == 0)
#endif
    pthread_cond_wait(&full, &lock);
  assert(count == 1);
  count--;
  pthread_cond_signal(&EMPTY);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t p[2], c[2];
  for (int i = 0; i < 2; i++) {
    pthread_create(&c[i], NULL, consume, NULL);
    pthread_create(&p[i], NULL, produce, NULL);
  }
  for (int i = 0; i < 2; i++) {
    pthread_join(c[i], NULL);
    pthread_join(p[i], NULL);
  }
  return 0;
}
