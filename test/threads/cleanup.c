// A thread that ends early gives its lock back by a cleanup handler; handlers run
// from the last one to the first, and before the destructors of keys.
//
// bug 1: deadlock   nobody gives the lock back
// bug 2: assertion  the handler was taken away before the thread ends

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int order, ended;

static void unlock(void *mutex) {
  assert(order++ == 1);
#if BUG != 1
  pthread_mutex_unlock(mutex);
#endif
}

static void note(void *place) { *(int *)place = ++order; }

static void destroy(void *block) {
  assert(order == 2);
  free(block);
}

static void *work(void *arg) {
  pthread_setspecific(key, malloc(4));
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  pthread_cleanup_push(note, &ended);
#if BUG == 2
  pthread_cleanup_pop(0);
  pthread_exit(arg);
#else
  pthread_exit(arg);
  pthread_cleanup_pop(0);
#endif
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_key_create(&key, destroy);
  pthread_create(&thread, NULL, work, &lock);
  pthread_join(thread, &result);
  assert(result == &lock && ended == 1 && order == 2);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return 0;
}
