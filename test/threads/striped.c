// A table with a lock for each part, and one that takes them all.
//
// bug 1:    assertion  the sum is taken under one lock after another
// bug 2:    deadlock   who takes them all does not begin at the first
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { PARTS = 3 };

static pthread_mutex_t locks[PARTS] = {PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};
static int amounts[PARTS] = {1, 2, 3};

static void move(int from, int to) {
  int low = from < to ? from : to, high = from < to ? to : from;
  pthread_mutex_lock(&locks[low]);
  pthread_mutex_lock(&locks[high]);
  amounts[from]--;
  amounts[to]++;
  pthread_mutex_unlock(&locks[high]);
  pthread_mutex_unlock(&locks[low]);
}

static int sum(void) {
  int total = 0;
#if BUG == 1
  for (int i = 0; i < PARTS; i++) {
    pthread_mutex_lock(&locks[i]);
    total += amounts[i];
    pthread_mutex_unlock(&locks[i]);
  }
#else
  for (int i = 0; i < PARTS; i++)
    pthread_mutex_lock(&locks[BUG == 2 ? PARTS - 1 - i : i]);
  for (int i = 0; i < PARTS; i++)
    total += amounts[i];
  for (int i = 0; i < PARTS; i++)
    pthread_mutex_unlock(&locks[i]);
#endif
  return total;
}

static void *move_some(void *arg) {
  move(2, 0);
  move(0, 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, move_some, NULL);
  assert(sum() == 6);
  pthread_join(thread, NULL);
  return 0;
}
