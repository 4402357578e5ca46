// Readers and writers with condition variables; who writes goes first.
//
// bug 1:    assertion  a reader comes in beside a writer
// bug 2:    deadlock   the last reader does not wake a writer
// bug 3:    deadlock   a writer wakes readers only while no writer waits
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t may_read = PTHREAD_COND_INITIALIZER;
static pthread_cond_t may_write = PTHREAD_COND_INITIALIZER;
static int readers, writers, waiting_writers;
static int a, b;

static void *reader(void *arg) {
  pthread_mutex_lock(&mutex);
#if BUG == 1
  while (waiting_writers)
#else
  while (writers || waiting_writers)
#endif
    pthread_cond_wait(&may_read, &mutex);
  readers++;
  pthread_mutex_unlock(&mutex);
  int one = __atomic_load_n(&a, __ATOMIC_SEQ_CST);
  int other = __atomic_load_n(&b, __ATOMIC_SEQ_CST);
  assert(one == other);
  pthread_mutex_lock(&mutex);
  if (!--readers && BUG != 2)
    pthread_cond_signal(&may_write);
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *writer(void *arg) {
  pthread_mutex_lock(&mutex);
  waiting_writers++;
  while (readers || writers)
    pthread_cond_wait(&may_write, &mutex);
  waiting_writers--;
  writers++;
  pthread_mutex_unlock(&mutex);
  __atomic_fetch_add(&a, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&b, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&mutex);
  writers--;
#if BUG == 3
  if (waiting_writers)
    pthread_cond_signal(&may_write);
  else if (readers)
    pthread_cond_broadcast(&may_read);
#else
  pthread_cond_signal(&may_write);
  pthread_cond_broadcast(&may_read);
#endif
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, writer, NULL);
  pthread_create(&threads[2], NULL, reader, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  assert(a == 1 && b == 1);
  return 0;
}
