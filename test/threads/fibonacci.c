// Two threads add each other's number N times: how far can they get?
//
// bug 1: assertion  as far as the Fibonacci numbers

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int i = 1, j = 1;

static void *add_to_i(void *unused) {
  for (int k = 0; k < N; k++)
    i = i + j;
  return unused;
}

static void *add_to_j(void *unused) {
  for (int k = 0; k < N; k++)
    j = j + i;
  return unused;
}

static int fibonacci(int n) {
  return n < 2 ? 1 : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
  pthread_t one, two;
  int most = fibonacci(2 * N + 1);
  pthread_create(&one, NULL, add_to_i, NULL);
  pthread_create(&two, NULL, add_to_j, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(i < most + (BUG != 1) && j < most + (BUG != 1));
  return 0;
}
