// A queue of two places with two counters.
//
// bug 1:   assertion  the counter is raised before the place is filled
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int places[2], filled, emptied;

static void *put(void *arg) {
  for (int i = 0; i < 3; i++) {
    if (filled - emptied == 2)
      continue;
#if BUG == 1
    int at = atomic_fetch_add(&filled, 1);
    places[at % 2] = at + 1;
#else
    int at = filled;
    places[at % 2] = at + 1;
    filled = at + 1;
#endif
  }
  return arg;
}

static void *get(void *arg) {
  for (int i = 0; i < 3; i++) {
    if (filled == emptied)
      continue;
    int at = emptied;
    assert(places[at % 2] == at + 1);
    emptied = at + 1;
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, put, NULL);
  pthread_create(&b, NULL, get, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
