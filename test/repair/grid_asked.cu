// Who launches it says so; both blocks and threads of a block race.
//
// args:   -nocudainc --blockDim=64 --gridDim=8
// asked:  --cooperative
// repair: grid_asked.cu:11:3: insert 'cooperative_groups::this_grid().sync();'

__global__ void grid_asked(int *a, int *b) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < 511)
    b[i] = a[i + 1];
  a[i] = i;
}
