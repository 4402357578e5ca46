// Threads write lines into one log; each line is a number of its own and a
// text.
//
// bug 1: assertion  the place and the number are drawn one after the other

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2 };

static atomic_int place, number;
static atomic_int lines[THREADS];

static void *note(void *unused) {
  int at = atomic_fetch_add(&place, 1);
#if BUG == 1
  lines[at] = atomic_fetch_add(&number, 1);
#else
  lines[at] = at;
#endif
  return unused;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, note, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    assert(lines[i] == i);
  return number > THREADS;
}
