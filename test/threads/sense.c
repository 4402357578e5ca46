// A barrier that threads cross several times, made of atomics and a sense.
//
// bug 1:    endless    without a sense of the round a fast thread goes round
// bug 2:    endless    the last one lets others go before it has begun anew
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { THREADS = 2, ROUNDS = 2 };

static atomic_int arrived, sense;
static atomic_int place[THREADS];

static void cross(int *own) {
#if BUG == 1
  (void)own;
  if (atomic_fetch_add(&arrived, 1) + 1 == THREADS)
    arrived = 0;
  while (arrived)
    continue;
#else
  *own = !*own;
  if (atomic_fetch_add(&arrived, 1) + 1 == THREADS) {
#if BUG == 2
    sense = *own;
    arrived = 0;
#else
    arrived = 0;
    sense = *own;
#endif
  } else {
    while (sense != *own)
      continue;
  }
#endif
}

static void *work(void *arg) {
  int self = *(int *)arg, own = 0;
  for (int round = 1; round <= ROUNDS; round++) {
    place[self] = round;
    cross(&own);
    assert(place[!self] >= round);
    cross(&own);
  }
  return NULL;
}

int main(void) {
  pthread_t thread;
  int zero = 0, one = 1;
  pthread_create(&thread, NULL, work, &one);
  work(&zero);
  pthread_join(thread, NULL);
  return 0;
}
