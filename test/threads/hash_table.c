// Threads put keys into a table without a lock; each key has one place.
//
// bug 1: assertion  a place is looked at and then taken

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 4, THREADS = 3 };

static atomic_int table[SIZE];

static void insert(int key) {
  for (int at = key % 2;; at = (at + 1) % SIZE) {
#if BUG == 1
    if (atomic_load(&table[at]) == 0) {
      atomic_store(&table[at], key);
      return;
    }
#else
    int none = 0;
    if (atomic_compare_exchange_strong(&table[at], &none, key))
      return;
#endif
  }
}

static void *work(void *key) {
  insert(*(int *)key);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  int keys[THREADS], found = 0;
  for (int i = 0; i < THREADS; i++) {
    keys[i] = i + 1;
    pthread_create(&threads[i], NULL, work, &keys[i]);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < SIZE; i++)
    found += table[i] != 0;
  assert(found == THREADS);
  return 0;
}
