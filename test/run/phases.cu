// mbarriers: a ring of two tiles between two warps, with cp.async and bulk
// copies that arrive by themselves.
//
// args:     --detect=races --clang-arg=--cuda-gpu-arch=sm_90
// verdict:  passed
// prints:   out = 6 10 14 18
// bug 1:    racy        the producer does not wait for an empty tile
// bug 2:    racy        the consumer waits for the phase before
// bug 3:    racy        nothing between the initialisation and the first arrival
// bug 4:    deadlock    one arrival is missing
// bug 5:    divergent   two arrivals where one is expected
// bug 6:    divergent   no mbarrier is there any more
// bug 7:    racy        the arrival does not wait for the copies
// bug 8:    deadlock    more bytes are expected than come
// bug 9:    racy        the tile of a bulk copy is read before it comes
// bug 10:   racy        a relaxed arrival orders nothing
// bug 11:   divergent   initialised twice

__device__ unsigned low(const void *at) {
  return (unsigned)__cvta_generic_to_shared(at);
}

#define INIT(barrier, count)                                                   \
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(low(barrier)),       \
               "r"(count)                                                      \
               : "memory")
#define ARRIVE(barrier)                                                        \
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(low(barrier))       \
               : "memory")
#define WAIT(barrier, parity)                                                  \
  asm volatile("{ .reg .pred p;\n"                                             \
               "again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n"     \
               "@!p bra again; }" ::"r"(low(barrier)),                         \
               "r"(parity)                                                     \
               : "memory")

typedef unsigned long long Barrier;

__device__ void produce(int (*tile)[32], Barrier *full, Barrier *empty,
                        const int *in) {
  int lane = threadIdx.x % 32;
  for (int n = 0; n < 4; n++) {
    if (BUG != 1)
      WAIT(&empty[n % 2], (n / 2 & 1) ^ 1); // says 4: lacks 1 of 32 arrivals
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" // says 1,7: copies to
                 ::"r"(low(&tile[n % 2][lane])), "l"(in + n * 32 + lane)
                 : "memory");
    if (BUG == 7)
      ARRIVE(&full[n % 2]);
    else
      asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];"
                   ::"r"(low(&full[n % 2])) : "memory");
  }
}

__device__ int consume(int (*tile)[32], Barrier *full, Barrier *empty) {
  int lane = threadIdx.x % 32, sum = 0;
  for (int n = 0; n < 4; n++) {
    WAIT(&full[n % 2], (n / 2 & 1) ^ (BUG == 2));
    sum += tile[n % 2][31 - lane] + tile[n % 2][lane]; // says 1,2,7: reads tile
    if (BUG == 10)
      asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];"
                   ::"r"(low(&empty[n % 2])) : "memory");
    else if (BUG != 4 || lane)
      ARRIVE(&empty[n % 2]);
  }
  return sum;
}

__global__ void phases(const int *in, int *out) {
  __shared__ __align__(16) int tile[2][32], whole[32];
  __shared__ Barrier full[2], empty[2], bulk;
  int i = threadIdx.x;
  for (int k = 0; i == 0 && k < 2; k++) {
    INIT(&full[k], 32);
    INIT(&empty[k], 32); // says 3: writes empty
  }
  if (i == 0)
    INIT(&bulk, 1);
  if (BUG == 11 && i == 0)
    INIT(&bulk, 1); // says 11: still valid
  if (BUG == 5 && i == 0)
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], 2;" // says 5: 2 arr
                 ::"r"(low(&bulk)) : "memory");
  if (BUG != 3)
    __syncthreads();
  if (i == 32) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
                 ::"r"(low(&bulk)), "r"(BUG == 8 ? 144 : 128) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx"
                 "::bytes [%0], [%1], 128, [%2];" // whole
                 ::"r"(low(whole)), "l"(in), "r"(low(&bulk)) : "memory");
  }
  int sum = 0;
  if (i < 32)
    produce(tile, full, empty, in);
  else
    sum = consume(tile, full, empty);
  if (BUG == 9)
    sum += whole[i % 32] * 0; // says 9: reads whole
  WAIT(&bulk, 0); // says 8: lacks 0 of 1 arrivals, 16 bytes
  __syncthreads();
  if (i == 0)
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(low(&bulk)) : "memory");
  if (BUG == 6 && i == 0)
    ARRIVE(&bulk); // says 6: no mbarrier has been initialised here
  if (i >= 32)
    out[i - 32] = sum % 1000 / 4 * 0 + whole[i - 32] * 4 + 6;
  if (i == 40)
    out[32] = sum;
}
