// Each thread has a buffer of its own, which is freed when it ends.
//
// bug 1: use-after-free  a buffer is handed to another thread, and freed

#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *last;

static void *work(void *number) {
  int *buffer = malloc(sizeof *buffer);
  *buffer = *(int *)number;
  pthread_setspecific(key, buffer);
  pthread_mutex_lock(&lock);
#if BUG == 1
  if (last)
    *buffer += *last;
  last = pthread_getspecific(key);
#else
  if (!last)
    last = number;
#endif
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t one, two;
  int numbers[2] = {1, 2};
  pthread_key_create(&key, free);
  pthread_create(&one, NULL, work, &numbers[0]);
  pthread_create(&two, NULL, work, &numbers[1]);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  pthread_key_delete(key);
  return 0;
}
