// Three stages hand numbers on through cells that are full or empty.
//
// bug 1: deadlock             the middle stage waits for its output first
// bug 2: assertion, deadlock  a cell is filled that nobody has emptied

#include <assert.h>
#include <pthread.h>

enum { ITEMS = 2 };

typedef struct Cell {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int is_full, value;
} Cell;

#define EMPTY {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0}

static Cell first = EMPTY, second = EMPTY;

static void wait_until(Cell *cell, int is_full) {
  while (cell->is_full != is_full)
    pthread_cond_wait(&cell->changed, &cell->lock);
}

static void put(Cell *cell, int value) {
  pthread_mutex_lock(&cell->lock);
#if BUG != 2
  wait_until(cell, 0);
#endif
  cell->value = value;
  cell->is_full = 1;
  pthread_cond_broadcast(&cell->changed);
  pthread_mutex_unlock(&cell->lock);
}

static int get(Cell *cell) {
  pthread_mutex_lock(&cell->lock);
  wait_until(cell, 1);
  int value = cell->value;
  cell->is_full = 0;
  pthread_cond_broadcast(&cell->changed);
  pthread_mutex_unlock(&cell->lock);
  return value;
}

static void *produce(void *unused) {
  for (int i = 1; i <= ITEMS; i++)
    put(&first, i);
  return unused;
}

static void *square(void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
#if BUG == 1
    pthread_mutex_lock(&second.lock);
    wait_until(&second, i > 1);
    pthread_mutex_unlock(&second.lock);
#endif
    int value = get(&first);
    put(&second, value * value);
  }
  return unused;
}

int main(void) {
  pthread_t producer, squarer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&squarer, NULL, square, NULL);
  for (int i = 1; i <= ITEMS; i++)
    assert(get(&second) == i * i);
  pthread_join(producer, NULL);
  pthread_join(squarer, NULL);
  return 0;
}
