// A lock that is given in the order of tickets.
//
// bug 1: assertion  two may draw the same ticket

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint next, served;
static atomic_int inside;

static unsigned draw(void) {
#if BUG == 1
  unsigned mine = atomic_load(&next);
  atomic_store(&next, mine + 1);
  return mine;
#else
  return atomic_fetch_add(&next, 1);
#endif
}

static void *enter(void *unused) {
  unsigned mine = draw();
  while (atomic_load(&served) != mine)
    sched_yield();
  assert(atomic_fetch_add(&inside, 1) == 0);
  atomic_fetch_sub(&inside, 1);
  atomic_store(&served, mine + 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, enter, NULL);
  pthread_create(&two, NULL, enter, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
