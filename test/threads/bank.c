// Money goes from account to account; the sum stays what it was.
//
// bug 1:   assertion  the two halves of a transfer are in two critical sections
// bug 2:   deadlock   each transfer takes its own account's lock first
#include <assert.h>
#include <pthread.h>

enum { ACCOUNTS = 2 };
static pthread_mutex_t locks[ACCOUNTS] = {PTHREAD_MUTEX_INITIALIZER,
                                          PTHREAD_MUTEX_INITIALIZER};
static int balances[ACCOUNTS] = {100, 100};

static void take_both(int from, int to) {
#if BUG == 2
  pthread_mutex_lock(&locks[from]);
  pthread_mutex_lock(&locks[to]);
#else
  pthread_mutex_lock(&locks[from < to ? from : to]);
  pthread_mutex_lock(&locks[from < to ? to : from]);
#endif
}

static void give_both(void) {
  pthread_mutex_unlock(&locks[0]);
  pthread_mutex_unlock(&locks[1]);
}

static void transfer(int from, int to, int amount) {
  take_both(from, to);
  balances[from] -= amount;
#if BUG == 1
  give_both();
  take_both(from, to);
#endif
  balances[to] += amount;
  give_both();
}

static void *there(void *arg) {
  transfer(0, 1, 10);
  return arg;
}

static void *back(void *arg) {
  transfer(1, 0, 20);
  return arg;
}

static void *audit(void *arg) {
  take_both(0, 1);
  assert(balances[0] + balances[1] == 200);
  give_both();
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, there, NULL);
  pthread_create(&b, NULL, back, NULL);
  pthread_create(&c, NULL, audit, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
