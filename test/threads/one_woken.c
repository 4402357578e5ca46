// Two threads wait for a word to change, and are woken one by one: whoever has
// waited longer goes on first, which may be either.
//
// args: -D_GNU_SOURCE
// bug 1: deadlock  the thread that was created first is joined before the other
//                  one is woken
// bug 2: deadlock  ... the second one

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *work(void *unused) {
  while (!word)
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
  return unused;
}

static void wake_one(void) {
  syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  word = 1;
  wake_one();
#if BUG
  pthread_join(threads[BUG - 1], NULL);
#endif
  wake_one();
  for (int i = 0; i < 2; i++)
    if (i != BUG - 1)
      pthread_join(threads[i], NULL);
  return 0;
}
