// A kernel that asks for threadIdx.x only is taken for one of one dimension.
//
// verdict:  verified
// bug 1:    racy       it asks for threadIdx.y, too, so blocks may have rows

__global__ void stamp() {
  __shared__ int cell[1024];
  int value = threadIdx.x;
#if BUG == 1
  value += threadIdx.y;
#endif
  cell[threadIdx.x] = value; // expect 1: write-write race on 'cell'
}
