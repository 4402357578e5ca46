// Barriers of a block and of a warp, and a shuffle, in assembly.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       the block has not met
// bug 2:    racy       the warp has not met
// bug 3:    divergent  half of the block is waited for by all of it
// bug 4:    racy       a shuffle is taken for a barrier

__global__ void pass(int *out) {
  __shared__ int cell[64], near[64];
  int t = threadIdx.x, other = 0;
  cell[t] = t;
#if BUG == 3
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %0, 32;\n" // expect 3: barrier
               "@p bar.sync 1; }" ::"r"(t)
               : "memory");
#elif BUG != 1
  asm volatile("barrier.sync.aligned 1;" ::: "memory");
#endif
  near[t] = cell[BUG == 3 ? t : 63 - t]; // expect 1: race on 'cell'
#if BUG == 4
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, 0xffffffff;"
               : "=r"(other) : "r"(t) : "memory");
#elif BUG != 2
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
#endif
  out[t] = near[t ^ 1] + other; // expect 2,4: race on 'near'
}
