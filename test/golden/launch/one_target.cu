// What is there where the target is no device is there for the host alone, and
// what is there where it is one for kernels.
//
// args:    --clang-arg=-Wno-everything
// verdict: verified
// bug 1:   racy  the host's macro
// bug 2:   racy  .. put together
// bug 3:   racy  .. behind a line's end

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3: write-write race on 'cell'
}

#define CODE_FOR(x) __CUDA_##x##__
#define NAME_OF(x) CODE_FOR(x)

void run(int *cell) {
  fill<<<1, 64>>>(cell);
#if BUG == 1 && __SIZEOF_LONG_DOUBLE__ == 16
  fill<<<1, 128>>>(cell);
#elif BUG == 2 && !NAME_OF(ARCH)
  fill<<<1, 128>>>(cell);
#elif BUG == 3 && !__CUDA_\
ARCH__
  fill<<<1, 128>>>(cell);
#elif defined __CUDA_ARCH__
  fill<<<1, 128>>>(cell);
#endif
}
