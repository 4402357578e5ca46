// A counter, and who locks what.
//
// bug 1:   assertion  one of the threads has another lock
// bug 2:   race       nobody locks, and all add the same at different times
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t wrong = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *arg) {
  pthread_mutex_t *lock = arg;
  pthread_mutex_lock(lock);
  int seen = counter;
#if BUG == 2
  seen = 0;
#endif
  counter = seen + 1;
  pthread_mutex_unlock(lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, &right);
  pthread_create(&b, NULL, add, BUG ? &wrong : &right);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(BUG == 2 || counter == 2);
  return 0;
}
