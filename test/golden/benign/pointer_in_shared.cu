// All threads of a block keep a pointer to one place in shared memory.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       it is to other places
// bug 2:    racy       it is to other arrays
// bug 3:    racy       it is to variables of their own
// bug 4:    racy       somebody looks at it meanwhile

__global__ void keep(int *out, int *other) {
  __shared__ int tile[64];
  __shared__ int *kept;
  int own[2] = {(int)threadIdx.x, 1};
#if BUG == 1
  kept = tile + threadIdx.x; // expect 1: write-write race on 'kept'
#elif BUG == 2
  kept = threadIdx.x & 1 ? tile : out; // expect 2: write-write race on 'kept'
#elif BUG == 3
  kept = own; // expect 3: write-write race on 'kept'
#else
  kept = tile + 3; // allow 4: race on 'kept'
#endif
#if BUG != 4
  __syncthreads();
#endif
  if (kept == tile) // expect 4: read-write race on 'kept'
    out[blockIdx.x * 64 + threadIdx.x] = own[other[0] & 1];
}
