// Memory that stays to the end, and is known to the end.
//
// bug 1: leak  the list is forgotten
// bug 2: leak  one of two threads forgets what it has made

#include <pthread.h>
#include <stdlib.h>

typedef struct Node {
  struct Node *next;
} Node;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Node *head;
static int count;

static void *add(void *arg) {
  Node *node = malloc(sizeof *node);
  pthread_mutex_lock(&lock);
  node->next = head;
  if (BUG != 2 || !count++)
    head = node;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#if BUG == 1
  head = NULL;
#endif
  return 0;
}
