// A thread works on memory that its maker frees.
//
// bug 1: use-after-free  the maker does not wait for it
// bug 2: leak            nobody frees it
// bug 3: misuse          it is detached behind the join

#include <pthread.h>
#include <stdlib.h>

static void *fill(void *cells) {
  for (int i = 0; i < 2; i++)
    __atomic_store_n((int *)cells + i, i, __ATOMIC_RELAXED);
  return NULL;
}

int main(void) {
  pthread_t thread;
  int *cells = calloc(2, sizeof *cells);
  pthread_create(&thread, NULL, fill, cells);
#if BUG == 1
  free(cells);
#endif
  pthread_join(thread, NULL);
#if BUG != 1 && BUG != 2
  free(cells);
#endif
#if BUG == 3
  pthread_detach(thread);
#endif
  return 0;
}
