// malloc, new, free and delete in kernels: each piece is an array of its own,
// memory that comes again belongs to whoever has it now, and pieces live until
// they are given back, whichever kernel does that.
//
// args:     --detect=races
// prints:   lists 0 wrong
// prints:   rounds 0 wrong
// prints:   no error
// verdict:  passed
// bug 1:    out-of-bounds  one element behind the end
// bug 2:    out-of-bounds  one element before the start
// bug 3:    out-of-bounds  after it was given back
// bug 4:    crash          given back twice
// bug 5:    crash          given back from its middle
// bug 6:    out-of-bounds  two elements behind the end, in another launch
// bug 7:    out-of-bounds  what was deleted is followed to the next
// bug 8:    racy           all threads of a block write to one piece
// bug 9:    racy           given back while others may still read it
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

struct Node {
  int value;
  Node *next;
};

// One list a thread, in another launch it is read and given back.
__global__ void build(Node **heads, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Node *head = 0;
  for (int k = 0; k < length; k++) {
    Node *node = new Node;
    node->value = i + k;
    node->next = head;
    head = node;
  }
  heads[i] = head;
}

__global__ void sum(Node **heads, int *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, total = 0;
  for (Node *node = heads[i], *next; node; node = next) {
    total += node->value;
#if BUG == 6
    total += node[1].value; // says 6: access outside of 'memory of malloc'
#endif
    next = node->next;
    delete node;
#if BUG == 7
    next = node->next; // says 7: its 16 bytes have been given back
#endif
  }
  sums[i] = total;
}

// More than the heap has, but not at one time.
__global__ void rounds(int *wrong, int times) {
  for (int k = 0; k < times; k++) {
    int count = 1000 + 10 * threadIdx.x + k;
    int *p = (int *)malloc(count * sizeof *p);
    if (!p) {
      atomicAdd(wrong, 1);
      continue;
    }
#if BUG == 1
    count++;
#endif
    for (int n = 0; n < count; n += 97)
      p[n] = n;
    p[count - 1] = count - 1; // says 1: access outside of 'memory of malloc'
#if BUG == 2
    p[-1] = 0; // says 2: access outside of 'memory of malloc'
#endif
#if BUG == 5
    free(p + 4); // says 5: free of what malloc has not given
#endif
#if BUG == 3
    free(p);
#endif
    for (int n = 0; n < count; n += 97)
      if (p[n] != n) // says 3: bytes have been given back
        atomicAdd(wrong, 1);
    if (p[count - 1] != count - 1)
      atomicAdd(wrong, 1);
    free(p);
#if BUG == 4
    free(p); // says 4: free of memory that has been given back
#endif
  }
}

// One piece for a block.
__global__ void together(int *out) {
  __shared__ int *piece;
  if (threadIdx.x == 0)
    piece = (int *)malloc(blockDim.x * sizeof *piece);
  __syncthreads();
#if BUG == 8
  piece[threadIdx.x / 2] = threadIdx.x; // says 8: write-write race
#else
  piece[threadIdx.x] = threadIdx.x;
#endif
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      piece[blockDim.x - 1 - threadIdx.x];
#if BUG != 9
  __syncthreads();
#endif
  if (threadIdx.x == blockDim.x - 1)
    free(piece); // says 9: read-write race on 'memory of malloc'
}

int main() {
  enum { THREADS = 128, LENGTH = 9 };
  Node **heads;
  int *sums, host[THREADS], wrong = 0;
  cudaMalloc(&heads, THREADS * sizeof *heads);
  cudaMalloc(&sums, THREADS * sizeof *sums);
  build<<<2, THREADS / 2>>>(heads, LENGTH);
  sum<<<4, THREADS / 4>>>(heads, sums);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < THREADS; i++)
    wrong += host[i] != LENGTH * i + LENGTH * (LENGTH - 1) / 2;
  printf("lists %d wrong\n", wrong);
  cudaMemset(sums, 0, sizeof *sums);
  rounds<<<1, 64>>>(sums, 60);
  together<<<2, 64>>>(sums);
  cudaMemset(sums, 0, sizeof *sums);
  rounds<<<2, 32>>>(sums, 30);
  cudaMemcpy(host, sums, sizeof *host, cudaMemcpyDeviceToHost);
  printf("rounds %d wrong\n", host[0]);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
