// Two tasks need two resources that semaphores count.
//
// bug 1: deadlock  they take them in opposite order
// bug 2: deadlock  one of them forgets to give one back
// bug 3: misuse    one is destroyed while a task may still want it
// bug 4: misuse    one is never initialised

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t paper, pen;

static void *write(void *unused) {
  sem_wait(&paper);
  sem_wait(&pen);
  sem_post(&pen);
#if BUG != 2
  sem_post(&paper);
#endif
  return unused;
}

static void *draw(void *unused) {
#if BUG == 1
  sem_wait(&pen);
  sem_wait(&paper);
#else
  sem_wait(&paper);
  sem_wait(&pen);
#endif
  sem_post(&paper);
  sem_post(&pen);
  return unused;
}

int main(void) {
  pthread_t one, two;
  sem_init(&paper, 0, 1);
  sem_init(&pen, 0, 1);
  pthread_create(&one, NULL, write, NULL);
  pthread_create(&two, NULL, draw, NULL);
  pthread_join(one, NULL);
#if BUG == 3
  sem_destroy(&pen);
#endif
  pthread_join(two, NULL);
#if BUG != 3
  sem_destroy(&pen);
#endif
  sem_init(&pen, 0, 2);
  sem_wait(&pen);
  sem_destroy(&pen);
  sem_t *given = malloc(sizeof *given);
#if BUG != 4
  sem_init(given, 0, 0);
#endif
  sem_post(given);
  free(given);
  return 0;
}
