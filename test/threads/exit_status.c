// The exit status says whether both halves were done in order.
//
// bug 1: failed  nobody waits for the first half

#include <pthread.h>

static _Atomic int done;

static void *first_half(void *arg) {
  done = 1;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, first_half, NULL);
#if BUG != 1
  pthread_join(thread, NULL);
#endif
  return done ? 3 : 4;
}
