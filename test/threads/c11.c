// A latch of C11's threads: main goes on when N have arrived.
//
// bug 1: deadlock   who arrives does not lock, and main misses it
// bug 2: assertion  main does not ask whether all are there

#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

#ifndef N
#define N 2
#endif

static mtx_t lock;
static cnd_t arrived;
static atomic_int count;

static int arrive(void *unused) {
  (void)unused;
#if BUG != 1
  mtx_lock(&lock);
#endif
  count++;
  cnd_signal(&arrived);
#if BUG != 1
  mtx_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  thrd_t threads[N];
  mtx_init(&lock, mtx_plain);
  cnd_init(&arrived);
  for (int i = 0; i < N; i++)
    thrd_create(&threads[i], arrive, NULL);
  mtx_lock(&lock);
#if BUG == 2
  if (count < N)
#else
  while (count < N)
#endif
    cnd_wait(&arrived, &lock);
  assert(count == N);
  mtx_unlock(&lock);
  for (int i = 0; i < N; i++)
    thrd_join(threads[i], NULL);
  return 0;
}
