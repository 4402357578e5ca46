// A stack with a lock.
//
// bug 1:   assertion  whether it is empty is asked outside of the lock
#include <assert.h>
#include <pthread.h>

enum { SIZE = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[SIZE];
static _Atomic int top;

static void *push_all(void *arg) {
  for (int i = 0; i < SIZE - 2; i++) {
    pthread_mutex_lock(&lock);
    items[top] = i;
    top++;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void *pop_all(void *arg) {
  for (int i = 0; i < SIZE - 2; i++) {
#if BUG == 1
    if (top > 0) {
      pthread_mutex_lock(&lock);
#else
    pthread_mutex_lock(&lock);
    if (top > 0) {
#endif
      assert(top > 0);
      top--;
#if BUG == 1
      pthread_mutex_unlock(&lock);
    }
#else
    }
    pthread_mutex_unlock(&lock);
#endif
  }
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, push_all, NULL);
  pthread_create(&b, NULL, pop_all, NULL);
  pthread_create(&c, NULL, pop_all, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
