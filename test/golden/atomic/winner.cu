// Whoever finds a cell free has it: nobody frees it in this kernel.
//
// args:     --blockDim=64 --gridDim=32
// verdict:  verified
// bug 1:    racy       everybody who comes writes
// bug 2:    racy       it is freed again
// bug 3:    racy       what is put there may mean that it is free
// bug 4:    racy       the winner of one cell writes to another one
// bug 5:    racy       somebody compares with something else and wins as well
// bug 6:    racy       a plain write frees it, in the end
// bug 7:    racy       those who lost write
// bug 8:    racy       shared memory has one winner in each block
// bug 9:    racy       an addition may come to where it was free
// bug 10:   racy       a volatile write frees it

__global__ void claim(const int *wish, int *owner, int *data, int *other) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  int i = wish[me];
#if BUG == 10
  *(volatile int *)&owner[i] = -1;
#endif
#if BUG == 8
  __shared__ int mine[256];
  for (int k = threadIdx.x; k < 256; k += 64)
    mine[k] = -1;
  __syncthreads();
  int old = atomicCAS(&mine[i & 255], -1, me);
#elif BUG == 3
  int old = atomicCAS(&owner[i], -1, wish[me + 1]);
#else
  int old = atomicCAS(&owner[i], -1, me);
#endif
#if BUG == 2
  if (old == 5)
    atomicExch(&owner[i], -1);
#elif BUG == 5
  if (atomicCAS(&owner[i], 7, me) == 7)
    data[i] = me; // allow 5: race on 'data'
#elif BUG == 9
  if (old == 7)
    atomicAdd(&owner[i], 1);
#elif BUG == 7
  if (old != -1)
#endif
#if BUG != 1 && BUG != 7
  if (old == -1)
#endif
    data[BUG == 4 ? i & 15 : i] = me; // expect 1,2,3,4,5,6,7,8,9,10: write-write race on 'data'
#if BUG == 6
  owner[i] = -1; // expect 6: race on 'owner'
#endif
}
