// Three threads under one lock; what comes last must not come in between.
//
// bug 1:   assertion  nobody waits for the others
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int data, finished;

static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  data++;
  finished++;
  pthread_cond_signal(&done);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *look(void *arg) {
  pthread_mutex_lock(&lock);
#if BUG != 1
  while (finished < 2)
    pthread_cond_wait(&done, &lock);
#endif
  assert(data == 2);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_create(&c, NULL, look, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
