// Two small members of a structure, in one word: a thread writes both, and the
// other one, which asks whether that was done, reads them.
//
// bug 1: race  to ask a semaphore for its value orders nothing: the first
// member bug 2: race  the last member bug 3: race  each thread has a member,
// but main reads both before it joins

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static struct {
  int first;
  short second, last;
} both;
static sem_t written;

static void *work(void *unused) {
  both.first = 1;
  both.second = 2;
#if BUG != 3
  both.last = 3;
#endif
  sem_post(&written);
  return unused;
}

static void *work_other(void *unused) {
  both.last = 3;
  sem_post(&written);
  return unused;
}

int main(void) {
  pthread_t thread, other;
  int sum = 0, value = 0;
  sem_init(&written, 0, 0);
  pthread_create(&thread, NULL, work, NULL);
#if BUG == 3
  pthread_create(&other, NULL, work_other, NULL);
  pthread_join(other, NULL);
  sum = both.first;
#else
  (void)other;
  (void)work_other;
  while (sem_getvalue(&written, &value), !value)
    sched_yield();
#endif
#if BUG == 1
  sum = both.first;
#elif BUG == 2
  sum = both.last;
#endif
#if BUG == 0
  sem_wait(&written);
  sum = both.first + both.second + both.last - 6;
#endif
  pthread_join(thread, NULL);
  return sum * 0;
}
