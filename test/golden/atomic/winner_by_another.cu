// One thread finds a cell free; who only looks, or compares with something else,
// takes nothing.
//
// args:     --blockDim=64 --gridDim=32
// verdict:  verified
// bug 1:    racy       finds it free by comparing with something else
// bug 2:    racy       bits of two widths at the same cells
// bug 3:    racy       "or" makes a 7 of the 0 that an exchange has left
// bug 4:    racy       one who came later writes as well
// bug 5:    racy       two cells for one item
// bug 6:    racy       a flag of one thread's own

typedef unsigned long long Long;

__global__ void claim(const int *wish, int *cell, int *second, unsigned *seen,
                      int *data) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, i = wish[t];
#if BUG == 1
  atomicCAS(&cell[i], 0, 1);
  if (atomicCAS(&cell[i], 7, 8) == 0)
    data[i] = t; // expect 1: write-write race on 'data'
#elif BUG == 2
  if (t == 7)
    atomicOr((Long *)seen, 1ull); // allow 2: race on 'seen'
  if (!(atomicOr(&seen[i], 1u) & 1)) // expect 2: race on 'seen'
    data[i] = t; // allow 2: race on 'data'
#elif BUG == 3
  atomicExch(&cell[i], 0);
  atomicOr(&cell[i], 7);
  if (atomicCAS(&cell[i], 7, 8) == 7)
    data[i] = t; // expect 3: write-write race on 'data'
#elif BUG == 4
  unsigned before = atomicOr(&seen[i], 1u) & 1;
  if (before && t == 5)
    *(char *)&data[i] = 0; // allow 4: race on 'data'
  if (!before)
    data[i] = t; // expect 4: write-write race on 'data'
#elif BUG == 5
  if (t & 1) {
    if (atomicCAS(&cell[i], 0, 1) == 0)
      data[i] = t; // allow 5: race on 'data'
  } else if (atomicCAS(&second[i], 0, 1) == 0) {
    data[i] = t; // expect 5: write-write race on 'data'
  }
#elif BUG == 6
  int own = 0;
  if (atomicCAS(&own, 0, 1) == 0)
    data[i] = t; // expect 6: write-write race on 'data'
#else
  if (atomicCAS(&cell[i], 0, 0) != 0)
    return;
  int old = atomicCAS(&cell[i], 0, t + 1);
  if (old > 0)
    old = atomicCAS(&cell[i], old, old + (old < 9));
  else if (old == 0)
    data[i] = t;
#endif
}
