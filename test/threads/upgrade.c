// Readers of a table that become writers where something is missing.
//
// bug 1: deadlock   they ask for the lock again without giving it back
// bug 2: assertion  they write as readers

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int entries;

static void *add_once(void *unused) {
  pthread_rwlock_rdlock(&lock);
  if (entries == 0) {
#if BUG == 2
    entries = entries + 1;
#else
#if BUG != 1
    pthread_rwlock_unlock(&lock);
#endif
    pthread_rwlock_wrlock(&lock);
    if (entries == 0)
      entries = entries + 1;
#endif
  }
#if BUG == 2
  assert(entries == 1);
#endif
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, add_once, NULL);
  pthread_create(&two, NULL, add_once, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  assert(entries == 1);
  return 0;
}
