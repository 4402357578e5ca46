// Three philosophers, three forks.
//
// bug 1:   deadlock  all take the left fork first
#include <pthread.h>

enum { SEATS = 3 };
static pthread_mutex_t forks[SEATS];
static int meals[SEATS];

static void *dine(void *arg) {
  int seat = (int)(long)arg, left = seat, right = (seat + 1) % SEATS;
#if BUG != 1
  if (left > right) {
    int kept = left;
    left = right;
    right = kept;
  }
#endif
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  meals[seat]++;
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return NULL;
}

int main(void) {
  pthread_t threads[SEATS];
  for (int i = 0; i < SEATS; i++)
    pthread_mutex_init(&forks[i], NULL);
  for (long i = 0; i < SEATS; i++)
    pthread_create(&threads[i], NULL, dine, (void *)i);
  for (int i = 0; i < SEATS; i++)
    pthread_join(threads[i], NULL);
  return meals[0] + meals[1] + meals[2] - SEATS;
}
