// A consumer that waits for an item, but no longer than a second.
//
// bug 1: assertion  it takes it for granted that the item is there

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t made = PTHREAD_COND_INITIALIZER;
static int item;

static void *make(void *unused) {
  pthread_mutex_lock(&lock);
  item = 7;
  pthread_cond_signal(&made);
  pthread_mutex_unlock(&lock);
  return unused;
}

static void *take(void *unused) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
  pthread_mutex_lock(&lock);
  int is_late = 0;
  while (!item && !is_late)
    is_late = pthread_cond_timedwait(&made, &lock, &until) == ETIMEDOUT;
#if BUG == 1
  assert(item == 7);
#else
  assert(is_late || item == 7);
#endif
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t maker, taker;
  pthread_create(&taker, NULL, take, NULL);
  pthread_create(&maker, NULL, make, NULL);
  pthread_join(maker, NULL);
  pthread_join(taker, NULL);
  return 0;
}
