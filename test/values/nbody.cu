// Forces of all bodies on each of them, a tile of 256 in shared memory at a
// time: 60 blocks of 256 threads.
//
// args:     --detect=races
// prints:   15360 bodies have moved
// verdict:  passed
// bug 1:    racy    eight threads behind the last body write the first ones

#include <stdio.h>
#include <stdlib.h>

#ifndef SCALE
#define SCALE 1 // how many times larger it is
#endif

// One tile in eight, for the time that it takes on a processor.
enum { BLOCKS = 60 * SCALE, THREADS = 256, APART = 8 };

__global__ void move(float4 *places, float4 *next, float4 *speeds, int bodies) {
  __shared__ float4 tile[THREADS];
  int t = threadIdx.x;
  int i = blockIdx.x * THREADS + t;
  if (i >= bodies)
    i = BUG == 1 ? i % bodies : bodies - 1;
  float4 own = places[i];
  float3 force = {0, 0, 0};
  for (int first = 0; first < bodies; first += THREADS * APART) {
    int from = first + t < bodies ? first + t : bodies - 1;
    tile[t] = places[from];
    __syncthreads();
    for (int k = 0; k < THREADS; k++) {
      float4 other = tile[k];
      float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
      float near = x * x + y * y + z * z + 0.01f;
      float pull = other.w / (near * sqrtf(near));
      force.x += x * pull;
      force.y += y * pull;
      force.z += z * pull;
    }
    __syncthreads();
  }
  if (BUG != 1 && blockIdx.x * THREADS + t >= bodies)
    return;
  float4 speed = speeds[i];
  speed.x += force.x + blockIdx.x;
  speed.y += force.y;
  speed.z += force.z;
  speeds[i] = speed;
  own.x += speed.x;
  own.y += speed.y;
  own.z += speed.z;
  next[i] = own; // says 1: race
}

int main() {
  const int bodies = BLOCKS * THREADS - (BUG == 1 ? 8 : 0);
  const size_t bytes = bodies * sizeof(float4);
  float4 *places, *next, *speeds, *host = (float4 *)malloc(bytes);
  float4 *moved = (float4 *)malloc(bytes);
  for (int i = 0; i < bodies; i++)
    host[i] = make_float4(i % 64, i / 64 % 64, i / 4096, 1);
  cudaMalloc(&places, bytes);
  cudaMalloc(&next, bytes);
  cudaMalloc(&speeds, bytes);
  cudaMemset(speeds, 0, bytes);
  cudaMemcpy(places, host, bytes, cudaMemcpyHostToDevice);
  move<<<BLOCKS, THREADS>>>(places, next, speeds, bodies);
  cudaMemcpy(moved, next, bytes, cudaMemcpyDeviceToHost);
  int count = 0;
  for (int i = 0; i < bodies; i++)
    count += moved[i].x != host[i].x || moved[i].y != host[i].y;
  printf("%d bodies have moved\n", count);
  cudaFree(places);
  cudaFree(next);
  cudaFree(speeds);
  free(host);
  free(moved);
}
