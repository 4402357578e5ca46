// Assembly that is not marked volatile, and in which the whole warp is waited for:
// an election, and a sum beside an instruction that the proof does not know.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  half of the warp elects one of all its lanes
// bug 2:    unknown    half of the warp waits for the other half's values

__global__ void leader(int *out) {
  int t = threadIdx.x;
  unsigned is_leader = 0, sum = 0;
#if BUG == 1
  if (t % 32 < 16)
#endif
    asm("{ .reg .pred p; elect.sync _|p, 0xffffffff;\n" // expect 1: warp
        "selp.u32 %0, 1, 0, p; }" : "=r"(is_leader));
#if BUG == 2
  if (t % 32 < 16)
    asm("{ .reg .u32 u; vabsdiff.u32.u32.u32 u, %1, %1;\n"
        "redux.sync.add.u32 %0, u, 0xffffffff; }" : "=r"(sum) : "r"(t));
#endif
  out[t] = is_leader + sum;
}
