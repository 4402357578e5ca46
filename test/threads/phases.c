// Work in two phases; the second one uses what the first one of all has made.
//
// bug 1: assertion  the second begins when one thread has ended the first
// bug 2: deadlock   whoever comes last does not wake the others

#include <assert.h>
#include <pthread.h>

enum { THREADS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all = PTHREAD_COND_INITIALIZER;
static int finished;
static _Atomic int made[THREADS];

static void end_of_first(void) {
  pthread_mutex_lock(&lock);
  finished++;
  while (finished < (BUG == 1 ? 1 : THREADS))
    pthread_cond_wait(&all, &lock);
#if BUG != 2
  pthread_cond_broadcast(&all);
#endif
  pthread_mutex_unlock(&lock);
}

static void *work(void *number) {
  int me = *(int *)number;
  made[me] = 1;
  end_of_first();
  assert(made[1 - me]);
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
