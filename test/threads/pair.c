// A point moves along the diagonal.
//
// bug 1: assertion  a reader takes no lock for its second coordinate
// bug 2: race       readers take no lock

#include <assert.h>
#include <pthread.h>

typedef struct Point {
  int x, y;
} Point;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Point point;

static void *move(void *unused) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    point.x++;
    point.y++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *look(void *unused) {
#if BUG == 2
  Point seen = point;
  (void)seen;
#else
  Point seen;
  pthread_mutex_lock(&lock);
  seen.x = point.x;
#if BUG == 1
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
#endif
  seen.y = point.y;
  pthread_mutex_unlock(&lock);
  assert(seen.x == seen.y);
#endif
  return unused;
}

int main(void) {
  pthread_t mover, looker;
  pthread_create(&mover, NULL, move, NULL);
  pthread_create(&looker, NULL, look, NULL);
  pthread_join(mover, NULL);
  pthread_join(looker, NULL);
  return 0;
}
