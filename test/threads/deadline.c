// Who has waited up to a time finds that time past, at whatever it has waited.
//
// bug 1: assertion  it takes it for granted that the time was up at each step

#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t made = PTHREAD_COND_INITIALIZER;
static const struct timespec start = {1700000009, 5};
static int item;

static int is_over(const struct timespec *until) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec > until->tv_sec ||
         (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec);
}

static void *take(void *unused) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 2;
  pthread_mutex_lock(&lock);
  int error = 0;
  while (!item && !error)
    error = pthread_cond_timedwait(&made, &lock, &until);
  pthread_mutex_unlock(&lock);
  assert((BUG != 1 && !error) || is_over(&until));
  error = pthread_mutex_timedlock(&kept, &start);
  assert(!error || (error == ETIMEDOUT && is_over(&start)));
  if (!error)
    pthread_mutex_unlock(&kept);
  return unused;
}

int main(void) {
  pthread_t taker;
  pthread_mutex_lock(&kept);
  pthread_create(&taker, NULL, take, NULL);
  pthread_mutex_lock(&lock);
  item = 1;
  pthread_cond_signal(&made);
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&kept);
  pthread_join(taker, NULL);
  return 0;
}
