// Peterson's mutual exclusion of two threads.
//
// bug 1: assertion  the turn is given before the own wish is told
// bug 2: assertion  nobody gives the turn away
// bug 3: race       the variables of the lock are no atomics

#include <assert.h>
#include <pthread.h>
#include <sched.h>

#if BUG == 3
#define SHARED
#else
#define SHARED _Atomic
#endif

static SHARED int wants[2], turn;
static _Atomic int inside;

static void *enter(void *number) {
  int me = *(int *)number, other = 1 - me;
#if BUG == 1
  turn = other;
  wants[me] = 1;
#else
  wants[me] = 1;
#if BUG != 2
  turn = other;
#endif
#endif
  while (wants[other] && turn == other)
    sched_yield();
  assert(++inside == 1);
  inside--;
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, enter, &numbers[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
