// What threads of two blocks do to one array.
//
// args:     --detect=races
// verdict:  passed
// prints:   sum = 256
// bug 1:    racy        plain additions
// bug 2:    racy        an atomic of the block only, used by two
// bug 3:    racy        each block writes a cell of the next one

__global__ void blocks(int *sum, int *cell) {
#if BUG == 1
  *sum += 1; // says 1: read-write race on 'sum'
#elif BUG == 2
  atomicAdd_block(sum, 1); // says 2: atomic-atomic race on 'sum'
#else
  atomicAdd(sum, 1);
#endif
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cell[i] = i;
#if BUG == 3
  cell[(i + 1) % 256] = i; // says 3: write-write race on 'cell'
#endif
}
