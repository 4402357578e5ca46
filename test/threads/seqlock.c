// A writer counts before and after; readers try again where it has moved.
//
// bug 1: assertion  readers do not ask whether somebody writes just now
// bug 2: assertion  readers do not ask again

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int one, two;

static void *update(void *unused) {
  atomic_fetch_add(&sequence, 1);
  atomic_store(&one, 7);
  atomic_store(&two, 7);
  atomic_fetch_add(&sequence, 1);
  return unused;
}

static void *look(void *unused) {
  unsigned before, after;
  int a, b;
  do {
    before = atomic_load(&sequence);
#if BUG != 1
    while (before % 2) {
      sched_yield();
      before = atomic_load(&sequence);
    }
#endif
    a = atomic_load(&one);
    b = atomic_load(&two);
    after = atomic_load(&sequence);
  } while (BUG != 2 && before != after);
  assert(a == b);
  return unused;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, NULL, update, NULL);
  pthread_create(&reader, NULL, look, NULL);
  pthread_join(writer, NULL);
  pthread_join(reader, NULL);
  return 0;
}
