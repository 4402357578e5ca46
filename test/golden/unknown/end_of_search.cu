// What ends a search for bugs is for --loop-unwind alone: a proof goes on.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  unknown

extern "C" __device__ void __gpuverify_cut();

__global__ void k(int *p, int n) {
  if (n != 5)
    __gpuverify_cut(); // expect 0: end of a search
  p[n - 5] = threadIdx.x;
}
