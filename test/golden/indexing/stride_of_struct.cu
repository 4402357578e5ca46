// A step that is read from a struct in the loop is the same in each round.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       it may be too small

struct Walk {
  unsigned short n, more;
  float *a;
};

__global__ void each(Walk walk) {
  for (unsigned i = threadIdx.x; i < walk.n; i += 64 - BUG + walk.more)
    walk.a[i] *= 2; // expect 1: race on
}
