// One Jacobi step on 16 x 16 tiles with a halo of one cell.
//
// args:     --blockDim=[16,16] --gridDim=[8,8]
// verdict:  verified
// bug 1:    racy       no barrier after loading
// bug 2:    racy       writes where its neighbours in other blocks read

__global__ void jacobi(float *in, float *out) {
  __shared__ float tile[18][18];
  const int pitch = 8 * 16 + 2;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  tile[ty][tx] = in[y * pitch + x];
  if (tx == 1)
    tile[ty][0] = in[y * pitch + x - 1];
  if (tx == 16)
    tile[ty][17] = in[y * pitch + x + 1];
  if (ty == 1)
    tile[0][tx] = in[(y - 1) * pitch + x];
  if (ty == 16)
    tile[17][tx] = in[(y + 1) * pitch + x];
#if BUG != 1
  __syncthreads();
#endif
  float sum = 0;
  for (int k = -1; k <= 1; k += 2)
    sum += tile[ty][tx + k] + tile[ty + k][tx]; // expect 1: race on 'tile'
#if BUG == 2
  in[y * pitch + x] = sum / 4; // expect 2: read-write race on 'in'
#else
  out[y * pitch + x] = sum / 4;
#endif
}
