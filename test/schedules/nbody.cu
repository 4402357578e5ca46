// The tree of Barnes and Hut: bodies go into the quadrants of a square, which
// are divided where two bodies meet.
//
// A slot is EMPTY, LOCK while somebody works on it, a body, or a cell of four
// slots more.  The mistake: the slot is read once more between the test for
// LOCK and the swap, so LOCK may be swapped for LOCK and two threads work on
// the slot.  It takes two delays: one thread before the second read, the other
// one inside.
//
// cells 2 pa:  TP TP TN TN
// cells 2 fc:  TP TP TN TN
// cells 3 pa:  TP TP TN TN
// cells 3 fc:  TP TP TN TN
// case:        passed     1 2 --check=assert --bound=1
// case:        assertion  1 2 --check=assert --bound=2
// verdict:     passed
// bug 1:       assertion   the slot is read once more

#include <assert.h>

enum { EMPTY = -1, LOCK = -2, SLOTS = 4, HALF = 32 };

// The quadrant of the square around (x, y) that a body is in.
__device__ int quadrant(const int *place, int body, int x, int y) {
  return (place[2 * body] >= x) + 2 * (place[2 * body + 1] >= y);
}

// One step down: the centre of the quadrant.
__device__ void enter(int which, int *x, int *y, int *half) {
  *half /= 2;
  *x += which & 1 ? *half : -*half;
  *y += which & 2 ? *half : -*half;
}

// Cells below the slot until the two bodies are in different ones.
__device__ int divide(volatile int *tree, int *next_cell, const int *place,
                      int bodies, int old, int body, int x, int y, int half) {
  int first = atomicAdd(next_cell, 1), cell = first;
  for (;;) {
    int a = quadrant(place, old, x, y), b = quadrant(place, body, x, y);
    if (a != b) {
      tree[SLOTS * cell + a] = old;
      tree[SLOTS * cell + b] = body;
      return bodies + first;
    }
    int below = atomicAdd(next_cell, 1);
    tree[SLOTS * cell + a] = bodies + below;
    cell = below;
    enter(a, &x, &y, &half);
  }
}

__device__ bool try_insert(volatile int *tree, int *next_cell, const int *place,
                           int bodies, int body) {
  int x = HALF, y = HALF, half = HALF;
  int which = quadrant(place, body, x, y), slot = which, leaf = tree[slot];
  enter(which, &x, &y, &half);
  while (leaf >= bodies) {
    which = quadrant(place, body, x, y);
    slot = SLOTS * (leaf - bodies) + which;
    leaf = tree[slot];
    enter(which, &x, &y, &half);
  }
  if (leaf == LOCK)
    return false;
#if BUG == 1
  leaf = tree[slot]; // says 1: waits before it reads tree[0]
  if (leaf >= bodies)
    return false;
#endif
  if (atomicCAS((int *)&tree[slot], leaf, LOCK) != leaf)
    return false;
  assert(leaf != LOCK); // says 1: assertion failed
  int now = body;
  if (leaf >= 0)
    now = divide(tree, next_cell, place, bodies, leaf, body, x, y, half);
  __threadfence();
  tree[slot] = now;
  return true;
}

// From the last cell to the root: cells are made after those above them.
__device__ void sum_up(volatile int *tree, int cells, int bodies, int *mass) {
  for (int cell = cells - 1; cell >= 0; cell--)
    for (int i = 0; i < SLOTS; i++) {
      int leaf = tree[SLOTS * cell + i];
      if (leaf >= bodies)
        mass[cell] += mass[leaf - bodies];
      else if (leaf >= 0)
        mass[cell] += leaf + 1;
    }
}

__global__ void nbody(int *tree, int *next_cell, unsigned *done, int *mass,
                      const int *place) {
  int bodies = gridDim.x;
  while (!try_insert(tree, next_cell, place, bodies, blockIdx.x)) {
  }
  __threadfence();
  if (atomicAdd(done, 1) == gridDim.x - 1)
    sum_up(tree, *next_cell, bodies, mass);
}
