// Two threads clear the halves of a large array, and read an element behind it.
//
// bug 1: race       one thread writes to the last element of the other one
// bug 2: race       the threads write to one element that both have read

#include <assert.h>
#include <pthread.h>
#include <string.h>

enum { CELLS = 12000, HALF = CELLS / 2 };

static long cells[CELLS + 2], seen[2];

static void *work(void *unused) {
  long half = (long *)unused - seen;
  memset(cells + half * HALF, 0, HALF * sizeof *cells);
  seen[half] = cells[CELLS];
#if BUG == 1
  cells[half ? HALF - 1 : 0]++;
#elif BUG == 2
  cells[CELLS] = 1;
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  cells[CELLS] = 1;
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, work, &seen[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(seen[0] == 1 && seen[1] == 1);
  return 0;
}
