// Data and the number that belongs to it, under two locks, one after another.
//
// args:    -DN=2
// bug 1:   assertion  a reader comes in between
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int data, copy;

static void *write_both(void *arg) {
  pthread_mutex_lock(&first);
  data = 1;
#if BUG == 1
  pthread_mutex_unlock(&first);
#endif
  pthread_mutex_lock(&second);
  copy = data + 1;
  pthread_mutex_unlock(&second);
#if BUG != 1
  pthread_mutex_unlock(&first);
#endif
  return arg;
}

static void *read_both(void *arg) {
  pthread_mutex_lock(&first);
  int seen = data;
  if (seen) {
    pthread_mutex_lock(&second);
    assert(copy == seen + 1);
    pthread_mutex_unlock(&second);
  }
  pthread_mutex_unlock(&first);
  return arg;
}

int main(void) {
  pthread_t writers[N], reader;
  for (int i = 0; i < N; i++)
    pthread_create(&writers[i], NULL, write_both, NULL);
  pthread_create(&reader, NULL, read_both, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(writers[i], NULL);
  pthread_join(reader, NULL);
  return 0;
}
