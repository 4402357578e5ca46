// Insertion into a binary search tree without locks.
//
// A node is three words: its value, where its left child is, and its right
// one; 0 is none.  The mistake: the link to a new node is a plain store, so of
// two nodes that are linked to one place the first is lost.  It takes three
// threads: one makes the root, two collide.  With two there is nothing to
// find, and that is no weakness of the search.  Delays at conflicts with a
// conditional atomic alone lose it, too: the two stores are ordinary ones.
//
// Two orders of insertion make two layouts of one tree, so final states
// differ although nothing is wrong, unless they are brought into one form.
//
// cells 2 pa:  FN FN TN TN
// cells 2 fc:  FP FP FP FP
// cells 3 pa:  TP FN TN TN
// cells 3 fc:  FP FP FP FP
// case:        passed              0 2 --canonical=in_order --observe=sorted
// case:        passed              0 3 --canonical=in_order --observe=sorted
// case:        passed              1 2 --canonical=in_order --observe=sorted
// case:        schedule-dependent  1 3 --canonical=in_order --observe=sorted --check=final-state -DNDEBUG
// case:        assertion           1 3 --check=assert --select=conditional-first
// case:        passed              1 3 --check=assert --select=conditional
// case:        passed              1 2 --check=assert --bound=4
// args:        --check=assert
// verdict:     passed
// bug 1:       assertion   the link is a plain store

#include <assert.h>

enum { NONE = 0, WORDS = 3 };

__device__ void insert(volatile int *tree, int *size, int value) {
  int here = 0, node = NONE;
  if (atomicCAS((int *)&tree[0], NONE, value) == NONE)
    return;
  for (;;) {
    int child = tree[here] <= value ? here + 2 : here + 1;
    int next = tree[child];
    if (next == NONE) {
      if (node == NONE) {
        node = atomicAdd(size, WORDS); // says 1: waits before it
        tree[node] = value;
      }
#if BUG == 1
      tree[child] = node;
      return;
#else
      next = atomicCAS((int *)&tree[child], NONE, node);
      if (next == NONE)
        return;
#endif
    }
    here = next;
  }
}

// Values of the tree in their order; returns how many.
__device__ int walk(volatile int *tree, int *sorted) {
  int stack[8], depth = 0, count = 0, here = 0;
  bool goes_down = tree[0] != NONE;
  while (goes_down || depth > 0) {
    if (goes_down) {
      stack[depth++] = here;
      goes_down = tree[here + 1] != NONE;
      here = tree[here + 1];
      continue;
    }
    here = stack[--depth];
    if (sorted)
      sorted[count] = tree[here];
    count++;
    goes_down = tree[here + 2] != NONE;
    here = tree[here + 2];
  }
  return count;
}

__global__ void bintree(int *tree, int *size, unsigned *done, int *sorted,
                        const int *values) {
  insert(tree, size, values[blockIdx.x]);
  __threadfence();
#ifndef NDEBUG
  if (atomicAdd(done, 1) == gridDim.x - 1)
    assert(walk(tree, 0) == gridDim.x); // says 1: assertion failed
#endif
}

__device__ void in_order(int *tree, int *sorted) { walk(tree, sorted); }
