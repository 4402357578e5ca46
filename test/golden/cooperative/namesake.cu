// A namespace that is called as CUDA's, in another one: its functions do what they
// say, which is nothing here.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  verified
// bug 1:    racy       it is no barrier

namespace mine {
namespace cooperative_groups {
struct grid_group {
  __device__ void sync() const {}
};
} // namespace cooperative_groups
} // namespace mine

__global__ void reverse(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  a[i] = i;
  mine::cooperative_groups::grid_group().sync();
  b[i] = a[BUG == 1 ? 511 - i : i]; // expect 1: read-write race on 'a'
}
