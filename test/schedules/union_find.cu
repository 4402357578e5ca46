// Components of a graph: roots are linked, larger under smaller, by CAS.
//
// args:     --check=final-state --observe=root --canonical=flatten
// verdict:  passed
// bug 1:    schedule-dependent  a root is linked by a plain exchange
// bug 2:    schedule-dependent  no second try if the root is one no more

enum { NODES = 4 };

__device__ int find(int *parent, int node) {
  int up;
  while ((up = atomicAdd(&parent[node], 0)) != node) // says 1: waits before
    node = up;
  return node;
}

__device__ void unite(int *parent, int a, int b) {
  for (;;) {
    a = find(parent, a);
    b = find(parent, b);
    if (a == b)
      return;
    int high = a > b ? a : b, low = a > b ? b : a;
#if BUG == 1
    atomicExch(&parent[high], low);
    return;
#elif BUG == 2
    atomicCAS(&parent[high], high, low);
    return;
#else
    if (atomicCAS(&parent[high], high, low) == high)
      return;
#endif
  }
}

__global__ void union_find(int *parent, int *root) {
  unite(parent, 3, blockIdx.x);
}

__device__ void flatten(int *parent, int *root) {
  for (int i = 0; i < NODES; i++) {
    int node = i;
    while (parent[node] != node)
      node = parent[node];
    root[i] = node;
  }
}
