// A thread's result is used when the thread has ended.
//
// bug 1: assertion       the wrong one is waited for
// bug 2: use-after-free  it is freed before the thread has ended

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct Result {
  _Atomic int value;
} Result;

static void *make(void *unused) {
  (void)unused;
  Result *result = calloc(1, sizeof *result);
  result->value = 5;
  return result;
}

static void *fill(void *result) {
  ((Result *)result)->value = 6;
  return NULL;
}

int main(void) {
  pthread_t maker, filler;
  Result *other = calloc(1, sizeof *other);
  void *made;
  pthread_create(&maker, NULL, make, NULL);
  pthread_create(&filler, NULL, fill, other);
  pthread_join(maker, &made);
#if BUG == 2
  free(other);
  pthread_join(filler, NULL);
#else
#if BUG == 0
  pthread_join(filler, NULL);
#endif
  assert(((Result *)made)->value + other->value == 11);
#if BUG == 1
  pthread_join(filler, NULL);
#endif
  free(other);
#endif
  free(made);
  return 0;
}
