// N threads set two variables in order, one looks at them in the other order.
//
// args:    -DN=3
// bug 1:   assertion  a is seen without b
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *set(void *arg) {
#if BUG == 1
  a = 1;
  b = -1;
#else
  b = -1;
  a = 1;
#endif
  return arg;
}

static void *check(void *arg) {
  if (a == 1)
    assert(b == -1);
  return arg;
}

int main(void) {
  pthread_t setters[N], checker;
  for (int i = 0; i < N; i++)
    pthread_create(&setters[i], NULL, set, NULL);
  pthread_create(&checker, NULL, check, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(setters[i], NULL);
  pthread_join(checker, NULL);
  return 0;
}
