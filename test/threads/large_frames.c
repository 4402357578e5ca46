// Threads whose local arrays are as large as the system's default lets them be.
//
// bug 1: stack-overflow  they are larger than that
// bug 2: assertion       both have the same place for their sum

#include <assert.h>
#include <pthread.h>
#include <string.h>

#define MEGABYTES(n) ((size_t)(n) << 20)
static int sum;

// As an array that is filled, of which only the ends are: it is faster.
static __attribute__((noinline)) void fill(char *all, size_t bytes,
                                           int number) {
  memset(all, number, 100);
  all[bytes - 1] = (char)number;
}

static void *add(void *number) {
  char all[MEGABYTES(BUG == 1 ? 9 : 6)];
  fill(all, sizeof all, *(int *)number);
#if BUG == 2
  sum += all[50];
#else
  __atomic_fetch_add(&sum, all[50], __ATOMIC_SEQ_CST);
#endif
  return number;
}

int main(void) {
  pthread_t threads[2];
  int numbers[] = {3, 4};
  size_t bytes;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_getstacksize(&attributes, &bytes);
  assert(bytes == MEGABYTES(8));
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, add, &numbers[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(sum == 7);
  return 0;
}
