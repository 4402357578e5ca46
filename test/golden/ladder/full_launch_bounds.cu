// A block that fills its row: `__launch_bounds__` gives the most threads that a
// block may have, and programs mostly launch that many.
//
// args:     --ladder=all
// verdict:  verified, verified, verified, verified
// assumes:  thread-count, unused-dimensions, launch-limits, full-launch-bounds
// bug 1:    racy, verified, verified, verified  a full block has a thread more than its row
// bug 2:    racy, verified, verified, verified  the kernel has no bounds
// bug 3:    verified, racy, verified, verified  so many threads may be rows and columns
// bug 4:    verified, verified, racy, verified  code for smaller blocks says that there are some
// bug 5:    verified, verified, verified, racy  the host says how many threads there are
// bug 6:    verified, verified, verified, racy  the host says what their number is
// bug 7:    verified, verified, verified, racy  the host launches any number

#define ROW 192

#if BUG != 2
__launch_bounds__(ROW)
#endif
__global__ void row(int *out) {
  int last = blockIdx.x * blockDim.x + ROW - 1 + (BUG == 1);
  if (threadIdx.x == 0)
    out[last] = 1;
  else
    out[blockIdx.x * blockDim.x + threadIdx.x - 1] = 0; // expect 1,2: race on 'out'
}

__global__ void __launch_bounds__(ROW) square(int *out) {
  __shared__ int tile[ROW];
  unsigned row = BUG == 3 ? 0 : threadIdx.y;
  tile[row * blockDim.x + threadIdx.x] = threadIdx.y; // expect 3: race on 'tile'
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0)
    out[blockIdx.x] = tile[0];
}

__global__ void __launch_bounds__(ROW) rest(int *out) {
  if (BUG == 4 && blockDim.x < ROW)
    out[threadIdx.x] = blockIdx.x; // expect 4: race on 'out'
}

__global__ void __launch_bounds__(ROW) launched(int *out, int n) {
  int last = blockIdx.x * blockDim.x + ROW - 1;
  if (threadIdx.x == 0)
    out[last] = n;
  else
    out[blockIdx.x * blockDim.x + threadIdx.x - 1] = -n; // expect 5,6,7: race on 'out'
}

int *get();
int number();

int main(int count, char **) {
#if BUG == 5
  launched<<<4, 100>>>(get(), count);
#elif BUG == 6
  launched<<<4, count>>>(get(), count);
#elif BUG == 7
  launched<<<4, number()>>>(get(), count);
#endif
}
