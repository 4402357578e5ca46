// A number that one thread changes by halves, and another reads as a whole.
//
// bug 1:    race   the other half was changed before the work was done
// bug 2:    race   it looks at the other half alone

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static union {
  _Atomic uint64_t whole;
  _Atomic uint32_t half[2];
} number;
static int done;

static void *work(void *arg) {
  atomic_store(&number.half[0], 1);
  done = 1;
  atomic_store(&number.half[1], 1);
  return arg;
}

static int has_worked(void) {
  if (BUG == 1)
    return (uint32_t)number.whole;
  return (number.whole >> 32) != 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  if (BUG == 2 ? atomic_load(&number.half[0]) + 1 : (uint32_t)has_worked())
    done++;
  pthread_join(thread, NULL);
  return 0;
}
