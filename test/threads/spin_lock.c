// Two spin locks around two counters.
//
// bug 1: deadlock  they are taken in opposite order
// bug 2: race      one counter is changed under the other lock

#include <pthread.h>

static pthread_spinlock_t first, second;
static int one, two;

static void *change_one(void *unused) {
  pthread_spin_lock(&first);
#if BUG == 1
  pthread_spin_lock(&second);
  one += two;
  pthread_spin_unlock(&second);
#else
  one++;
#endif
  pthread_spin_unlock(&first);
  return unused;
}

static void *change_two(void *unused) {
  pthread_spin_lock(&second);
#if BUG == 1
  pthread_spin_lock(&first);
  two += one;
  pthread_spin_unlock(&first);
#elif BUG == 2
  one++;
#else
  two++;
#endif
  pthread_spin_unlock(&second);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_spin_init(&first, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_init(&second, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, NULL, change_one, NULL);
  pthread_create(&b, NULL, change_two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return one + two < 0;
}
