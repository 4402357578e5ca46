// A loop runs as often as a struct says, of which some words are given.
//
// technique: barriers
// args:     --kernel-args=copy,*,@8=3:1
// verdict:  verified
// bug 1:    racy       the struct says that there is no barrier
// bug 2:    unknown    a word that was not given decides

struct Shape {
  const int *from;
  int rounds, has_barrier, other;
};

__global__ void __launch_bounds__(64) copy(int *out, Shape shape) {
  __shared__ int cell[64];
  int i = threadIdx.x;
  int rounds = BUG == 2 ? shape.other : shape.rounds;
  for (int k = 0; k < rounds; k++) { // expect 2: argument
    cell[i] = k; // expect 1: race
    if (shape.has_barrier == (BUG != 1))
      __syncthreads();
    out[k * 64 + i] = cell[63 - i]; // allow 1: race
    __syncthreads();
  }
}
