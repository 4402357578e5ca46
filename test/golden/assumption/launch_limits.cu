// No block has more than 1024 threads, so none has two that differ by 1024.
//
// verdict:  verified
// bug 1:    racy       but there are two that differ by 512

__global__ void stamp() {
  __shared__ int cell[1024];
#if BUG == 1
  cell[threadIdx.x % 512] = threadIdx.x; // expect 1: write-write race on 'cell'
#else
  cell[threadIdx.x % 1024] = threadIdx.x;
#endif
}
