// Lamport's bakery: numbers are drawn, and the smallest is next.
//
// bug 1: assertion  it is not told that somebody is drawing
// bug 2: assertion  equal numbers are not told apart

#include <assert.h>
#include <pthread.h>
#include <sched.h>

enum { THREADS = 2 };

static _Atomic int is_drawing[THREADS], numbers[THREADS], inside;

static int is_before(int number, int thread, int mine, int me) {
#if BUG == 2
  (void)thread, (void)me;
  return number < mine;
#else
  return number < mine || (number == mine && thread < me);
#endif
}

static void draw(int me) {
#if BUG != 1
  is_drawing[me] = 1;
#endif
  int most = 0;
  for (int i = 0; i < THREADS; i++) {
    int number = numbers[i];
    if (number > most)
      most = number;
  }
  numbers[me] = most + 1;
  is_drawing[me] = 0;
}

static void *enter(void *thread) {
  int me = *(int *)thread;
  draw(me);
  for (int i = 0; i < THREADS; i++) {
    while (is_drawing[i])
      sched_yield();
    for (int number;
         (number = numbers[i]) != 0 && is_before(number, i, numbers[me], me);)
      sched_yield();
  }
  assert(++inside == 1);
  inside--;
  numbers[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int ids[THREADS];
  for (int i = 0; i < THREADS; i++) {
    ids[i] = i;
    pthread_create(&threads[i], NULL, enter, &ids[i]);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
