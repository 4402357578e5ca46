// Three threads take two of three locks each.
//
// bug 1: deadlock  they are taken in a circle

#include <pthread.h>

static pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};
static const int pairs[3][2] = {{0, 1},
                                {1, 2},
#if BUG == 1
                                {2, 0}
#else
                                {0, 2}
#endif
};

static void *take(void *pair) {
  const int *lock = pair;
  pthread_mutex_lock(&locks[lock[0]]);
  pthread_mutex_lock(&locks[lock[1]]);
  pthread_mutex_unlock(&locks[lock[1]]);
  pthread_mutex_unlock(&locks[lock[0]]);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, take, (void *)pairs[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
