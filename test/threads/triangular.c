// Two threads outdo each other's number N times.
//
// bug 1: assertion  they may reach 2 N + 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int i, j = 1;

static void *outdo_j(void *unused) {
  for (int k = 0; k < N; k++)
    i = j + 1;
  return unused;
}

static void *outdo_i(void *unused) {
  for (int k = 0; k < N; k++)
    j = i + 1;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, outdo_j, NULL);
  pthread_create(&two, NULL, outdo_i, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(i <= 2 * N + (BUG != 1) && j <= 2 * N + (BUG != 1));
  return 0;
}
