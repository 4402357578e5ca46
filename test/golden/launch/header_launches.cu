// What a header of the system's launches where the user's code calls it is seen,
// whatever its kernel's bounds are.
//
// args:     --ladder=all
// verdict:  verified
// bug 1:    racy     with fewer threads than the bounds allow, as the user says
# 8 "test/golden/launch/header_launches.cu" 1 3
template <class T> __global__ void __launch_bounds__(64) swap_halves(T *out) {
  out[blockIdx.x * blockDim.x + (threadIdx.x ^ 32)] = threadIdx.x; // expect 1: race on 'out'
}

template <class T> inline void run(T *out, int threads) {
#if BUG == 1
  swap_halves<T><<<4, threads>>>(out);
#else
  swap_halves<T><<<4, 64>>>(out);
#endif
}
# 20 "test/golden/launch/header_launches.cu" 2
void launch(int *out) { run(out, 48); }
