// What an mbarrier counts: arrivals that come late, bytes that come before they
// are announced, and threads that drop out.
//
// args:     --detect=races --clang-arg=--cuda-gpu-arch=sm_90
// verdict:  passed
// prints:   out = 0 1 2 3
// bug 1:    deadlock    bytes announced behind the last arrival end no phase
// bug 2:    divergent   more bytes than an mbarrier can count
// bug 3:    divergent   two late arrivals where one is expected
// bug 4:    divergent   more drop out than are expected
// bug 5:    divergent   more bytes come than an mbarrier can count

typedef unsigned long long Barrier;

__device__ unsigned low(const void *at) {
  return (unsigned)__cvta_generic_to_shared(at);
}

#define DO(instruction, barrier, number)                                       \
  asm volatile("mbarrier." instruction " [%0], %1;" ::"r"(low(&barrier)),      \
               "r"(number)                                                     \
               : "memory")
#define INIT(barrier, count) DO("init.shared.b64", barrier, count)
#define DROP(barrier, count)                                                   \
  DO("arrive_drop.release.cta.shared::cta.b64 _,", barrier, count)
#define EXPECT(barrier, bytes)                                                 \
  DO("expect_tx.relaxed.cta.shared::cta.b64", barrier, bytes)
#define COMPLETE(barrier, bytes)                                               \
  DO("complete_tx.relaxed.cta.shared::cta.b64", barrier, bytes)
#define ARRIVE(barrier)                                                        \
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(low(&barrier))      \
               : "memory")
#define LATE(instruction, barrier)                                             \
  asm volatile("cp.async.mbarrier.arrive" instruction ".shared.b64 [%0];" ::   \
                   "r"(low(&barrier))                                          \
               : "memory")
#define WAIT(barrier)                                                          \
  asm volatile("{ .reg .pred p;\n"                                             \
               "again: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n"      \
               "@!p bra again; }" ::"r"(low(&barrier))                         \
               : "memory")

__global__ void counts(const int *in, int *out) {
  __shared__ __align__(16) int tile[32];
  __shared__ Barrier bytes, late, drops;
  int i = threadIdx.x;
  if (i == 0) {
    INIT(bytes, 1);
    INIT(late, BUG == 3 ? 1 : 2);
    if (BUG == 3)
      EXPECT(late, 16); // keeps the phase from ending
    INIT(drops, 1);
  }
  __syncthreads();
  if (i == 0) {
    if (BUG == 5)
      COMPLETE(bytes, 1048575);
    COMPLETE(bytes, 16); // says 5: more bytes than
    if (BUG != 1)
      EXPECT(bytes, 16);
    ARRIVE(bytes);
    if (BUG == 1)
      EXPECT(bytes, 16);
    if (BUG == 2)
      EXPECT(bytes, 1048575);
    if (BUG == 2)
      EXPECT(bytes, 1); // says 2: more bytes than
  }
  WAIT(bytes); // says 1: lacks 0 of 1 arrivals
  if (i < 2) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(
                     low(tile + 4 * i)),
                 "l"(in + 4 * i)
                 : "memory");
    LATE(".noinc", late);
  }
  WAIT(late); // says 3: 1 arrivals at an mbarrier whose phase expects 0 more
  if (i == 3) {
    LATE("", drops); // one arrival more
    DROP(drops, BUG == 4 ? 2 : 1); // says 4: 2 arrivals drop out
  }
  WAIT(drops);
  if (i < 8)
    out[i] = tile[i];
}
