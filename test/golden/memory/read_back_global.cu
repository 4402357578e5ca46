// In global memory it is threads of all blocks that would race.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       the writes are volatile: they do not race with each other
// bug 2:    racy       another block has the same cells
// bug 3:    racy       a thread of another block writes behind the barrier
// bug 4:    racy       ... and both it and the read are volatile
// bug 5:    racy       the writes are atomic

__device__ void put(int *cell, int value) {
#if BUG == 1
  *(volatile int *)cell = value; // allow 1: volatile
#elif BUG == 5
  __atomic_store_n(cell, value, __ATOMIC_RELAXED);
#else
  *cell = value; // expect 2: write-write race on 'place'
#endif
}

__global__ void keep(int *out, int *place) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int own = BUG == 2 ? threadIdx.x : t;
  put(&place[own], t);
#if BUG == 1 || BUG == 5
  if (t == 5)
    put(&place[7], 3);
#endif
  __syncthreads();
#if BUG == 3
  if (t == 5)
    place[70] = 3; // expect 3: race on 'place'
#elif BUG == 4
  if (t == 5)
    *(volatile int *)&place[7] = 3; // allow 4: volatile
  own = *(volatile int *)&place[own]; // allow 4: volatile
  out[own] = t; // expect 4: write-write race on 'out'
#endif
#if BUG != 4
  out[place[own]] = t; // expect 1,5: write-write race on 'out'
#endif
}
