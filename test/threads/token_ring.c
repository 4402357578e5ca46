// Each thread adds one to what the one before has.
//
// bug 1:   assertion  nobody waits for the one before
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t turns[4];
static int values[4] = {1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *pass_on(void *arg) {
  int self = (int)(long)arg;
#if BUG != 1
  sem_wait(&turns[self - 1]);
#endif
  pthread_mutex_lock(&lock);
  values[self] = values[self - 1] + 1;
  pthread_mutex_unlock(&lock);
  sem_post(&turns[self]);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 4; i++)
    sem_init(&turns[i], 0, i == 0);
  for (long i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, pass_on, (void *)(i + 1));
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  assert(values[3] == 4);
  return 0;
}
