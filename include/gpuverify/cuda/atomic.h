// Atomics: atomicAdd and its like, in three scopes.
//
// Those without suffix have the scope of the device and become atomicrmw and
// cmpxchg, monotonic.  clang knows no scopes for this target: no syncscope
// stands there, though LLVM takes that for the scope of the system.  So the
// others become intrinsics that name their scope,
//
//   llvm.nvvm.atomic.<op>.gen.<i or f>.<cta or sys>.<type>.p0(ptr, value..)
//
// with op one of add exch max min inc dec and or xor cas; max and min say
// "max.gen.i" for signed and unsigned alike.
// No atomic orders any other access.

#ifndef GPUVERIFY_CUDA_ATOMIC_H
#define GPUVERIFY_CUDA_ATOMIC_H

#include "words.h"

#define __GPUVERIFY_AT_DEVICE __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE

// CUDA's name and type; the operation in the device's scope and in the
// others; the type in the intrinsic's name.
#define __GPUVERIFY_SCOPED(name, type, operation, kind, arguments)             \
  __device__ type atomic##name##_block arguments __asm__(                      \
      "llvm.nvvm.atomic." #operation ".cta." #kind ".p0");                     \
  __device__ type atomic##name##_system arguments __asm__(                     \
      "llvm.nvvm.atomic." #operation ".sys." #kind ".p0");
#define __GPUVERIFY_ATOMIC(name, type, operation, scoped, kind)                \
  __GPUVERIFY_DEVICE_INLINE type atomic##name(type *p, type value) {           \
    return __scoped_atomic_fetch_##operation(p, value, __GPUVERIFY_AT_DEVICE); \
  }                                                                            \
  __GPUVERIFY_SCOPED(name, type, scoped, kind, (type *, type))
// The name and the types around the signed intrinsic say that it is not meant.
#define __GPUVERIFY_UNSIGNED(name, type, operation, sign)                      \
  __GPUVERIFY_DEVICE_INLINE type atomic##name(type *p, type value) {           \
    return __scoped_atomic_fetch_##operation(p, value, __GPUVERIFY_AT_DEVICE); \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type atomic##name##_block(type *p, type value) {   \
    return atomic##name##_block((sign *)p, (sign)value);                       \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type atomic##name##_system(type *p, type value) {  \
    return atomic##name##_system((sign *)p, (sign)value);                      \
  }

__GPUVERIFY_ATOMIC(Add, int, add, add.gen.i, i32)
__GPUVERIFY_ATOMIC(Add, unsigned, add, add.gen.i, i32)
__GPUVERIFY_ATOMIC(Add, unsigned long long, add, add.gen.i, i64)
__GPUVERIFY_ATOMIC(Add, float, add, add.gen.f, f32)
__GPUVERIFY_ATOMIC(Add, double, add, add.gen.f, f64)
__GPUVERIFY_ATOMIC(Min, int, min, min.gen.i, i32)
__GPUVERIFY_UNSIGNED(Min, unsigned, min, int)
__GPUVERIFY_ATOMIC(Min, long long, min, min.gen.i, i64)
__GPUVERIFY_UNSIGNED(Min, unsigned long long, min, long long)
__GPUVERIFY_ATOMIC(Max, int, max, max.gen.i, i32)
__GPUVERIFY_UNSIGNED(Max, unsigned, max, int)
__GPUVERIFY_ATOMIC(Max, long long, max, max.gen.i, i64)
__GPUVERIFY_UNSIGNED(Max, unsigned long long, max, long long)
__GPUVERIFY_ATOMIC(And, int, and, and.gen.i, i32)
__GPUVERIFY_ATOMIC(And, unsigned, and, and.gen.i, i32)
__GPUVERIFY_ATOMIC(And, unsigned long long, and, and.gen.i, i64)
__GPUVERIFY_ATOMIC(Or, int, or, or.gen.i, i32)
__GPUVERIFY_ATOMIC(Or, unsigned, or, or.gen.i, i32)
__GPUVERIFY_ATOMIC(Or, unsigned long long, or, or.gen.i, i64)
__GPUVERIFY_ATOMIC(Xor, int, xor, xor.gen.i, i32)
__GPUVERIFY_ATOMIC(Xor, unsigned, xor, xor.gen.i, i32)
__GPUVERIFY_ATOMIC(Xor, unsigned long long, xor, xor.gen.i, i64)

// Subtraction in the other scopes adds the negative.
#define __GPUVERIFY_ATOMIC_SUB(type)                                           \
  __GPUVERIFY_DEVICE_INLINE type atomicSub(type *p, type value) {              \
    return __scoped_atomic_fetch_sub(p, value, __GPUVERIFY_AT_DEVICE);         \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type atomicSub_block(type *p, type value) {        \
    return atomicAdd_block(p, (type)(0u - value));                             \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type atomicSub_system(type *p, type value) {       \
    return atomicAdd_system(p, (type)(0u - value));                            \
  }
__GPUVERIFY_ATOMIC_SUB(int)
__GPUVERIFY_ATOMIC_SUB(unsigned)

// atomicrmw uinc_wrap and udec_wrap.
__GPUVERIFY_DEVICE_INLINE unsigned atomicInc(unsigned *p, unsigned limit) {
  return __nvvm_atom_inc_gen_ui(p, limit);
}
__GPUVERIFY_DEVICE_INLINE unsigned atomicDec(unsigned *p, unsigned limit) {
  return __nvvm_atom_dec_gen_ui(p, limit);
}
__GPUVERIFY_SCOPED(Inc, unsigned, inc.gen.i, i32, (unsigned *, unsigned))
__GPUVERIFY_SCOPED(Dec, unsigned, dec.gen.i, i32, (unsigned *, unsigned))

// Any type is exchanged as bits; a float like an int in the other scopes.
#define __GPUVERIFY_ATOMIC_EXCH(type)                                          \
  __GPUVERIFY_DEVICE_INLINE type atomicExch(type *p, type value) {             \
    type old;                                                                  \
    __scoped_atomic_exchange(p, &value, &old, __GPUVERIFY_AT_DEVICE);          \
    return old;                                                                \
  }
#define __GPUVERIFY_EXCH_FLOAT(scope)                                          \
  __GPUVERIFY_DEVICE_INLINE float atomicExch_##scope(float *p, float value) {  \
    return __builtin_bit_cast(                                                 \
        float, atomicExch_##scope((int *)p, __builtin_bit_cast(int, value)));  \
  }
__GPUVERIFY_ATOMIC_EXCH(int)
__GPUVERIFY_ATOMIC_EXCH(unsigned)
__GPUVERIFY_ATOMIC_EXCH(unsigned long long)
__GPUVERIFY_ATOMIC_EXCH(float)
__GPUVERIFY_SCOPED(Exch, int, exch.gen.i, i32, (int *, int))
__GPUVERIFY_SCOPED(Exch, unsigned, exch.gen.i, i32, (unsigned *, unsigned))
__GPUVERIFY_SCOPED(Exch, unsigned long long, exch.gen.i, i64,
                   (unsigned long long *, unsigned long long))
__GPUVERIFY_EXCH_FLOAT(block)
__GPUVERIFY_EXCH_FLOAT(system)

#define __GPUVERIFY_ATOMIC_CAS(type, kind)                                     \
  __GPUVERIFY_DEVICE_INLINE type atomicCAS(type *p, type old, type value) {    \
    __scoped_atomic_compare_exchange_n(                                        \
        p, &old, value, false, __ATOMIC_RELAXED, __GPUVERIFY_AT_DEVICE);       \
    return old;                                                                \
  }                                                                            \
  __GPUVERIFY_SCOPED(CAS, type, cas.gen.i, kind, (type *, type, type))
__GPUVERIFY_ATOMIC_CAS(int, i32)
__GPUVERIFY_ATOMIC_CAS(unsigned, i32)
__GPUVERIFY_ATOMIC_CAS(unsigned long long, i64)
__GPUVERIFY_ATOMIC_CAS(unsigned short, i16)

#endif
