// A deque: its owner takes from one end, a thief from the other.
//
// bug 1:   assertion  the owner takes the last one without asking the thief
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int head, tail, taken[4];

static void use(int item) { assert(atomic_fetch_add(&taken[item], 1) == 0); }

static void *own(void *arg) {
  for (int i = 0; i < 2; i++) {
    int last = atomic_fetch_sub(&tail, 1) - 1, first = head;
    if (last > first) {
      use(last);
      continue;
    }
    if (last < first) {
      tail = first;
      continue;
    }
#if BUG == 1
    use(last);
    head = first + 1;
#else
    if (atomic_compare_exchange_strong(&head, &first, first + 1))
      use(last);
#endif
    tail = last + 1;
  }
  return arg;
}

static void *steal(void *arg) {
  for (int i = 0; i < 2; i++) {
    int first = head;
    if (first < tail &&
        atomic_compare_exchange_strong(&head, &first, first + 1))
      use(first);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  tail = 2;
  pthread_create(&a, NULL, own, NULL);
  pthread_create(&b, NULL, steal, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
