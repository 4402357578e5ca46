// Each thread writes a cell, and behind a barrier adds up those of all.
//
// bug 1: assertion  the cells are written again before all have read them
// bug 2: deadlock   the barrier waits for one more

#include <assert.h>
#include <pthread.h>

enum { THREADS = 3 };

static pthread_barrier_t barrier;
static _Atomic int cells[THREADS];

static void *work(void *number) {
  int me = *(int *)number;
  cells[me] = 1;
  pthread_barrier_wait(&barrier);
  int sum = 0;
  for (int i = 0; i < THREADS; i++)
    sum += cells[i];
  assert(sum == THREADS);
#if BUG != 1
  pthread_barrier_wait(&barrier);
#endif
  cells[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS + (BUG == 2));
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
  return 0;
}
