// What is to be done once, whoever comes first.
//
// bug 1: assertion  others go on before it is done
// bug 2: assertion  two do it

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#if BUG
static atomic_int state; // 1: begun; 2: done
#else
static pthread_once_t once = PTHREAD_ONCE_INIT;
#endif
static atomic_int times, value;

static void begin(void) {
  atomic_fetch_add(&times, 1);
  atomic_store(&value, 9);
}

static void begin_once(void) {
#if BUG == 1
  int none = 0;
  if (atomic_compare_exchange_strong(&state, &none, 1))
    begin();
#elif BUG == 2
  if (state != 2) {
    begin();
    state = 2;
  }
#else
  pthread_once(&once, begin);
#endif
}

static void *use(void *unused) {
  begin_once();
  assert(value == 9);
  assert(times == 1);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, use, NULL);
  pthread_create(&two, NULL, use, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
