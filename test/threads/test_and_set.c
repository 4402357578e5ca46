// A lock made of one flag.
//
// bug 1: assertion  the flag is looked at and then set
// bug 2: race       it is given back before the last access

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;
#if BUG != 2
static atomic_int inside;
#endif
static int count;

static void lock(void) {
#if BUG == 1
  while (atomic_load(&flag))
    sched_yield();
  atomic_store(&flag, 1);
#else
  while (atomic_exchange(&flag, 1))
    sched_yield();
#endif
}

static void *enter(void *unused) {
  lock();
#if BUG != 2
  assert(atomic_fetch_add(&inside, 1) == 0);
  count++;
  atomic_fetch_sub(&inside, 1);
  atomic_store(&flag, 0);
#else
  atomic_store(&flag, 0);
  count++;
#endif
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
