// A barrier of our own, passed twice by the same threads.
//
// bug 1: assertion  the count is not that of this round
// bug 2: deadlock   the count is set back by whoever wakes up, not by the last

#include <assert.h>
#include <pthread.h>

enum { THREADS = 2, ROUNDS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int arrived;
#if !BUG
static int round_number;
#endif
static _Atomic int progress[THREADS];

static void meet(void) {
  pthread_mutex_lock(&lock);
#if BUG == 1
  if (++arrived % THREADS == 0)
    pthread_cond_broadcast(&full);
  else if (arrived < THREADS)
    pthread_cond_wait(&full, &lock);
#elif BUG == 2
  if (++arrived == THREADS)
    pthread_cond_broadcast(&full);
  while (arrived != THREADS && arrived)
    pthread_cond_wait(&full, &lock);
  arrived = 0;
#else
  int mine = round_number;
  if (++arrived == THREADS) {
    arrived = 0;
    round_number++;
    pthread_cond_broadcast(&full);
  }
  while (mine == round_number)
    pthread_cond_wait(&full, &lock);
#endif
  pthread_mutex_unlock(&lock);
}

static void *work(void *number) {
  int me = *(int *)number;
  for (int i = 1; i <= ROUNDS; i++) {
    progress[me] = i;
    meet();
    assert(progress[1 - me] >= i);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS] = {0, 1};
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
