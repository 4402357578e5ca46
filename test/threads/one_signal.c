// Several threads wait for a gate to open.
//
// bug 1: deadlock  one of them is woken

#include <pthread.h>

enum { WAITING = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open;

static void *pass(void *unused) {
  pthread_mutex_lock(&lock);
  while (!is_open)
    pthread_cond_wait(&opened, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[WAITING];
  for (int i = 0; i < WAITING; i++)
    pthread_create(&threads[i], NULL, pass, NULL);
  pthread_mutex_lock(&lock);
  is_open = 1;
#if BUG == 1
  pthread_cond_signal(&opened);
#else
  pthread_cond_broadcast(&opened);
#endif
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < WAITING; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
