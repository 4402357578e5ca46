// Threads meet at a barrier, and the one that it tells so gives it back: to
// destroy a barrier waits for those that have not left it yet.
//
// bug 1: use-after-free  it is not destroyed before it is freed
// bug 2: use-after-free  the others look at it afterwards

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3 };

static pthread_barrier_t *barrier;

static void *work(void *unused) {
#if BUG == 2
  volatile char *again = (volatile char *)barrier;
#endif
  if (pthread_barrier_wait(barrier) == PTHREAD_BARRIER_SERIAL_THREAD) {
#if BUG != 1
    pthread_barrier_destroy(barrier);
#endif
    free(barrier);
  }
#if BUG == 2
  else
    (void)*again;
#endif
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  barrier = malloc(sizeof *barrier);
  pthread_barrier_init(barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
