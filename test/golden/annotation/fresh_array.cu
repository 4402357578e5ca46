// Pointers in an argument, each of which begins an array of its own.
//
// args:     --blockDim=64 --gridDim=16
// verdict:  verified, verified
// assumes:  launch-limits, no-alias
// bug 1:    racy, verified  every block writes the same element
// bug 2:    racy, verified  both are the same array
// bug 3:    verified, unknown  it begins before this place
// bug 4:    verified, unknown  which array it is only memory knows

struct Planes {
  float *plane[3];
};

__global__ void planes(Planes to) {
  __requires_fresh_array(to.plane[0]);
  __requires_fresh_array(to.plane[2]);
  int i = threadIdx.x + (BUG == 1 ? 0 : blockIdx.x * blockDim.x);
  to.plane[0][i] = blockIdx.x; // expect 1: race
  to.plane[BUG == 2 ? 0 : 2][(i + 1) % 1024] = 1; // expect 2: race
}

__global__ void argument(float *to, float **more) {
#if BUG == 3
  __requires_fresh_array(to + 1); // expect 3: fresh array
#elif BUG == 4
  __requires_fresh_array(more[threadIdx.x]); // expect 4: fresh array
#else
  __requires_fresh_array(to);
#endif
  to[threadIdx.x + blockIdx.x * blockDim.x] = 1;
}
