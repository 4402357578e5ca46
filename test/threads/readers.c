// The first reader locks writers out, and the last one lets them in again.
//
// bug 1: assertion  readers are counted without the lock
// bug 2: assertion  any reader lets them in

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static sem_t writing;
static atomic_int readers, is_written;

static void *read(void *unused) {
#if BUG != 1
  pthread_mutex_lock(&counting);
#endif
  if (atomic_fetch_add(&readers, 1) == 0)
    sem_wait(&writing);
#if BUG != 1
  pthread_mutex_unlock(&counting);
#endif
  assert(!is_written);
  pthread_mutex_lock(&counting);
  if (atomic_fetch_sub(&readers, 1) == 1 || BUG == 2)
    sem_post(&writing);
  pthread_mutex_unlock(&counting);
  return unused;
}

static void *write(void *unused) {
  sem_wait(&writing);
  is_written = 1;
  is_written = 0;
  sem_post(&writing);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  sem_init(&writing, 0, 1);
  pthread_create(&threads[0], NULL, read, NULL);
  pthread_create(&threads[1], NULL, write, NULL);
  pthread_create(&threads[2], NULL, read, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
