// Threads that count if nobody else does just now, and remember it if not.
//
// bug 1: assertion  they do not remember it
// bug 2: race       they count all the same

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counted;
#if BUG != 2
static _Atomic int remembered;
#endif

static void *count(void *unused) {
  if (pthread_mutex_trylock(&lock) == 0) {
    counted++;
    pthread_mutex_unlock(&lock);
  } else {
#if BUG == 2
    counted++;
#elif BUG != 1
    remembered++;
#endif
  }
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, count, NULL);
  pthread_create(&two, NULL, count, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
#if BUG != 2
  assert(counted + remembered == 2);
#endif
  return 0;
}
