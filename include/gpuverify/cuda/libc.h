// The part of the C library that nvcc offers unasked.
//
// The library's own headers cost more time than most verdicts, so they are
// read only if the program asks for them.  What stands here is declared as
// they declare it: both may follow each other in any order.  A function of
// the device is another one of the same name, chosen by who calls it; in IR,
//
//   printf                   vprintf, as clang translates it
//   malloc, free             malloc, free; new and delete call them
//   memcpy, memset           llvm.memcpy, llvm.memset
//   assert                   __assertfail

#ifndef GPUVERIFY_CUDA_LIBC_H
#define GPUVERIFY_CUDA_LIBC_H

#include "words.h"

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
namespace std {
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
} // namespace std

typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef long clock_t;
typedef long time_t;

#ifndef NULL
#define NULL __null
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

#ifndef INT_MAX
#define CHAR_BIT __CHAR_BIT__
#define SCHAR_MAX __SCHAR_MAX__
#define SCHAR_MIN (-__SCHAR_MAX__ - 1)
#define UCHAR_MAX (__SCHAR_MAX__ * 2 + 1)
#define SHRT_MAX __SHRT_MAX__
#define SHRT_MIN (-__SHRT_MAX__ - 1)
#define USHRT_MAX (__SHRT_MAX__ * 2 + 1)
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-__LONG_MAX__ - 1L)
#define ULONG_MAX (__LONG_MAX__ * 2UL + 1UL)
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1LL)
#define ULLONG_MAX (__LONG_LONG_MAX__ * 2ULL + 1ULL)
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#endif

#ifndef RAND_MAX
#define RAND_MAX 2147483647
#define EXIT_FAILURE 1
#define EXIT_SUCCESS 0
#endif

extern "C" {
int printf(const char *, ...);
int puts(const char *);
int putchar(int);
void *malloc(size_t) noexcept;
void *calloc(size_t, size_t) noexcept;
void *realloc(void *, size_t) noexcept;
void free(void *) noexcept;
void exit(int) noexcept __attribute__((noreturn));
void abort() noexcept __attribute__((noreturn));
int atoi(const char *) noexcept;
int rand() noexcept;
void srand(unsigned) noexcept;
void *memcpy(void *, const void *, size_t) noexcept;
void *memmove(void *, const void *, size_t) noexcept;
void *memset(void *, int, size_t) noexcept;
int memcmp(const void *, const void *, size_t) noexcept;
size_t strlen(const char *) noexcept;
int strcmp(const char *, const char *) noexcept;
clock_t clock() noexcept;
time_t time(time_t *) noexcept;
void __assert_fail(const char *condition, const char *file, unsigned line,
                   const char *function) noexcept __attribute__((noreturn));

__device__ int printf(const char *, ...);
__device__ int vprintf(const char *, const char *);
__device__ void *malloc(size_t) __attribute__((malloc));
__device__ void free(void *);
__device__ void __assertfail(const char *condition, const char *file,
                             unsigned line, const char *function, size_t size)
    __attribute__((noreturn));

__device__ inline __attribute__((noreturn, always_inline)) void
__assert_fail(const char *condition, const char *file, unsigned line,
              const char *function) {
  __assertfail(condition, file, line, function, sizeof(char));
}
}

__GPUVERIFY_DEVICE_INLINE void *memcpy(void *to, const void *from, size_t n) {
  return __builtin_memcpy(to, from, n);
}
__GPUVERIFY_DEVICE_INLINE void *memset(void *to, int byte, size_t n) {
  return __builtin_memset(to, byte, n);
}
#ifdef __HIP__
__GPUVERIFY_DEVICE_INLINE long long clock64() {
  return (long long)__builtin_readcyclecounter();
}
__GPUVERIFY_DEVICE_INLINE int clock() { return (int)clock64(); }
#else
__GPUVERIFY_DEVICE_INLINE int clock() { return __nvvm_read_ptx_sreg_clock(); }
__GPUVERIFY_DEVICE_INLINE long long clock64() {
  return __nvvm_read_ptx_sreg_clock64();
}
#endif

#ifdef NDEBUG
#define assert(...) (static_cast<void>(0))
#else
#define assert(...)                                                            \
  (static_cast<bool>(__VA_ARGS__)                                              \
       ? void(0)                                                               \
       : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

// What new and delete call.  clang declares these operators itself, and its
// <new> defines them for the device; so we define nothing by the names that
// C++ knows, but by those that the linker does.  sdkfree/new spares clang the
// second definition, which it takes only before the first new.
#define __GPUVERIFY_OPERATOR(result, name, arguments, symbol)                  \
  __device__ result name arguments noexcept __asm__(symbol);                   \
  __device__ inline result name arguments noexcept
__GPUVERIFY_OPERATOR(void *, __gpuverify_new, (size_t size), "_Znwm") {
  return malloc(size);
}
__GPUVERIFY_OPERATOR(void *, __gpuverify_new_array, (size_t size), "_Znam") {
  return malloc(size);
}
__GPUVERIFY_OPERATOR(void, __gpuverify_delete, (void *p), "_ZdlPv") { free(p); }
__GPUVERIFY_OPERATOR(void, __gpuverify_delete_array, (void *p), "_ZdaPv") {
  free(p);
}
__GPUVERIFY_OPERATOR(void, __gpuverify_delete_sized, (void *p, size_t),
                     "_ZdlPvm") {
  free(p);
}
__GPUVERIFY_OPERATOR(void, __gpuverify_delete_array_sized, (void *p, size_t),
                     "_ZdaPvm") {
  free(p);
}

// Called by nobody: clang knows what it returns.
__device__ void *operator new(size_t, void *) noexcept;
__device__ void *operator new[](size_t, void *) noexcept;
__device__ void operator delete(void *, void *) noexcept;
__device__ void operator delete[](void *, void *) noexcept;

#endif
