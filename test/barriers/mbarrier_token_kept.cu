// A ring as CUTLASS has it: each side asks for its next stage before it works
// on this one, keeps the answer as a token, and waits later unless that is
// "yes".
//
// technique: barriers
// verdict:  verified
// bug 1:    racy       the consumer asks, and never waits
// bug 2:    deadlock   the consumer's parity never changes
// bug 3:    racy       the buffer is given back before it has been read
// bug 4:    racy       the next stage is read when it has been asked for
// bug 5:    divergent  the producer's question has the other parity
// bug 6:    unknown    the token decides what is read
// bug 7:    unknown    the token is that of another stage
// bug 8:    racy       the question is a relaxed one

#include "mbarrier.h"

enum { STAGES = 3, ROUNDS = 8 };

struct State {
  int stage, parity;
  __device__ void advance(bool flips) {
    if (++stage == STAGES) {
      stage = 0;
      parity ^= flips;
    }
  }
};

__device__ __forceinline__ int ask_relaxed(unsigned long long *barrier,
                                           int parity) {
  int is_over;
  asm volatile(
      "{ .reg .pred p;"
      " mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 p, [%1], %2;"
      " selp.b32 %0, 1, 0, p; }"
      : "=r"(is_over)
      : "r"(in_shared(barrier)), "r"(parity)
      : "memory");
  return is_over;
}

__global__ void __launch_bounds__(96) pipe(const float *in, float *out) {
  __shared__ unsigned long long full[STAGES], empty[STAGES];
  __shared__ float tile[STAGES][64];
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < STAGES; i++) {
      init(&full[i], 32);
      init(&empty[i], 64);
    }
  __syncthreads();
  if (threadIdx.x < 32) {
    State write = {0, 1};
    bool token = try_wait(&empty[0], 1);
    for (int i = 0; i < ROUNDS; i++) {
      if (!token)
        wait(&empty[write.stage], write.parity); // expect 1,2: deadlock
      float *to = tile[write.stage];
      unsigned long long *done = &full[write.stage];
      write.advance(true);
      if (i + 1 < ROUNDS)
        token = try_wait(&empty[write.stage], // expect 5: lets it pass
                         BUG == 5 ? write.parity ^ 1 : write.parity);
      to[lane] = in[64 * i + lane];           // expect 1,3,4,8: race
      to[lane + 32] = in[64 * i + lane + 32]; // allow 1,3,4,8: race
      arrive(done);                           // allow 1: too early
    }
    return;
  }
  State read = {0, 0};
  float sum = 0;
  bool token = false;
  for (int i = 0; i < ROUNDS; i++) {
    if (BUG != 1 && !token)
      wait(&full[read.stage], read.parity); // allow 2: deadlock
    float *from = tile[read.stage];
    unsigned long long *done = &empty[read.stage];
    unsigned long long *other = &full[read.stage];
    read.advance(BUG != 2);
    if (i + 1 < ROUNDS)
      token = BUG == 8   ? ask_relaxed(&full[read.stage], read.parity)
              : BUG == 7 ? try_wait(other, read.parity)
                         : try_wait(&full[read.stage], read.parity);
    if (BUG == 3)
      arrive(done);
    if (BUG == 4)
      from = tile[read.stage];
    if (BUG == 6 && token)
      from++;
    for (int k = 0; k < 63; k++)
      sum += from[(lane + k) % 63];
    if (BUG != 3)
      arrive(done); // allow 1: too early
  }
  out[threadIdx.x] = sum;
}
