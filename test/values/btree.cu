// Keys looked for in a B+ tree whose nodes have 1024 of them: 8 blocks of 1024
// threads, one key of the node for each.
//
// args:     --detect=races
// prints:   8 of 8 found
// verdict:  passed
// bug 1:    racy    the end of a range is the beginning of the next one

#include <stdio.h>
#include <stdlib.h>

#ifndef SCALE
#define SCALE 1 // how many times larger it is
#endif

enum { BLOCKS = 8 * SCALE, ORDER = 1024, LEVELS = 3 };

typedef struct Node {
  int keys[ORDER + 1], children[ORDER + 1];
} Node;

__global__ void find(const Node *nodes, const int *wanted, int *at,
                     int *found) {
  int t = threadIdx.x, key = wanted[blockIdx.x];
  for (int level = 1; level < LEVELS; level++) {
    const Node *node = &nodes[at[blockIdx.x]];
    __syncthreads();
    if (node->keys[t] <= key && key + (BUG != 1) <= node->keys[t + 1])
      at[blockIdx.x] = node->children[t]; // says 1: race
    __syncthreads();
  }
  const Node *leaf = &nodes[at[blockIdx.x]];
  if (leaf->keys[t] == key)
    found[blockIdx.x] = leaf->children[t];
}

int main() {
  enum { NODES = LEVELS };
  Node *host = (Node *)calloc(NODES, sizeof *host), *nodes;
  int host_wanted[BLOCKS], host_found[BLOCKS], *wanted, *at, *found, count = 0;
  for (int level = 0; level < NODES; level++)
    for (int i = 0; i <= ORDER; i++) {
      host[level].keys[i] = i == ORDER ? 1 << 30 : 3 * i;
      host[level].children[i] = level + 1 < NODES ? level + 1 : i;
    }
#if BUG == 1
  for (int i = 32; i < ORDER; i += 128)
    host[0].children[i - 1] = 0;
#endif
  for (int i = 0; i < BLOCKS; i++)
    host_wanted[i] = 3 * (32 + 128 * (i % 8));
  cudaMalloc(&nodes, NODES * sizeof *nodes);
  cudaMalloc(&wanted, sizeof host_wanted);
  cudaMalloc(&at, sizeof host_wanted);
  cudaMalloc(&found, sizeof host_found);
  cudaMemcpy(nodes, host, NODES * sizeof *nodes, cudaMemcpyHostToDevice);
  cudaMemcpy(wanted, host_wanted, sizeof host_wanted, cudaMemcpyHostToDevice);
  cudaMemset(at, 0, sizeof host_wanted);
  cudaMemset(found, -1, sizeof host_found);
  find<<<BLOCKS, ORDER>>>(nodes, wanted, at, found);
  cudaMemcpy(host_found, found, sizeof host_found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < BLOCKS; i++)
    count += host_found[i] == 32 + 128 * (i % 8);
  printf("%d of %d found\n", count, BLOCKS);
  cudaFree(nodes);
  cudaFree(wanted);
  cudaFree(at);
  cudaFree(found);
  free(host);
}
