// Random numbers: any value, and an access to the generator's state.
//
// Each number reads and writes the state, so that threads that share one are
// found.  The threads of a block do share a curandStateMtgp32 by design, up to
// 256 of them; its accesses are atomics of the block's scope, which race between
// blocks only.

#ifndef GPUVERIFY_CURAND_KERNEL_H
#define GPUVERIFY_CURAND_KERNEL_H

#include "../cuda.h"

#define __GPUVERIFY_STATE(name)                                                \
  struct name {                                                                \
    unsigned word;                                                             \
  };                                                                           \
  typedef name name##_t;                                                       \
  __GPUVERIFY_DEVICE_INLINE void __gpuverify_step(name *state) {               \
    state->word = state->word + 1;                                             \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE void curand_init(                                  \
      unsigned long long, unsigned long long, unsigned long long,              \
      name *state) {                                                           \
    state->word = __gpuverify_any_value<unsigned>();                           \
  }
__GPUVERIFY_STATE(curandStateXORWOW)
__GPUVERIFY_STATE(curandStateMRG32k3a)
__GPUVERIFY_STATE(curandStatePhilox4_32_10)
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;

struct curandStateMtgp32 {
  unsigned word;
};
typedef curandStateMtgp32 curandStateMtgp32_t;
__GPUVERIFY_DEVICE_INLINE void __gpuverify_step(curandStateMtgp32 *state) {
  if (blockDim.x > 256)
    __assert_fail("256 threads or fewer", __FILE__, __LINE__, __func__);
  atomicAdd_block(&state->word, 1u);
}

#define __GPUVERIFY_RANDOM(name, type)                                         \
  template <class State> __GPUVERIFY_DEVICE_INLINE type name(State *state) {   \
    __gpuverify_step(state);                                                   \
    return __gpuverify_any_value<type>();                                      \
  }
__GPUVERIFY_RANDOM(curand, unsigned)
__GPUVERIFY_RANDOM(curand4, uint4)
__GPUVERIFY_RANDOM(curand_uniform, float)
__GPUVERIFY_RANDOM(curand_uniform4, float4)
__GPUVERIFY_RANDOM(curand_uniform_double, double)
__GPUVERIFY_RANDOM(curand_normal, float)
__GPUVERIFY_RANDOM(curand_normal2, float2)
__GPUVERIFY_RANDOM(curand_normal4, float4)
__GPUVERIFY_RANDOM(curand_normal_double, double)
__GPUVERIFY_RANDOM(curand_normal2_double, double2)

template <class State>
__GPUVERIFY_DEVICE_INLINE unsigned curand_poisson(State *state, double) {
  return curand(state);
}
template <class State>
__GPUVERIFY_DEVICE_INLINE float curand_log_normal(State *state, float, float) {
  return curand_normal(state);
}
template <class State>
__GPUVERIFY_DEVICE_INLINE void skipahead(unsigned long long, State *state) {
  __gpuverify_step(state);
}

#endif
