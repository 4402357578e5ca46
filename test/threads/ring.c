// A bounded queue of many putters and takers, by numbers in its cells.
//
// After Vyukov's bounded MPMC queue.
//
// bug 1:    assertion  a cell is handed on before it was filled
// bug 2:    assertion  two takers come to one cell
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { CELLS = 2 };

typedef struct Cell {
  atomic_uint turn;
  atomic_int value;
} Cell;

static Cell cells[CELLS];
static atomic_uint head, tail;
static atomic_int sum;

static void put(int value) {
  for (;;) {
    unsigned at = atomic_load(&tail);
    Cell *cell = &cells[at % CELLS];
    if (atomic_load(&cell->turn) != at ||
        !atomic_compare_exchange_strong(&tail, &at, at + 1))
      continue;
#if BUG == 1
    atomic_store(&cell->turn, at + 1);
    atomic_store(&cell->value, value);
#else
    atomic_store(&cell->value, value);
    atomic_store(&cell->turn, at + 1);
#endif
    return;
  }
}

static int take(void) {
  for (;;) {
    unsigned at = atomic_load(&head);
    Cell *cell = &cells[at % CELLS];
    if (atomic_load(&cell->turn) != at + 1)
      continue;
#if BUG == 2
    atomic_store(&head, at + 1);
#else
    if (!atomic_compare_exchange_strong(&head, &at, at + 1))
      continue;
#endif
    int value = atomic_load(&cell->value);
    atomic_store(&cell->turn, at + CELLS);
    return value;
  }
}

static void *taker(void *arg) {
  atomic_fetch_add(&sum, take());
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (unsigned i = 0; i < CELLS; i++)
    cells[i].turn = i;
  put(1);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, taker, NULL);
  put(2);
#if BUG == 2
  put(4); // lest both takers wait for ever
#endif
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(sum == 3);
  return 0;
}
