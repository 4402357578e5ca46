// A word for the next block of a cluster, whose arrival an mbarrier there tells.
// What would come asynchronously into another block is not executed, and
// whatever the program then ends with is no mistake of its own.
//
// args:     --detect=races -arch=sm_90
// prints:   got 1 and 0
// verdict:  passed
// bug 1:    unknown   the word comes with st.async
// bug 2:    unknown   it comes with red.async
// bug 3:    unknown   it comes with a bulk copy
// bug 4:    racy      nothing makes the mbarrier known to the other block
// bug 5:    racy      its fence is not one for other memory

#include <cooperative_groups.h>
#include <stdio.h>

__device__ unsigned address(const void *at) {
  return (unsigned)__cvta_generic_to_shared(at);
}

__device__ unsigned in_block(const void *at, unsigned rank) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(there)
      : "r"(address(at)), "r"(rank));
  return there;
}

__device__ void send(unsigned to, unsigned barrier, const unsigned *from) {
#if BUG == 1
  asm volatile("st.async.weak.shared::cluster" // says 1: executed: 'st.async
               ".mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to),
               "r"(*from), "r"(barrier)
               : "memory");
#elif BUG == 2
  asm volatile("red.async.relaxed.cluster" // says 2: executed: 'red.async
               ".shared::cluster"
               ".mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(to),
               "r"(*from), "r"(barrier)
               : "memory");
#elif BUG == 3
  asm volatile("cp.async.bulk.shared::cluster.global" // says 3: another block
               ".mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" ::"r"(to),
               "l"(from), "r"(barrier)
               : "memory");
#else
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(*from)
               : "memory");
  asm volatile("mbarrier.arrive.release.cluster" // says 4: race on 'barrier'
               ".shared::cluster.b64 _, [%0];" ::"r"(barrier)
               : "memory");
#endif
}

__global__ void __cluster_dims__(2, 1, 1)
    exchange(unsigned *out, const unsigned *in) {
  __shared__ alignas(16) unsigned words[4];
  __shared__ unsigned long long barrier;
  cooperative_groups::cluster_group cluster =
      cooperative_groups::this_cluster();
  unsigned other = 1 - cluster.block_rank(), is_over = 0;
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
      address(&barrier)));
  words[1] = 5;
#if BUG != 4
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
#if BUG && BUG < 4
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   address(&barrier)),
               "r"(BUG == 3 ? 16 : 4));
#endif
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#if BUG == 5
  out[2] = *cluster.map_shared_rank(&words[1], other); // says 5: race on 'words'
#endif
  send(in_block(words, other), in_block(&barrier, other), in + 4 * blockIdx.x);
  while (!is_over)
    asm volatile("{ .reg .pred p;\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, "
                 "[%1], 0;\n"
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(is_over)
                 : "r"(address(&barrier))
                 : "memory");
  out[blockIdx.x] = words[0];
  cluster.sync();
}

int main() {
  unsigned *in, *out, words[8] = {0, 0, 0, 0, 1}, got[2];
  cudaMalloc(&in, sizeof words);
  cudaMalloc(&out, sizeof words);
  cudaMemcpy(in, words, sizeof words, cudaMemcpyHostToDevice);
  exchange<<<2, 1>>>(out, in);
  if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  printf("got %u and %u\n", got[0], got[1]);
  return 0;
}
