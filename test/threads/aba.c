// A free list without a lock, whose head has a counter.
//
// bug 1:   assertion  the head has no counter: a node that went and came back
//                     is taken for one that never went
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct Node {
  atomic_int next; // number + 1; 0: none
  atomic_int users;
} Node;

static Node nodes[3];
static _Atomic long head;

#if BUG == 1
#define COUNT 0
#else
#define COUNT 256
#endif

static int pop(void) {
  long old = head;
  while (old & 255) {
    int node = (int)(old & 255) - 1;
    long next = nodes[node].next | ((old & ~255L) + COUNT);
    if (atomic_compare_exchange_strong(&head, &old, next)) {
      assert(atomic_fetch_add(&nodes[node].users, 1) == 0);
      return node;
    }
  }
  return -1;
}

static void give_back(int node) {
  long old = head, next;
  atomic_fetch_sub(&nodes[node].users, 1);
  do {
    nodes[node].next = (int)(old & 255);
    next = (node + 1) | ((old & ~255L) + COUNT);
  } while (!atomic_compare_exchange_strong(&head, &old, next));
}

static void *take_one(void *arg) {
  pop();
  return arg;
}

static void *take_two_and_give(void *arg) {
  int a = pop();
  int b = pop();
  if (a >= 0)
    give_back(a);
  (void)b;
  pop();
  pop();
  return arg;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 3; i++)
    nodes[i].next = i < 2 ? i + 2 : 0;
  head = 1;
  pthread_create(&a, NULL, take_one, NULL);
  pthread_create(&b, NULL, take_two_and_give, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
