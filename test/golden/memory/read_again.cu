// What a thread has read it reads again, whoever wrote it: in between nobody
// does.  A thread whose own cell is empty does not fill it by way of itself, so
// nobody reads a cell that another thread fills.
//
// args:     --blockDim=[8,8] --gridDim=1
// verdict:  verified
// bug 1:    racy       the second cell is one beside it
// bug 2:    racy       the thread has filled its cell before it looks again
// bug 3:    racy       barriers lie between, and the others fill cells

__global__ void close(int *graph) {
  __shared__ int edge[64];
  int x = threadIdx.x, y = threadIdx.y;
  int own = 8 * y + x;
  edge[own] = graph[own];
  __syncthreads();
  for (int k = 0; k < 8; k++) {
#if BUG == 3
    bool is_empty = edge[own] == 0;
    __syncthreads();
    edge[own] = k;
    __syncthreads();
    if (is_empty)
#else
    if (edge[own] == 0)
#endif
    {
#if BUG == 2
      edge[own] = 1; // allow 2: race on 'edge'
#endif
#if BUG == 1
      if (edge[8 * y + k] != 0 && edge[8 * k + (x ^ 1)] != 0)
#else
      if (edge[8 * y + k] != 0 && edge[8 * k + x] != 0)
#endif
        edge[own] = k + 2; // expect 1,2,3: read-write race on 'edge'
    }
    __syncthreads();
  }
  graph[own] = edge[own];
}
