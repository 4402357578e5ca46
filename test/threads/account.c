// Two threads change an account, one looks at it; the balance is read and
// written in two steps.
//
// bug 1:   assertion  the withdrawal is not in the lock
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void *deposit(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  balance = balance + 5;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *withdraw(void *arg) {
  (void)arg;
#if BUG != 1
  pthread_mutex_lock(&lock);
#endif
  balance = balance - 3;
#if BUG != 1
  pthread_mutex_unlock(&lock);
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, deposit, NULL);
  pthread_create(&b, NULL, withdraw, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(balance == 12);
  return 0;
}
