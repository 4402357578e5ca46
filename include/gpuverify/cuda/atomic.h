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

// CUDA's name and type; the operation in the device's scope; the end of the
// builtin's name in the other scopes, and the type that it takes.
#define __GPUVERIFY_ATOMIC(name, type, operation, scoped, taken)               \
  __GPUVERIFY_DEVICE_INLINE type atomic##name(type *p, type value) {           \
    return __scoped_atomic_fetch_##operation(p, value, __GPUVERIFY_AT_DEVICE); \
  }                                                                            \
  __GPUVERIFY_ATOMIC_SCOPED(name, type, scoped, taken)

#define __GPUVERIFY_ATOMIC_SCOPED(name, type, scoped, taken)                   \
  __GPUVERIFY_DEVICE_INLINE type atomic##name##_block(type *p, type value) {   \
    return (type)__nvvm_atom_cta_##scoped((taken *)p, (taken)value);           \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type atomic##name##_system(type *p, type value) {  \
    return (type)__nvvm_atom_sys_##scoped((taken *)p, (taken)value);           \
  }

__GPUVERIFY_ATOMIC(Add, int, add, add_gen_i, int)
__GPUVERIFY_ATOMIC(Add, unsigned, add, add_gen_i, int)
__GPUVERIFY_ATOMIC(Add, unsigned long long, add, add_gen_ll, long long)
__GPUVERIFY_ATOMIC(Add, float, add, add_gen_f, float)
__GPUVERIFY_ATOMIC(Add, double, add, add_gen_d, double)
__GPUVERIFY_ATOMIC(Min, int, min, min_gen_i, int)
__GPUVERIFY_ATOMIC(Min, unsigned, min, min_gen_ui, unsigned)
__GPUVERIFY_ATOMIC(Min, long long, min, min_gen_ll, long long)
__GPUVERIFY_ATOMIC(Min, unsigned long long, min, min_gen_ull,
                   unsigned long long)
__GPUVERIFY_ATOMIC(Max, int, max, max_gen_i, int)
__GPUVERIFY_ATOMIC(Max, unsigned, max, max_gen_ui, unsigned)
__GPUVERIFY_ATOMIC(Max, long long, max, max_gen_ll, long long)
__GPUVERIFY_ATOMIC(Max, unsigned long long, max, max_gen_ull,
                   unsigned long long)
__GPUVERIFY_ATOMIC(And, int, and, and_gen_i, int)
__GPUVERIFY_ATOMIC(And, unsigned, and, and_gen_i, int)
__GPUVERIFY_ATOMIC(And, unsigned long long, and, and_gen_ll, long long)
__GPUVERIFY_ATOMIC(Or, int, or, or_gen_i, int)
__GPUVERIFY_ATOMIC(Or, unsigned, or, or_gen_i, int)
__GPUVERIFY_ATOMIC(Or, unsigned long long, or, or_gen_ll, long long)
__GPUVERIFY_ATOMIC(Xor, int, xor, xor_gen_i, int)
__GPUVERIFY_ATOMIC(Xor, unsigned, xor, xor_gen_i, int)
__GPUVERIFY_ATOMIC(Xor, unsigned long long, xor, xor_gen_ll, long long)

// Subtraction in the other scopes adds the negative.
#define __GPUVERIFY_ATOMIC_SUB(type)                                           \
  __GPUVERIFY_DEVICE_INLINE type atomicSub(type *p, type value) {              \
    return __scoped_atomic_fetch_sub(p, value, __GPUVERIFY_AT_DEVICE);         \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type atomicSub_block(type *p, type value) {        \
    return (type)__nvvm_atom_cta_add_gen_i((int *)p, (int)(0u - value));       \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type atomicSub_system(type *p, type value) {       \
    return (type)__nvvm_atom_sys_add_gen_i((int *)p, (int)(0u - value));       \
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
__GPUVERIFY_ATOMIC_SCOPED(Inc, unsigned, inc_gen_ui, unsigned)
__GPUVERIFY_ATOMIC_SCOPED(Dec, unsigned, dec_gen_ui, unsigned)

// As bits: a float is exchanged like an int.
#define __GPUVERIFY_ATOMIC_EXCH(type, taken, letter)                           \
  __GPUVERIFY_DEVICE_INLINE type atomicExch(type *p, type value) {             \
    type old;                                                                  \
    __scoped_atomic_exchange(p, &value, &old, __GPUVERIFY_AT_DEVICE);          \
    return old;                                                                \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type atomicExch_block(type *p, type value) {       \
    return __builtin_bit_cast(                                                 \
        type, __nvvm_atom_cta_xchg_gen_##letter(                               \
                  (taken *)p, __builtin_bit_cast(taken, value)));              \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type atomicExch_system(type *p, type value) {      \
    return __builtin_bit_cast(                                                 \
        type, __nvvm_atom_sys_xchg_gen_##letter(                               \
                  (taken *)p, __builtin_bit_cast(taken, value)));              \
  }
__GPUVERIFY_ATOMIC_EXCH(int, int, i)
__GPUVERIFY_ATOMIC_EXCH(unsigned, int, i)
__GPUVERIFY_ATOMIC_EXCH(unsigned long long, long long, ll)
__GPUVERIFY_ATOMIC_EXCH(float, int, i)

#define __GPUVERIFY_ATOMIC_CAS(type, taken, letter)                            \
  __GPUVERIFY_DEVICE_INLINE type atomicCAS(type *p, type old, type value) {    \
    __scoped_atomic_compare_exchange_n(                                        \
        p, &old, value, false, __ATOMIC_RELAXED, __GPUVERIFY_AT_DEVICE);       \
    return old;                                                                \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type atomicCAS_block(type *p, type old,            \
                                                 type value) {                 \
    return (type)__nvvm_atom_cta_cas_gen_##letter((taken *)p, (taken)old,      \
                                                  (taken)value);               \
  }                                                                            \
  __GPUVERIFY_DEVICE_INLINE type atomicCAS_system(type *p, type old,           \
                                                  type value) {                \
    return (type)__nvvm_atom_sys_cas_gen_##letter((taken *)p, (taken)old,      \
                                                  (taken)value);               \
  }
__GPUVERIFY_ATOMIC_CAS(int, int, i)
__GPUVERIFY_ATOMIC_CAS(unsigned, int, i)
__GPUVERIFY_ATOMIC_CAS(unsigned long long, long long, ll)
__GPUVERIFY_ATOMIC_CAS(unsigned short, unsigned short, us)

#endif
