// Breadth-first search of a graph with 4096 nodes, a thread each: 16 blocks of
// 256.
//
// args:     --detect=races
// prints:   4096 nodes reached
// verdict:  passed
// bug 1:    racy    the cost is written by all that come along

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SCALE
#define SCALE 1 // how many times larger it is
#endif

enum { NODES = 4096 * SCALE, THREADS = 256, DEGREE = 6 };

__global__ void visit(const int *edges, const int *frontier, int *costs,
                      int *next) {
  int node = blockIdx.x * THREADS + threadIdx.x;
  if (!frontier[node])
    return;
#if BUG == 1
  int cost = costs[node] + 1;
#else
  int cost = atomicAdd(&costs[node], 0) + 1;
#endif
  for (int i = 0; i < DEGREE; i++) {
    int other = edges[node * DEGREE + i];
#if BUG == 1
    if (costs[other] < 0 || costs[other] > cost) {
      costs[other] = cost + node % 2; // says 1: race
      next[other] = 1;
    }
#else
    if (atomicCAS(&costs[other], -1, cost) == -1)
      next[other] = 1;
#endif
  }
}

int main() {
  static int host_edges[NODES * DEGREE], host[NODES];
  int *edges, *costs, *frontier, *next;
  unsigned random = 3;
  for (int i = 0; i < NODES * DEGREE; i++) {
    random = random * 1664525 + 1013904223;
    host_edges[i] = i % DEGREE ? (random >> 8) % NODES : (i / DEGREE + 1) % NODES;
  }
  cudaMalloc(&edges, sizeof host_edges);
  cudaMalloc(&costs, sizeof host);
  cudaMalloc(&frontier, sizeof host);
  cudaMalloc(&next, sizeof host);
  cudaMemcpy(edges, host_edges, sizeof host_edges, cudaMemcpyHostToDevice);
  cudaMemset(costs, -1, sizeof host);
  cudaMemset(costs, 0, sizeof(int));
  cudaMemset(frontier, 0, sizeof host);
  host[0] = 1;
  cudaMemcpy(frontier, host, sizeof(int), cudaMemcpyHostToDevice);
  int count = 0;
  for (bool is_left = true; is_left;) {
    cudaMemset(next, 0, sizeof host);
    visit<<<NODES / THREADS, THREADS>>>(edges, frontier, costs, next);
    cudaMemcpy(host, next, sizeof host, cudaMemcpyDeviceToHost);
    is_left = false;
    for (int i = 0; i < NODES; i++)
      is_left |= host[i] != 0;
    cudaMemcpy(frontier, host, sizeof host, cudaMemcpyHostToDevice);
  }
  cudaMemcpy(host, costs, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < NODES; i++)
    count += host[i] >= 0;
  printf("%d nodes reached\n", count);
  cudaFree(edges);
  cudaFree(costs);
  cudaFree(frontier);
  cudaFree(next);
}
