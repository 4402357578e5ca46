// A thread keeps a stream locked until it has another one's answer, which uses
// another stream meanwhile.
//
// args: -D_GNU_SOURCE
// bug 1: deadlock  the other one sees to it that all is written there
// bug 2: deadlock  ... to all streams
// bug 3: deadlock  ... warns there
// bug 4: deadlock  ... tells an error
// bug 5: deadlock  ... asks for lines to be kept back

#include <err.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused) {
#if BUG == 1
  fflush(stderr);
#elif BUG == 2
  fflush(NULL);
#elif BUG == 3
  warnx("late");
#elif BUG == 4
  perror("late");
#elif BUG == 5
  setvbuf(stderr, NULL, _IOLBF, 0);
#endif
  fflush(stdout);
  fflush_unlocked(stderr);
  return unused;
}

int main(void) {
  pthread_t thread;
  flockfile(stderr);
  fflush(NULL);
  perror("own");
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  funlockfile(stderr);
  return 0;
}
