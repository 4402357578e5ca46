// Rows of a block of free width and height: no more threads than the kernel
// says, so none has a second row of 32.
//
// verdict:  verified
// bug 1:    racy       but there are two rows
// bug 2:    vacuous    but a row has more threads than the kernel takes

#if BUG == 1
enum { THREADS = 64 };
#else
enum { THREADS = 63 };
#endif
#if BUG == 2
enum { WIDTH = 64 };
#else
enum { WIDTH = 32 };
#endif

__global__ void __launch_bounds__(THREADS) stamp() {
  __shared__ int cell[64];
  __requires(blockDim.x >= WIDTH);
  cell[threadIdx.x] = threadIdx.y; // expect 1: write-write race on 'cell'
}
