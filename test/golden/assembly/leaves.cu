// Assembly without `volatile` computes a value only if each of its instructions
// does.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    unknown    some threads exit
// bug 2:    unknown    they return
// bug 3:    unknown    they call somebody
// bug 4:    unknown    shared memory by a descriptor
// bug 5:    divergent  one lane votes for all of its warp

__global__ void k(int *g) {
  int x = 0;
#if BUG == 0
  asm("{ .reg .pred p; setp.eq.u32 p, %1, 3; vote.sync.ballot.b32 %0, p, -1; }" : "+r"(x) : "r"(threadIdx.x));
#elif BUG == 1
  asm("{ .reg .pred p; setp.eq.u32 p, %1, 3; @p exit; mov.u32 %0, 1; }" : "=r"(x) : "r"(threadIdx.x));
#elif BUG == 2
  asm("{ .reg .pred p; setp.eq.u32 p, %1, 3; @p ret; mov.u32 %0, 1; }" : "=r"(x) : "r"(threadIdx.x));
#elif BUG == 3
  asm("{ call leave; mov.u32 %0, 1; }" : "=r"(x) : "r"(threadIdx.x));
#elif BUG == 4
  unsigned long long at = 64;
  asm("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %0}, %1, %1, 1, 1, 1, 0, 0;" : "+r"(x) : "l"(at));
#elif BUG == 5
  asm("{ .reg .pred p; setp.eq.u32 p, %1, 3; @p vote.sync.ballot.b32 %0, p, -1; }" : "+r"(x) : "r"(threadIdx.x)); // expect 5: warp
#endif
  __syncthreads();
  g[threadIdx.x] = x;
}
