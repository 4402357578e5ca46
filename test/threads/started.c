// A function starts a thread, with an argument that lives as long as the thread,
// and main waits for it.
//
// bug 1: use-after-free   a variable of the function, which has returned
// bug 2: use-after-free   ... that main has called before something else

#include <pthread.h>
#include <sched.h>

static pthread_t thread;
static int sum, kept = 1;

static void *work(void *argument) {
  sum += *(int *)argument;
  return 0;
}

static void start(void) {
  int own = 1;
  pthread_create(&thread, 0, work, BUG ? &own : &kept);
}

int main(void) {
  start();
  if (BUG == 2)
    sched_yield();
  pthread_join(thread, 0);
  return 0;
}
