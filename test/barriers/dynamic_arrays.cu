// Arrays of unknown size begin at one place, whatever their alignments are.
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the first element of each is the same

__shared__ int kept;
extern __shared__ int narrow[];
extern __shared__ double wide[];

__global__ void __launch_bounds__(64) fill(int *out) {
  if (threadIdx.x == 0)
    kept = 3;
  if (threadIdx.x == 0)
    narrow[0] = 1; // allow 1: the other end
  if (threadIdx.x == 32)
    wide[BUG != 1] = 2; // expect 1: race
  asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = narrow[0] + (int)wide[1] + kept;
}
