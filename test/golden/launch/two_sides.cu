// What launches a kernel is read on the side that it is for: the host's code as
// it is compiled for the host, and kernels as they are for the device.
//
// args:    --clang-arg=-Wno-everything
// verdict: verified, verified
// bug 1:   racy, verified  the host alone has an instance of a template
// bug 2:   racy, verified  sizes are pushed, and the kernel is called through a pointer
// bug 3:   racy, verified  a label names what clang launches the kernel by
// bug 4:   racy, unknown   a kernel launches it, in code that the host does not have
// bug 5:   racy, verified  .. in a function of both sides
// bug 6:   racy, verified  the host's side does not compile
// bug 7:   racy, verified  the host chooses another function
// bug 8:   racy, verified  assembly names what clang launches the kernel by
// bug 9:   racy, verified  its own name says what clang launches the kernel by
// bug 10:  racy, verified, unknown  a kernel calls a lambda that launches

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10: write-write race on 'cell'
}

template <class T> __host__ void go(T *cell) {
#if BUG == 1
  fill<<<1, 128>>>(cell);
#else
  fill<<<1, 32>>>(cell);
#endif
}
template <class T> __device__ void go(T *) {}
__host__ __device__ void go_on(int *cell) { go(cell); }

__global__ void grow(int *cell) {
#if BUG == 4 && defined __CUDA_ARCH__
  fill<<<1, 64>>>(cell); // expect 4: not decided: a call of
#endif
}

__host__ __device__ void of_both(int *cell) {
#if BUG == 5 && defined __CUDA_ARCH__
  fill<<<1, 64>>>(cell);
#elif !defined __CUDA_ARCH__
  fill<<<1, 32>>>(cell);
#endif
}

template <int N> struct Size {};
constexpr int threads_for(Size<8>) { return 64; }
constexpr int threads_for(Size<16>) { return BUG == 7 ? 128 : 32; }

template <class F> __global__ void call(F f, int *cell) {
  f(cell);
}

#if BUG == 9
void __device_stub__fill(int *);
#endif
#if BUG == 3
void other(int *) __asm__("_Z19__device_stub__fillPi");
#endif

void run(int *cell) {
  fill<<<1, 64>>>(cell);
  go_on(cell);
  grow<<<1, 1>>>(cell);
  of_both(cell);
  fill<<<1, threads_for(Size<sizeof(long double)>())>>>(cell);
  auto go_once = [](int *cell) { fill<<<1, 32>>>(cell); };
  go_once(cell);
#if BUG == 2
  void (*kernel)(int *) = fill;
  __cudaPushCallConfiguration(dim3(1), dim3(128), 0, 0);
  kernel(cell);
#elif BUG == 3
  void *arguments[] = {&cell};
  cudaLaunchKernel((const void *)other, dim3(1), dim3(128), arguments,
                   (size_t)0, (cudaStream_t)0);
#elif BUG == 6 && !defined __CUDA_ARCH__
#error
#elif BUG == 8
  asm volatile("call _Z19__device_stub__fillPi" ::: "memory");
#elif BUG == 9
  __cudaPushCallConfiguration(dim3(1), dim3(128), 0, 0);
  __device_stub__fill(cell);
#elif BUG == 10
  auto go_there = [](int *cell) {
    fill<<<1, 64>>>(cell); // expect 10: not decided: a call of
  };
  call<<<1, 1>>>(go_there, cell);
#endif
}
