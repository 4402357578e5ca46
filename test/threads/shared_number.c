// Each thread is told its number.
//
// bug 1: assertion  by the address of the counter of the loop

#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static _Atomic int seen[N + 1];

static void *count(void *number) {
  seen[__atomic_load_n((int *)number, __ATOMIC_SEQ_CST)]++;
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  int numbers[N], i;
  for (i = 0; i < N; __atomic_fetch_add(&i, 1, __ATOMIC_SEQ_CST)) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, count, BUG == 1 ? &i : &numbers[i]);
  }
  for (int k = 0; k < N; k++)
    pthread_join(threads[k], NULL);
  for (int k = 0; k < N; k++)
    assert(seen[k] == 1);
  return 0;
}
