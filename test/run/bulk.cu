// Bulk copies: in for an mbarrier, out in groups.
//
// args:     --detect=races --clang-arg=--cuda-gpu-arch=sm_90
// verdict:  passed
// prints:   out = 1 2 3 4
// bug 1:    racy        the source changes before it has been read
// bug 2:    racy        the target is read when only the source was waited for
// bug 3:    crash       a size that is no multiple of 16
// bug 4:    racy        two copies to one place for one phase
// bug 5:    racy        the bytes of one copy only are announced
// bug 6:    deadlock    more bytes are announced than come

__device__ unsigned low(const void *at) {
  return (unsigned)__cvta_generic_to_shared(at);
}

#define COPY_IN(to, from, bytes, bar)                                          \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx"    \
               "::bytes [%0], [%1], %2, [%3];" ::"r"(low(to)),                 \
               "l"(from), "r"(bytes), "r"(low(bar))                            \
               : "memory")

__global__ void bulk(const int *in, int *out) {
  __shared__ __align__(16) int tile[64];
  __shared__ unsigned long long bar;
  int i = threadIdx.x;
  if (i == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(low(&bar))
                 : "memory");
  __syncthreads();
  if (i == 0) {
    COPY_IN(tile, in, BUG == 3 ? 100 : 128, &bar); // says 3: multiple of 16
    COPY_IN(tile + (BUG == 4 ? 0 : 32), in + 32, 128, &bar); // says 4: copies to
    if (BUG != 5)
      asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 128;"
                   ::"r"(low(&bar)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
                 ::"r"(low(&bar)), "r"(BUG == 6 ? 144 : 128) : "memory");
  }
  asm volatile("{ .reg .pred p;\n" // says 6: lacks 0 of 1 arrivals, 16 bytes
               "again: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n"
               "@!p bra again; }" ::"r"(low(&bar))
               : "memory");
  int own = tile[i]; // says 5: reads tile
  __syncthreads();
  tile[i] = own + 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (i != 0)
    return;
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;"
               ::"l"(out), "r"(low(tile)) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  if (BUG != 1)
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  tile[5] = 0; // says 1: writes tile[5]
  if (BUG != 2)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  if (out[0] == 7) // says 2: reads out
    tile[0] = 1;
}
