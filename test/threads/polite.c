// Two threads need two locks, and none wants to hold one up.
//
// bug 1: unknown  each gives its lock back and tries again, and does not count
//                 how often: no schedule of these comes to an end

#include <pthread.h>
#include <sched.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static int held;
#if BUG == 1
static _Atomic int is_first_tried, is_second_tried;
#endif

static void *from_left(void *unused) {
#if BUG == 1
  for (;;) {
    pthread_mutex_lock(&left);
    is_first_tried = 1;
    if (!is_second_tried)
      break;
    is_first_tried = 0;
    pthread_mutex_unlock(&left);
    sched_yield();
  }
#else
  pthread_mutex_lock(&left);
#endif
  pthread_mutex_lock(&right);
  held++;
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return unused;
}

static void *from_right(void *unused) {
#if BUG == 1
  for (;;) {
    pthread_mutex_lock(&right);
    is_second_tried = 1;
    if (!is_first_tried)
      break;
    pthread_mutex_unlock(&right);
    sched_yield();
  }
  pthread_mutex_unlock(&right);
#endif
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  held++;
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, from_left, NULL);
  pthread_create(&two, NULL, from_right, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return held != 2;
}
