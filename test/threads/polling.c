// Main looks once in a while whether a thread has ended, and counts how often.
//
// bug 1: assertion  it takes it for granted after the third time

#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_over, rounds;

static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  is_over = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  pthread_mutex_lock(&lock);
  while (!is_over && (BUG != 1 || rounds < 3)) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    rounds++;
    pthread_cond_timedwait(&changed, &lock, &until);
  }
  assert(is_over);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
