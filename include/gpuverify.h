// What a kernel promises: annotations for CUDA C++ and OpenCL C.
//
// The names and their meaning are GPUVerify's.  In an ordinary compilation
// every annotation vanishes and leaves the object file as it would be without
// it.  When gpuverify compiles the kernel for itself it defines __GPUVERIFY__
// and includes this file first, so a kernel need not include it; then each
// annotation becomes a call of a primitive function without a body, which the
// translator knows by the name it has in LLVM IR:
//
//   __gpuverify_... (all return and take bool, i1, unless said otherwise)
//   quiet_begin(), quiet_end()      void; loads between are not accesses: no
//                                   race is looked for; they do not nest
//   requires(e), ensures(e)         void; of the enclosing function; ensures stands
//                                   at its beginning, and e holds where it returns
//   assume(e), assert(e)            void; here
//   invariant(e), candidate(e)      void; of the loop whose header this is; a
//                                   candidate may be refuted in silence
//   function_invariant(e), function_candidate(e)
//                                   void; of every loop of the function
//   global_requires(e) _ensures _assert _invariant _candidate
//                                   void; the same for a thread that does not
//                                   get here, too
//   axiom_<n>()                     defined, not declared: a fact about the
//                                   launch, returned by this function
//   enabled(), dominator_enabled()  control of this thread gets here; gets to
//                                   the immediate dominator
//   same_group()                    both threads are of one block
//   other_int(i32) -> i32, other_bool(e), other_size(i64) -> i64
//                                   the value that any other thread has in the
//                                   same iteration of the loops around; if it
//                                   has left one of them, in any iteration
//   old_int(i32) -> i32, old_bool(e)
//                                   in ensures: the value on entry
//   return_int() -> i32, return_bool(), return_ptr() -> ptr,
//   return_int4() -> <4 x i32> or struct
//                                   in ensures: what the function returns
//   read(ptr), written(ptr)         the logged access is one to ptr's array: any
//                                   plain one of this thread, or none, since the
//                                   last barrier that orders it (of the grid, for
//                                   global memory); atomics are not logged
//   read_offset(ptr) -> i64, written_offset(ptr) -> i64
//                                   its offset in bytes; anything if there is none
//   ptr_base(ptr) -> i64, ptr_offset(ptr) -> i64
//                                   number of the array; offset in bytes
//   fresh_array(ptr)                void; ptr is the start of an array of its
//                                   own
//   reads_from(ptr), writes_to(ptr) void; what a function without body does
//   array_snapshot(ptr, ptr)        void; the first array now equals the second
//   atomic_has_taken(ptr, i32, i32) an atomic at this byte offset of ptr's
//                                   array has returned this value
//   at_barrier()                    void; quiet until quiet_end; what e loads is
//                                   as it is at the barrier that follows
//   barrier_invariant(e)            void; holds for each thread at the next
//                                   barrier; behind it, it may be assumed for
//   instantiate(i32), instantiate_pair(i32, i32)
//                                   void; ... these threads, by index in x;
//                                   they follow at once, before quiet_end
//   uf_<NAME>(...)                  an uninterpreted function
//
// In OpenCL C, where a pointer's type names its address space, the names with
// a ptr argument end in _global, _local, _constant, _private or _generic.

#ifndef GPUVERIFY_H
#define GPUVERIFY_H

#ifdef __clang__
#pragma clang system_header
#endif

// ------------------------------------------------------- both languages ---

#if defined(__OPENCL_C_VERSION__) || defined(__OPENCL_CPP_VERSION__)
#define __GPUVERIFY_FUNCTION
#define __GPUVERIFY_C
#define __GPUVERIFY_BOOL bool
#elif defined(__clang__) && defined(__CUDA__)
#define __GPUVERIFY_FUNCTION __attribute__((host, device))
#define __GPUVERIFY_C extern "C"
#define __GPUVERIFY_BOOL bool
#elif defined(__CUDACC__)
#define __GPUVERIFY_FUNCTION __host__ __device__
#define __GPUVERIFY_C extern "C"
#define __GPUVERIFY_BOOL bool
#elif defined(__cplusplus)
#define __GPUVERIFY_FUNCTION
#define __GPUVERIFY_C extern "C"
#define __GPUVERIFY_BOOL bool
#else
#define __GPUVERIFY_FUNCTION
#define __GPUVERIFY_C
#define __GPUVERIFY_BOOL _Bool
#endif

#ifdef __UINT64_TYPE__
#define __GPUVERIFY_U64 __UINT64_TYPE__
#else
#define __GPUVERIFY_U64 unsigned long long
#endif

// No branch: an invariant has to stay in one basic block.
#define __implies(a, b) ((int)!(a) | (int)!!(b))
#define __is_pow2(x) (((x) & ((x) - 1)) == 0)
#define __mod_pow2(x, y) (((y) - 1) & (x))

#define __ite_bool __ite
#define __ite_char __ite
#define __ite_short __ite
#define __ite_int __ite
#define __ite_long __ite
#define __ite_unsigned __ite
#define __ite_float __ite
#define __ite_double __ite
#define __ite_size_t __ite

// A number keeps its type and all of its bits; what is no whole number, or has
// more bits than the type, is an error of the compiler.
#define __GPUVERIFY_NUMBER(e) ((e) | 0)
#define __GPUVERIFY_WITHIN(type, e)                                            \
  ((void)sizeof(char[sizeof __GPUVERIFY_NUMBER(e) <= sizeof(type) ? 1 : -1]))

#define __uniform_int(e) (__other_int(e) == __GPUVERIFY_NUMBER(e))
#define __uniform_bool(e) (__other_bool(e) == !!(e))
#define __distinct_int(e) (__other_int(e) != __GPUVERIFY_NUMBER(e))
#define __distinct_bool(e) (__other_bool(e) != !!(e))
#define __exclusive(e) (!((int)__other_bool(e) & (int)!!(e)))
#define __no_read(p) (!__read(p))
#define __no_write(p) (!__write(p))
#define __read_implies(p, e) __implies(__read(p), e)
#define __write_implies(p, e) __implies(__write(p), e)

// __all is a vote over a warp where the CUDA SDK or ROCm declares it.
#if !defined(__CUDA_RUNTIME_H__) && !defined(HIP_INCLUDE_HIP_HIP_RUNTIME_H)
#define __all(e) ((int)__other_bool(e) & (int)!!(e))
#endif

#ifdef __GPUVERIFY__

// ----------------------------------------------- as gpuverify sees it ---

#define __GPUVERIFY_NAMED(name) __asm__("__gpuverify_" #name)
#define __GPUVERIFY_PRIMITIVE(result, name, arguments)                         \
  __GPUVERIFY_C __GPUVERIFY_FUNCTION result __gpuverify_##name arguments

__GPUVERIFY_PRIMITIVE(void, quiet_begin, (void));
__GPUVERIFY_PRIMITIVE(void, quiet_end, (void));
__GPUVERIFY_PRIMITIVE(void, aside, (void));
__GPUVERIFY_PRIMITIVE(void, requires, (bool));
__GPUVERIFY_PRIMITIVE(void, ensures, (bool));
__GPUVERIFY_PRIMITIVE(void, assume, (bool));
__GPUVERIFY_PRIMITIVE(void, assert, (bool));
__GPUVERIFY_PRIMITIVE(void, invariant, (bool));
__GPUVERIFY_PRIMITIVE(void, candidate, (bool));
__GPUVERIFY_PRIMITIVE(void, function_invariant, (bool));
__GPUVERIFY_PRIMITIVE(void, function_candidate, (bool));
__GPUVERIFY_PRIMITIVE(void, global_requires, (bool));
__GPUVERIFY_PRIMITIVE(void, global_ensures, (bool));
__GPUVERIFY_PRIMITIVE(void, global_assert, (bool));
__GPUVERIFY_PRIMITIVE(void, global_invariant, (bool));
__GPUVERIFY_PRIMITIVE(void, global_candidate, (bool));
__GPUVERIFY_PRIMITIVE(bool, enabled, (void));
__GPUVERIFY_PRIMITIVE(bool, dominator_enabled, (void));
__GPUVERIFY_PRIMITIVE(bool, same_group, (void));
__GPUVERIFY_PRIMITIVE(bool, other_bool, (bool));
__GPUVERIFY_PRIMITIVE(__GPUVERIFY_U64, other_size, (__GPUVERIFY_U64));
__GPUVERIFY_PRIMITIVE(int, old_int, (int));
__GPUVERIFY_PRIMITIVE(bool, old_bool, (bool));
__GPUVERIFY_PRIMITIVE(int, return_int, (void));
__GPUVERIFY_PRIMITIVE(bool, return_bool, (void));
__GPUVERIFY_PRIMITIVE(void, at_barrier, (void));
__GPUVERIFY_PRIMITIVE(void, barrier_invariant, (bool));
__GPUVERIFY_PRIMITIVE(void, instantiate, (int));
__GPUVERIFY_PRIMITIVE(void, instantiate_pair, (int, int));

// One set of functions for each kind of pointer.  __read and __write have to
// be functions: the C++ library has functions of these names.
#define __GPUVERIFY_ON_POINTERS(attributes, space, suffix)                     \
  attributes bool __read(const volatile space void *)                          \
      __GPUVERIFY_NAMED(read##suffix);                                         \
  attributes bool __write(const volatile space void *)                         \
      __GPUVERIFY_NAMED(written##suffix);                                      \
  attributes __GPUVERIFY_U64 __read_offset_bytes(const volatile space void *)  \
      __GPUVERIFY_NAMED(read_offset##suffix);                                  \
  attributes __GPUVERIFY_U64 __write_offset_bytes(const volatile space void *) \
      __GPUVERIFY_NAMED(written_offset##suffix);                               \
  attributes __GPUVERIFY_U64 __ptr_base(const volatile space void *)           \
      __GPUVERIFY_NAMED(ptr_base##suffix);                                     \
  attributes __GPUVERIFY_U64 __ptr_offset_bytes(const volatile space void *)   \
      __GPUVERIFY_NAMED(ptr_offset##suffix);                                   \
  attributes void __gpuverify_fresh_array(const volatile space void *)         \
      __GPUVERIFY_NAMED(fresh_array##suffix);                                  \
  attributes void __reads_from(const volatile space void *)                    \
      __GPUVERIFY_NAMED(reads_from##suffix);                                   \
  attributes void __writes_to(const volatile space void *)                     \
      __GPUVERIFY_NAMED(writes_to##suffix);                                    \
  attributes void __array_snapshot(const volatile space void *,                \
                                   const volatile space void *)                \
      __GPUVERIFY_NAMED(array_snapshot##suffix);                               \
  attributes bool __atomic_has_taken_value(const volatile space void *,        \
                                           unsigned, unsigned)                 \
      __GPUVERIFY_NAMED(atomic_has_taken##suffix)

#ifdef __cplusplus
__GPUVERIFY_ON_POINTERS(__GPUVERIFY_FUNCTION, , );
#else
#define __GPUVERIFY_OVERLOADED __attribute__((overloadable))
__GPUVERIFY_ON_POINTERS(__GPUVERIFY_OVERLOADED, __global, _global);
__GPUVERIFY_ON_POINTERS(__GPUVERIFY_OVERLOADED, __local, _local);
__GPUVERIFY_ON_POINTERS(__GPUVERIFY_OVERLOADED, __constant, _constant);
__GPUVERIFY_ON_POINTERS(__GPUVERIFY_OVERLOADED, __private, _private);
#if __OPENCL_C_VERSION__ == 200 || defined(__opencl_c_generic_address_space)
__GPUVERIFY_ON_POINTERS(__GPUVERIFY_OVERLOADED, __generic, _generic);
#endif
#endif

#define __GPUVERIFY_QUIET(statement)                                           \
  (__gpuverify_quiet_begin(), (statement), __gpuverify_quiet_end())

#define __requires(e) __GPUVERIFY_QUIET(__gpuverify_requires(e))
#define __ensures(e) __GPUVERIFY_QUIET(__gpuverify_ensures(e))
#define __global_requires(e) __GPUVERIFY_QUIET(__gpuverify_global_requires(e))
#define __global_ensures(e) __GPUVERIFY_QUIET(__gpuverify_global_ensures(e))
#define __requires_fresh_array(p) __GPUVERIFY_QUIET(__gpuverify_fresh_array(p))
#define __assume(e) __GPUVERIFY_QUIET(__gpuverify_assume(e))
#define __invariant(e) __GPUVERIFY_QUIET(__gpuverify_invariant(e))
#define __global_invariant(e) __GPUVERIFY_QUIET(__gpuverify_global_invariant(e))
#define __candidate_invariant(e) __GPUVERIFY_QUIET(__gpuverify_candidate(e))
#define __candidate_global_invariant(e)                                        \
  __GPUVERIFY_QUIET(__gpuverify_global_candidate(e))
#define __function_wide_invariant(e)                                           \
  __GPUVERIFY_QUIET(__gpuverify_function_invariant(e))
#define __function_wide_candidate_invariant(e)                                 \
  __GPUVERIFY_QUIET(__gpuverify_function_candidate(e))

// The loads of an assertion are accesses like any other, unless it is unsafe.
// A function, because the C library declares an __assert with 3 arguments.
#ifdef __cplusplus
__GPUVERIFY_FUNCTION void __assert(bool) __GPUVERIFY_NAMED(assert);
#else
#define __assert(e) __gpuverify_assert(e)
#endif
#define __global_assert(e) __gpuverify_global_assert(e)
#define __unsafe_assert(e) __GPUVERIFY_QUIET(__gpuverify_assert(e))
#define __unsafe_global_assert(e)                                              \
  __GPUVERIFY_QUIET(__gpuverify_global_assert(e))

#define __enabled() __gpuverify_enabled()
#define __dominator_enabled() __gpuverify_dominator_enabled()
#define __same_group __gpuverify_same_group()
#define __other_int(e)                                                         \
  (__GPUVERIFY_WITHIN(__GPUVERIFY_U64, e),                                     \
   (__typeof__(__GPUVERIFY_NUMBER(e)))__gpuverify_other_size(                  \
       (__GPUVERIFY_U64)__GPUVERIFY_NUMBER(e)))
#define __other_bool(e) __gpuverify_other_bool(e)
#define __other_ptr_base(p) __gpuverify_other_size(__ptr_base(p))
#define __old_int(e) (__GPUVERIFY_WITHIN(int, e), __gpuverify_old_int(e))
#define __old_bool(e) __gpuverify_old_bool(e)
#define __return_val_int() __gpuverify_return_int()
#define __return_val_bool() __gpuverify_return_bool()

#ifdef __cplusplus
#ifdef HIP_INCLUDE_HIP_HIP_RUNTIME_H // a template there
__GPUVERIFY_PRIMITIVE(int4, return_int4, (void));
#else
struct int4;
__GPUVERIFY_PRIMITIVE(struct int4, return_int4, (void));
#endif
__GPUVERIFY_PRIMITIVE(void *, return_ptr, (void));
#define __return_val_funptr(type) ((type)__gpuverify_return_ptr())
#else
__GPUVERIFY_PRIMITIVE(int4, return_int4, (void));
__GPUVERIFY_PRIMITIVE(__global void *, return_ptr, (void));
#endif
#define __return_val_int4() __gpuverify_return_int4()
#define __return_val_ptr() __gpuverify_return_ptr()

// What stands in no annotation and is not for the kernel either.
#define __GPUVERIFY_ASIDE(e) (__gpuverify_aside(), e)

// Both sides are evaluated, then one is taken: clang makes it a select.  With
// fewer operands it is somebody else's: the C++ library's headers have one, too.
#define __ite(...)                                                             \
  __GPUVERIFY_FOURTH(__VA_ARGS__, __GPUVERIFY_ITE, __GPUVERIFY_OTHER_ITE,      \
                     __GPUVERIFY_OTHER_ITE, )(__VA_ARGS__)
#define __GPUVERIFY_FOURTH(a, b, c, fourth, ...) fourth
#define __GPUVERIFY_OTHER_ITE(...) __ite(__VA_ARGS__)
#define __GPUVERIFY_ITE(condition, yes, no)                                    \
  __GPUVERIFY_ASIDE(__extension__({                                            \
    const bool __gpuverify_if = (condition);                                   \
    const __typeof__(1 ? (yes) : (no)) __gpuverify_yes = (yes),                \
                                       __gpuverify_no = (no);                  \
    __gpuverify_if ? __gpuverify_yes : __gpuverify_no;                         \
  }))

#define __axiom(e) __GPUVERIFY_AXIOM(e, __COUNTER__)
#define __GPUVERIFY_AXIOM(e, number) __GPUVERIFY_AXIOM_(e, number)
#define __GPUVERIFY_AXIOM_(e, number)                                          \
  __GPUVERIFY_C __GPUVERIFY_DEVICE __attribute__((used)) bool                  \
  __gpuverify_axiom_##number(void);                                            \
  __GPUVERIFY_DEVICE bool __gpuverify_axiom_##number(void) { return (e); }     \
  __GPUVERIFY_NOTHING_AT_FILE_SCOPE
#ifdef __cplusplus
#define __GPUVERIFY_DEVICE __attribute__((device))
#else
#define __GPUVERIFY_DEVICE
#endif

#define DECLARE_UF_UNARY(name, argument, result)                               \
  __GPUVERIFY_FUNCTION result name(argument) __GPUVERIFY_NAMED(uf_##name)
#define DECLARE_UF_BINARY(name, first, second, result)                         \
  __GPUVERIFY_FUNCTION result name(first, second) __GPUVERIFY_NAMED(uf_##name)

#define __GPUVERIFY_AT_BARRIER(e, instances)                                   \
  (__gpuverify_quiet_begin(), __gpuverify_at_barrier(),                        \
   __gpuverify_barrier_invariant(e) instances, __gpuverify_quiet_end())
#define __GPUVERIFY_PAIR(i, j) , __gpuverify_instantiate_pair(i, j)
#define __GPUVERIFY_1(i) , __gpuverify_instantiate(i)
#define __GPUVERIFY_2(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_1(__VA_ARGS__)
#define __GPUVERIFY_3(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_2(__VA_ARGS__)
#define __GPUVERIFY_4(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_3(__VA_ARGS__)
#define __GPUVERIFY_5(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_4(__VA_ARGS__)
#define __GPUVERIFY_6(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_5(__VA_ARGS__)
#define __GPUVERIFY_7(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_6(__VA_ARGS__)
#define __GPUVERIFY_8(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_7(__VA_ARGS__)
#define __GPUVERIFY_9(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_8(__VA_ARGS__)
#define __GPUVERIFY_10(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_9(__VA_ARGS__)
#define __GPUVERIFY_11(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_10(__VA_ARGS__)
#define __GPUVERIFY_12(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_11(__VA_ARGS__)
#define __GPUVERIFY_13(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_12(__VA_ARGS__)
#define __GPUVERIFY_14(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_13(__VA_ARGS__)
#define __GPUVERIFY_15(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_14(__VA_ARGS__)
#define __GPUVERIFY_16(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_15(__VA_ARGS__)
#define __GPUVERIFY_17(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_16(__VA_ARGS__)
#define __GPUVERIFY_18(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_17(__VA_ARGS__)
#define __GPUVERIFY_19(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_18(__VA_ARGS__)
#define __GPUVERIFY_20(i, ...) __GPUVERIFY_1(i) __GPUVERIFY_19(__VA_ARGS__)

// A checked read, so that nobody else writes x before the next barrier.
#define __read_permission(type, x)                                             \
  (__gpuverify_quiet_begin(), __gpuverify_quiet_end(),                         \
   __GPUVERIFY_ASIDE((void)*(const volatile __typeof__(x) *)&(x)))

// Of up to 20 unsigned numbers: 64 bits hold their sum.
#define __add_noovfl(...)                                                      \
  __GPUVERIFY_FITS(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,   \
                   0, 0, 0, 0, 0)
#define __GPUVERIFY_FITS(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, \
                         s, t, ...)                                            \
  __GPUVERIFY_ASIDE(                                                           \
      (__GPUVERIFY_LONG(a) + __GPUVERIFY_LONG(b) + __GPUVERIFY_LONG(c) +       \
       __GPUVERIFY_LONG(d) + __GPUVERIFY_LONG(e) + __GPUVERIFY_LONG(f) +       \
       __GPUVERIFY_LONG(g) + __GPUVERIFY_LONG(h) + __GPUVERIFY_LONG(i) +       \
       __GPUVERIFY_LONG(j) + __GPUVERIFY_LONG(k) + __GPUVERIFY_LONG(l) +       \
       __GPUVERIFY_LONG(m) + __GPUVERIFY_LONG(n) + __GPUVERIFY_LONG(o) +       \
       __GPUVERIFY_LONG(p) + __GPUVERIFY_LONG(q) + __GPUVERIFY_LONG(r) +       \
       __GPUVERIFY_LONG(s) + __GPUVERIFY_LONG(t)) <= 0xffffffffu)
#define __GPUVERIFY_LONG(x)                                                    \
  (__GPUVERIFY_WITHIN(unsigned, x), (__GPUVERIFY_U64)(unsigned)(x))

// Signed addition overflows if both operands have the sign that the sum lacks.
#define __GPUVERIFY_ADDITION(name, type, wide, fits)                           \
  static __inline__ __attribute__((always_inline)) __GPUVERIFY_FUNCTION type   \
  __add_noovfl_##name(type x, type y) {                                        \
    type sum = (type)((wide)x + (wide)y);                                      \
    __gpuverify_assume(fits);                                                  \
    return sum;                                                                \
  }

#define __non_temporal_loads_begin() __gpuverify_quiet_begin()
#define __non_temporal_loads_end() __gpuverify_quiet_end()

#else

// ------------------------------------------- an ordinary compilation ---

// The C library's own __assert, and its like, have to be declared by now.
#if defined(__cplusplus) && defined(__has_include)
#if __has_include(<assert.h>)
#include <assert.h>
#endif
#endif

// Nothing, but as text: what the preprocessor makes of a file is all that a
// cache of compilations may look at, and a verdict depends on annotations.
#define __GPUVERIFY_SEEN(...) __GPUVERIFY_TEXT(__VA_ARGS__)
#define __GPUVERIFY_TEXT(...) ((void)sizeof(#__VA_ARGS__))

#define __requires(e) __GPUVERIFY_SEEN(e)
#define __ensures(e) __GPUVERIFY_SEEN(e)
#define __global_requires(e) __GPUVERIFY_SEEN(e)
#define __global_ensures(e) __GPUVERIFY_SEEN(e)
#define __requires_fresh_array(p) __GPUVERIFY_SEEN(p)
#define __assume(e) __GPUVERIFY_SEEN(e)
#define __assert(e) __GPUVERIFY_SEEN(e)
#define __global_assert(e) __GPUVERIFY_SEEN(e)
#define __unsafe_assert(e) __GPUVERIFY_SEEN(e)
#define __unsafe_global_assert(e) __GPUVERIFY_SEEN(e)
#define __invariant(e) __GPUVERIFY_SEEN(e)
#define __global_invariant(e) __GPUVERIFY_SEEN(e)
#define __candidate_invariant(e) __GPUVERIFY_SEEN(e)
#define __candidate_global_invariant(e) __GPUVERIFY_SEEN(e)
#define __function_wide_invariant(e) __GPUVERIFY_SEEN(e)
#define __function_wide_candidate_invariant(e) __GPUVERIFY_SEEN(e)
#define __reads_from(p) __GPUVERIFY_SEEN(p)
#define __writes_to(p) __GPUVERIFY_SEEN(p)
#define __array_snapshot(to, from) __GPUVERIFY_SEEN(to, from)
#define __read_permission(type, x) __GPUVERIFY_SEEN(type, x)
#define __non_temporal_loads_begin() ((void)0)
#define __non_temporal_loads_end() ((void)0)
#define __GPUVERIFY_AT_BARRIER(e, instances) __GPUVERIFY_SEEN(e instances)
#ifdef __cplusplus
#define __axiom(e) void __gpuverify_axiom(const char (*)[sizeof(#e)])
#else
#define __axiom(e) __GPUVERIFY_NOTHING_AT_FILE_SCOPE
#endif

// These stand inside of the annotations above, so they are rarely seen here.
#define __enabled() 1
#define __dominator_enabled() 1
#define __same_group 1
#define __other_int(e) __GPUVERIFY_NUMBER(e)
#define __other_bool(e) (!!(e))
#define __other_ptr_base(p) 0
#define __old_int(e) ((int)(e))
#define __old_bool(e) (!!(e))
#define __ptr_base(p) 0
#define __ptr_offset_bytes(p) 0
#define __read_offset_bytes(p) 0
#define __write_offset_bytes(p) 0
#define __atomic_has_taken_value(p, offset, value) 0
#define __ite(condition, yes, no) ((condition) ? (yes) : (no))
#define __add_noovfl(...) 1
#ifdef __cplusplus
static __inline__ __GPUVERIFY_FUNCTION bool __read(const volatile void *) {
  return false;
}
static __inline__ __GPUVERIFY_FUNCTION bool __write(const volatile void *) {
  return false;
}
#else
#define __read(p) 0
#define __write(p) 0
#endif

#define DECLARE_UF_UNARY(name, argument, result)                               \
  __GPUVERIFY_FUNCTION result name(argument)
#define DECLARE_UF_BINARY(name, first, second, result)                         \
  __GPUVERIFY_FUNCTION result name(first, second)

#define __GPUVERIFY_ADDITION(name, type, wide, fits)                           \
  static __inline__ __GPUVERIFY_FUNCTION type __add_noovfl_##name(type x,      \
                                                                  type y) {    \
    return (type)(x + y);                                                      \
  }

#endif

// -------------------------------------------- made of what is above ---

// Takes the semicolon behind an annotation outside of functions.
#define __GPUVERIFY_NOTHING_AT_FILE_SCOPE struct __gpuverify_nothing

// An assertion that may be refuted in silence claims nothing.
#define __candidate_assert(e) ((void)0)
#define __candidate_global_assert(e) ((void)0)
#define __unsafe_candidate_assert(e) ((void)0)
#define __unsafe_candidate_global_assert(e) ((void)0)

#define __uniform_ptr_base(p) (__other_ptr_base(p) == __ptr_base(p))
#define __distinct_ptr_base(p) (__other_ptr_base(p) != __ptr_base(p))

#define __GPUVERIFY_UNSIGNED(name, type)                                       \
  __GPUVERIFY_ADDITION(name, type, type, sum >= x)
#define __GPUVERIFY_SIGNED(name, type)                                         \
  __GPUVERIFY_ADDITION(name, type, unsigned type,                              \
                       ((type)(x ^ sum) & (type)(y ^ sum)) >= 0)

__GPUVERIFY_SIGNED(char, char)
__GPUVERIFY_SIGNED(short, short)
__GPUVERIFY_SIGNED(int, int)
__GPUVERIFY_SIGNED(long, long)
__GPUVERIFY_UNSIGNED(unsigned_char, unsigned char)
__GPUVERIFY_UNSIGNED(unsigned_short, unsigned short)
__GPUVERIFY_UNSIGNED(unsigned_int, unsigned int)
__GPUVERIFY_UNSIGNED(unsigned_long, unsigned long)

#define __barrier_invariant_1(e, ...)                                          \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_1(__VA_ARGS__))
#define __barrier_invariant_2(e, ...)                                          \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_2(__VA_ARGS__))
#define __barrier_invariant_3(e, ...)                                          \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_3(__VA_ARGS__))
#define __barrier_invariant_4(e, ...)                                          \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_4(__VA_ARGS__))
#define __barrier_invariant_5(e, ...)                                          \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_5(__VA_ARGS__))
#define __barrier_invariant_6(e, ...)                                          \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_6(__VA_ARGS__))
#define __barrier_invariant_7(e, ...)                                          \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_7(__VA_ARGS__))
#define __barrier_invariant_8(e, ...)                                          \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_8(__VA_ARGS__))
#define __barrier_invariant_9(e, ...)                                          \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_9(__VA_ARGS__))
#define __barrier_invariant_10(e, ...)                                         \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_10(__VA_ARGS__))
#define __barrier_invariant_11(e, ...)                                         \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_11(__VA_ARGS__))
#define __barrier_invariant_12(e, ...)                                         \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_12(__VA_ARGS__))
#define __barrier_invariant_13(e, ...)                                         \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_13(__VA_ARGS__))
#define __barrier_invariant_14(e, ...)                                         \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_14(__VA_ARGS__))
#define __barrier_invariant_15(e, ...)                                         \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_15(__VA_ARGS__))
#define __barrier_invariant_16(e, ...)                                         \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_16(__VA_ARGS__))
#define __barrier_invariant_17(e, ...)                                         \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_17(__VA_ARGS__))
#define __barrier_invariant_18(e, ...)                                         \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_18(__VA_ARGS__))
#define __barrier_invariant_19(e, ...)                                         \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_19(__VA_ARGS__))
#define __barrier_invariant_20(e, ...)                                         \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_20(__VA_ARGS__))

#define __barrier_invariant_binary_1(e, a1, b1)                                \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_PAIR(a1, b1))
#define __barrier_invariant_binary_2(e, a1, b1, a2, b2)                        \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_PAIR(a1, b1) __GPUVERIFY_PAIR(a2, b2))
#define __barrier_invariant_binary_3(e, a1, b1, a2, b2, a3, b3)                \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_PAIR(a1, b1) __GPUVERIFY_PAIR(a2, b2)  \
                                __GPUVERIFY_PAIR(a3, b3))
#define __barrier_invariant_binary_4(e, a1, b1, a2, b2, a3, b3, a4, b4)        \
  __GPUVERIFY_AT_BARRIER(e, __GPUVERIFY_PAIR(a1, b1) __GPUVERIFY_PAIR(a2, b2)  \
                                __GPUVERIFY_PAIR(a3, b3)                       \
                                    __GPUVERIFY_PAIR(a4, b4))

#endif
