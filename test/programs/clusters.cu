// Blocks of a cluster reach each other's shared memory: a histogram whose bins
// lie in several blocks, launched by the kernel's own size and by the host's,
// and a ring that passes words on by a flag with a fence for the cluster.
//
// args:     --detect=races -arch=sm_90
// prints:   clusters: 9.0, histogram 0 wrong, 0 wrong, ring 0 wrong
// prints:   clusters: 912
// prints:   0 1 0 1 2 3 2 3
// verdict:  passed
// bug 1:    out-of-bounds   a block that may not have begun
// bug 2:    racy            a barrier whose arrival is relaxed
// bug 3:    out-of-bounds   a block that may have ended
// bug 4:    divergent       two arrivals without a wait
// bug 5:    racy            a fence for the block alone
// bug 6:    out-of-bounds   a block that the cluster does not have

#include <cooperative_groups.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cg = cooperative_groups;

enum { BINS = 64, COUNT = 1000, THREADS = 48 };

__device__ void meet() {
#if BUG == 2
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#else
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
#endif
#if BUG == 4
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
#endif
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

__device__ void count(int *bins, const int *values) {
  extern __shared__ int own[];
  cg::cluster_group cluster = cg::this_cluster();
  int share = BINS / cluster.num_blocks(), rank = cluster.block_rank();
  for (int i = threadIdx.x; i < share; i += blockDim.x)
    own[i] = 0;
#if BUG == 1
  __syncthreads();
#else
  cluster.sync();
#endif
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < COUNT;
       i += gridDim.x * blockDim.x) {
    int bin = values[i] % BINS;
    int *there = cluster.map_shared_rank(own, bin / share + (BUG == 6));
    atomicAdd(&there[bin % share], 1);
  }
#if BUG != 3
  meet();
  for (int i = threadIdx.x; i < share; i += blockDim.x)
    atomicAdd(&bins[rank * share + i], own[i]);
  cluster.sync();
#endif
}

__global__ void __cluster_dims__(2, 1, 1)
    count_by_two(int *bins, const int *values) {
  count(bins, values);
}

__global__ void count_by_any(int *bins, const int *values) {
  count(bins, values);
}

__device__ unsigned address(const void *at) {
  return (unsigned)__cvta_generic_to_shared(at);
}

__device__ unsigned in_block(unsigned at, unsigned rank) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(there)
      : "r"(at), "r"(rank));
  return there;
}

__global__ void __cluster_dims__(4, 1, 1) pass_on(int *out) {
  __shared__ int word;
  __shared__ unsigned flag;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned next, set = 0;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(next));
  next = (next + 1) % cluster.num_blocks();
  flag = 0;
  cluster.sync();
  asm volatile(
      "st.shared::cluster.u32 [%0], %1;" ::"r"(in_block(address(&word), next)),
      "r"(blockIdx.x)
      : "memory");
#if BUG == 5
  asm volatile("fence.acq_rel.cta;" ::: "memory");
#else
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
#endif
  asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" ::"r"(
                   in_block(address(&flag), next))
               : "memory");
  while (!set)
    asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];"
                 : "=r"(set)
                 : "r"(address(&flag))
                 : "memory");
  out[blockIdx.x] = word;
  cluster.sync();
}

// Where a block is in its cluster, without the barrier of the cluster.
__global__ void __cluster_dims__(2, 2, 1) seats(int *out) {
  __shared__ int seat[4];
  cg::cluster_group cluster = cg::this_cluster();
  dim3 at = cluster.block_index();
  if (threadIdx.x == 0)
    seat[at.x + 2 * at.y] = cluster.block_rank();
  __syncthreads();
  if (threadIdx.x == 1)
    out[blockIdx.x + gridDim.x * blockIdx.y] = seat[at.x + 2 * at.y];
}

static int wrong(int *bins, const int *values) {
  int all[BINS], want[BINS] = {}, count = 0;
  cudaMemcpy(all, bins, sizeof all, cudaMemcpyDeviceToHost);
  cudaMemset(bins, 0, sizeof all);
  for (int i = 0; i < COUNT; i++)
    want[values[i] % BINS]++;
  for (int i = 0; i < BINS; i++)
    count += all[i] != want[i];
  return count;
}

static cudaError_t launch(int blocks, int cluster, int *bins,
                          const int *values) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(THREADS);
  config.dynamicSmemBytes = BINS / cluster * sizeof(int);
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, count_by_any, bins, values);
}

int main() {
  int *bins, *values, *words, got[8], turns = 0;
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  cudaMallocManaged(&values, COUNT * sizeof(int));
  cudaMalloc(&bins, BINS * sizeof(int));
  cudaMalloc(&words, sizeof got);
  cudaMemset(bins, 0, BINS * sizeof(int));
  for (int i = 0; i < COUNT; i++)
    values[i] = i * 7919 % 1000;
  count_by_two<<<4, THREADS, BINS / 2 * sizeof(int)>>>(bins, values);
  cudaDeviceSynchronize();
  int first = wrong(bins, values);
  launch(8, 4, bins, values);
  int second = wrong(bins, values);
  pass_on<<<8, 1>>>(words);
  cudaMemcpy(got, words, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; i++)
    turns += got[i] != i / 4 * 4 + (i + 3) % 4;
  printf("clusters: %d.%d, histogram %d wrong, %d wrong, ring %d wrong\n",
         device.major, device.minor, first, second, turns);
  seats<<<dim3(4, 2), 2>>>(words);
  cudaMemcpy(got, words, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; i++)
    printf("%d%c", got[i], i < 7 ? ' ' : '\n');
  printf("clusters: %d\n", launch(6, 4, bins, values)); // not a size
  return 0;
}
