// Sizes that are known say themselves whether their product fits: that it does
// is not assumed, or where they are multiplied anything would hold.
//
// args:     --assume=sizes-fit --blockDim=64 --gridDim=70000,65535
// verdict:  verified
// bug 1:    racy     all blocks write to one place

typedef unsigned long long Long;

__global__ void known(Long *out, const int *table) {
  unsigned t = threadIdx.x;
  for (unsigned row = 0; row < gridDim.x; row++) {
    Long value = table[row * gridDim.y] + blockIdx.x;
#if BUG == 1
    out[t] = value; // expect 1: race on 'out'
#else
    out[(blockIdx.y * Long(gridDim.x) + blockIdx.x) * blockDim.x + t] = value;
#endif
  }
}
