// A wavefront has 64 lanes, and 32 since gfx10: lanes and wavefronts together
// number the threads of a block.
//
// args:     --blockDim=256
// verdict:  verified
// bug 1:    racy       it is taken to have 32
// bug 2:    racy       lanes of two wavefronts
// bug 3:    racy       the lanes of one half are counted
// bug 4:    racy       of one half the first lane alone is counted

__global__ void number(int *a) {
#if BUG == 1
  int lanes = 32;
#else
  int lanes = warpSize;
#endif
#if BUG == 3
  unsigned lane = __builtin_amdgcn_mbcnt_lo(~0u, 0);
#elif BUG == 4
  unsigned lane =
      __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(1, 0));
#else
  unsigned lane = __lane_id();
#endif
  unsigned wave = BUG == 2 ? 0 : threadIdx.x / lanes;
  a[blockIdx.x * 256 + wave * lanes + lane] = threadIdx.x; // expect 1,2,3,4: race
}
