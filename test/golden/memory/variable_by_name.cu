// A pointer that lies in a variable of the device is what the file gives it, if
// no code of the file changes it: neither by its name nor by its name in
// assembly.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified
// bug 1:    verified, unknown   another kernel changes it
// bug 2:    unknown, unknown    ... in assembly

extern "C" {
__device__ int first[64], second[64];
__device__ int *chosen = first;
}

__global__ void choose() {
#if BUG == 1
  if (threadIdx.x == 0)
    chosen = second;
#elif BUG == 2
  asm volatile("st.global.u64 [chosen], %0;" ::"l"((int *)second)); // expect 2: assembly
#endif
}

__global__ void fill() {
  int t = threadIdx.x;
  chosen[t] = 1; // expect 1,2: pointer
  second[63 - t] = t;
}
