// Where warps put together what each has of a row has nothing to do with how the
// loops before were left: of so many facts, few are about the places.
//
// args:     --blockDim=128
// verdict:  verified
// bug 1:    racy       the halves of the warps overlap
// bug 2:    racy       all lanes of a row write it

#define ALL 0xffffffffu

__device__ float most_of_warp(float value) {
  for (int mask = 16; mask >= 1; mask /= 2)
    value = fmaxf(value, __shfl_xor_sync(ALL, value, mask));
  return value;
}

__device__ float sum_of_warp(float value) {
  for (int mask = 16; mask >= 1; mask /= 2)
    value += __shfl_xor_sync(ALL, value, mask);
  return value;
}

__global__ void attend(const float *scores, const float *values,
                       const int *lengths, float *out) {
  __shared__ float rows[2 * 32], of_warps[4], of_sums[4];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int n = lengths[blockIdx.x], blocks = (n + 15) / 16;
  float most = 0;
  for (int b = warp; b < blocks; b += 4)
    for (int i = 0; i < 2; i++)
      if (scores[b * 16 + i] < 1)
        most = fmaxf(most, scores[b * 16 + i]);
  most = most_of_warp(most);
  if (lane == 0)
    of_warps[warp] = most;
  __syncthreads();
  most = most_of_warp(lane < 4 ? of_warps[lane] : 0);
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += 128)
    sum += scores[i] - most;
  sum = sum_of_warp(sum);
  if (lane == 0)
    of_sums[warp] = sum;
  __syncthreads();
  sum = sum_of_warp(lane < 4 ? of_sums[lane] : 0);
  float own[4];
  for (int i = 0; i < 4; i++)
    own[i] = 0;
  for (int b = warp; b < blocks; b += 4)
    for (int i = 0; i < 4; i++) {
      int row = lane / 4 + i * 8;
      if (row < 32)
        for (int j = 0; j < 4; j++)
          own[i] += b * 16 + j < n ? values[row * 16 + j] / sum : 0;
    }
  for (int i = 0; i < 4; i++)
    for (int mask = 2; mask >= 1; mask /= 2)
      own[i] += __shfl_xor_sync(ALL, own[i], mask);
  for (int i = 4; i > 1; i /= 2) {
    int half = i / 2 - (BUG == 1);
    if (warp >= half && warp < i)
      for (int k = 0; k < 4; k++) {
        int row = lane / 4 + k * 8;
        if (row < 32 && (BUG == 2 || lane % 4 == 0))
          rows[(warp - half) % 2 * 32 + row] = own[k]; // expect 1,2: write-write race on 'rows'
      }
    __syncthreads();
    if (warp < half)
      for (int k = 0; k < 4; k++) {
        int row = lane / 4 + k * 8;
        if (row < 32 && lane % 4 == 0)
          own[k] += rows[warp * 32 + row];
      }
    __syncthreads();
  }
  if (warp == 0 && lane % 4 == 0)
    for (int k = 0; k < 4; k++)
      out[blockIdx.x * 32 + lane / 4 + k * 8] = own[k];
}
