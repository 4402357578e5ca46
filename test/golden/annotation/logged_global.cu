// A barrier of a block clears what is logged of global memory for its own
// threads alone: those of other blocks may still meet it.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    assertion  of all threads
// bug 2:    assertion  of another block's
// bug 3:    assertion  no barrier at all

__global__ void fill(int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[i] = i;
  if (BUG != 3)
    __syncthreads();
  __assert(__implies(__same_group, __no_write(out))); // expect 3: of 'out'
  if (BUG == 1)
    __assert(__no_write(out)); // expect 1: the write of 'out' in line 12
  if (BUG == 2)
    __assert(__implies(!__same_group, __no_write(out))); // expect 2: of 'out'
}
