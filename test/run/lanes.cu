// Without hooks: what depends on the thread beside its ids.
//
// args:     --detect=none
// verdict:  passed
// prints:   out = 0 1 2 3
// bug 1:    wrong-result    the lane is counted from 1

__global__ void lanes(int *out) {
  unsigned lane, below;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
#if BUG == 1
  lane++;
#endif
  out[threadIdx.x] = (int)(lane + below - ((1u << lane) - 1));
}
