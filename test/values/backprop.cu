// Two layers of a neural network: partial sums of the hidden layer, then the
// weights between both, 8 blocks of 256 threads.
//
// args:     --detect=races
// prints:   weights changed: 2064
// verdict:  passed
// bug 1:    racy    each block changes the weights of the bias

#include <stdio.h>
#include <stdlib.h>

#ifndef SCALE
#define SCALE 1 // how many times larger it is
#endif

enum { BLOCKS = 8 * SCALE, SIDE = 16, IN = BLOCKS * SIDE, HIDDEN = SIDE };

__global__ void forward(const float *in, const float *weights, float *sums) {
  __shared__ float row[SIDE], products[SIDE][SIDE];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * SIDE + y;
  if (x == 0)
    row[y] = in[i + 1];
  __syncthreads();
  products[y][x] = weights[(i + 1) * (HIDDEN + 1) + x + 1] * row[y];
  __syncthreads();
  for (int step = 1; step < SIDE; step *= 2) {
    if (y % (2 * step) == 0)
      products[y][x] += products[y + step][x];
    __syncthreads();
  }
  if (y == 0)
    sums[blockIdx.y * HIDDEN + x] = products[0][x];
}

__global__ void adjust(const float *deltas, const float *in, float *weights,
                       float *changes) {
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * SIDE + y + 1;
  int at = i * (HIDDEN + 1) + x + 1;
  float change = 0.3f * deltas[x + 1] * in[i] + 0.3f * changes[at];
  weights[at] += change;
  changes[at] = change;
  bool is_first = y == 0 && blockIdx.y == 0;
  if (BUG == 1 ? y == 0 : is_first) {
    float old = changes[x + 1];
    float bias = 0.3f * deltas[x + 1] + 0.3f * old + (BUG == 1 ? i : 0);
    weights[x + 1] += bias;
    changes[x + 1] = bias; // says 1: race
  }
}

int main() {
  enum { WEIGHTS = (IN + 1) * (HIDDEN + 1) };
  static float host_in[IN + 1], host[WEIGHTS], deltas_of[HIDDEN + 1];
  static float old[WEIGHTS];
  float *in, *weights, *sums, *deltas, *changes;
  for (int i = 0; i <= IN; i++)
    host_in[i] = 1 + i % 5;
  for (int i = 0; i < WEIGHTS; i++)
    old[i] = host[i] = 1 + i % 7;
  for (int i = 0; i <= HIDDEN; i++)
    deltas_of[i] = 1 + i % 3;
  cudaMalloc(&in, sizeof host_in);
  cudaMalloc(&weights, sizeof host);
  cudaMalloc(&changes, sizeof host);
  cudaMalloc(&sums, BLOCKS * HIDDEN * sizeof(float));
  cudaMalloc(&deltas, sizeof deltas_of);
  cudaMemcpy(in, host_in, sizeof host_in, cudaMemcpyHostToDevice);
  cudaMemcpy(weights, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(deltas, deltas_of, sizeof deltas_of, cudaMemcpyHostToDevice);
  cudaMemset(changes, 0, sizeof host);
  dim3 grid(1, BLOCKS), block(SIDE, SIDE);
  forward<<<grid, block>>>(in, weights, sums);
  adjust<<<grid, block>>>(deltas, in, weights, changes);
  cudaMemcpy(host, weights, sizeof host, cudaMemcpyDeviceToHost);
  int count = 0;
  for (int i = 0; i < WEIGHTS; i++)
    count += host[i] != old[i];
  printf("weights changed: %d\n", count);
  cudaFree(in);
  cudaFree(weights);
  cudaFree(changes);
  cudaFree(sums);
  cudaFree(deltas);
}
