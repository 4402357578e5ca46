// Dekker's mutual exclusion: whoever has not the turn steps back.
//
// bug 1: livelock   whoever stepped back does not tell its wish again
// bug 2: livelock   nobody steps back

#include <assert.h>
#include <pthread.h>
#include <sched.h>

enum { ROUNDS = 2 };

static _Atomic int wants[2], turn, inside;

static void *enter(void *number) {
  int me = *(int *)number, other = 1 - me;
  for (int i = 0; i < ROUNDS; i++) {
    wants[me] = 1;
    while (wants[other]) {
#if BUG != 2
      if (turn != me) {
        wants[me] = 0;
        while (turn != me)
          sched_yield();
#if BUG == 1
        break;
#endif
        wants[me] = 1;
      }
#endif
      sched_yield();
    }
    assert(++inside == 1);
    inside--;
    turn = other;
    wants[me] = 0;
  }
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
