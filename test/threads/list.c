// A list is searched while a node is taken out of it.
//
// bug 1: use-after-free  the search locks for each step alone
// bug 2: assertion       two insert at the head without looking again

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Node {
  struct Node *next;
  int value;
} Node;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Node *_Atomic head;

static void insert(int value) {
  Node *node = malloc(sizeof *node);
  node->value = value;
#if BUG == 2
  node->next = head;
  head = node;
#else
  pthread_mutex_lock(&lock);
  node->next = head;
  head = node;
  pthread_mutex_unlock(&lock);
#endif
}

static int sum(void) {
  int sum = 0;
  pthread_mutex_lock(&lock);
  for (Node *node = head; node; node = node->next) {
    sum += node->value;
#if BUG == 1
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
  }
  pthread_mutex_unlock(&lock);
  return sum;
}

static void *add(void *unused) {
  insert(4);
  return unused;
}

static void *search(void *unused) {
#if BUG == 2
  insert(8);
#else
  sum();
#endif
  return unused;
}

static void drop(void) {
  pthread_mutex_lock(&lock);
  Node *first = head;
  head = first->next;
  pthread_mutex_unlock(&lock);
  free(first);
}

int main(void) {
  pthread_t adder, searcher;
  insert(1);
  pthread_create(&adder, NULL, add, NULL);
  pthread_create(&searcher, NULL, search, NULL);
  pthread_join(adder, NULL);
#if BUG == 1
  drop();
  drop();
  pthread_join(searcher, NULL);
#else
  pthread_join(searcher, NULL);
  assert(sum() == (BUG == 2 ? 13 : 5));
  while (head)
    drop();
#endif
  return 0;
}
