// A queue whose functions call each other under one recursive mutex.
//
// bug 1:    deadlock    it waits while it has the mutex twice
// bug 2:    assertion   an entry is taken though none is there

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int entries;

static void enter(void) { pthread_mutex_lock(&lock); }
static void leave(void) { pthread_mutex_unlock(&lock); }

static int count(void) {
  enter();
  int found = entries;
  leave();
  return found;
}

static void *fill(void *arg) {
  enter();
  entries++;
  pthread_cond_signal(&filled);
  leave();
  return arg;
}

static void take(void) {
  enter();
  if (BUG == 1)
    enter();
  while (BUG != 2 && !count())
    pthread_cond_wait(&filled, &lock);
  assert(count() > 0);
  entries--;
  if (BUG == 1)
    leave();
  leave();
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
  pthread_create(&thread, NULL, fill, NULL);
  take();
  pthread_join(thread, NULL);
  assert(!entries);
  return 0;
}
