// The malloc family, and functions that move or compare bytes.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void *take(size_t bytes, size_t alignment) {
  void *at = block_take(bytes, alignment, BLOCK_TAKEN);
  if (!at)
    *(int *)(void *)world.tls = ENOMEM;
  return at;
}

static void *posix_malloc(size_t bytes) { return take(bytes, GRANULE); }

static void *posix_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = SIZE_MAX;
  void *at = take(bytes, GRANULE);
  return at ? memset(at, 0, bytes) : NULL;
}

// Who uses the memory at the same time is seen: to free is to write.
static void posix_free(void *at) {
  if (!at)
    return;
  block_give(at, BLOCK_TAKEN);
}

// Of no bytes it frees, as glibc's does.
static void *posix_realloc(void *old, size_t bytes) {
  if (!old)
    return take(bytes, GRANULE);
  block_require(old, BLOCK_TAKEN);
  void *at = bytes ? take(bytes, GRANULE) : NULL;
  if (!at && bytes)
    return NULL;
  uint64_t before = block_bytes(old);
  if (at)
    memcpy(at, old, before < bytes ? before : bytes);
  block_give(old, BLOCK_TAKEN);
  return at;
}

static bool is_power(size_t value) { return value && !(value & (value - 1)); }

static void *take_aligned(size_t alignment, size_t bytes) {
  return take(bytes, alignment < GRANULE ? GRANULE : alignment);
}

static void *posix_aligned_alloc(size_t alignment, size_t bytes) {
  if (is_power(alignment))
    return take_aligned(alignment, bytes);
  *(int *)(void *)world.tls = EINVAL;
  return NULL;
}

// The next power of two, as glibc's does.
static void *take_memalign(size_t alignment, size_t bytes) {
  size_t power = GRANULE;
  while (power < alignment && power <= SIZE_MAX / 2)
    power *= 2;
  return take_aligned(power, bytes);
}

static int posix_posix_memalign(void **at, size_t alignment, size_t bytes) {
  if (!is_power(alignment) || alignment % sizeof(void *))
    return EINVAL;
  int before = *(int *)(void *)world.tls;
  void *found = take_aligned(alignment, bytes);
  *(int *)(void *)world.tls = before;
  if (!found)
    return ENOMEM;
  world_touch(at, sizeof *at, true);
  *at = found;
  return 0;
}

static void *posix_memcpy(void *to, const void *from, size_t bytes) {
  world_touch(from, bytes, false);
  world_touch(to, bytes, true);
  return memmove(to, from, bytes);
}

static void *posix_memset(void *to, int value, size_t bytes) {
  world_touch(to, bytes, true);
  return memset(to, value, bytes);
}

static void posix_bzero(void *to, size_t bytes) { posix_memset(to, 0, bytes); }

static int posix_memcmp(const void *a, const void *b, size_t bytes) {
  world_touch(a, bytes, false);
  world_touch(b, bytes, false);
  return memcmp(a, b, bytes);
}

static void *posix_memchr(const void *at, int value, size_t bytes) {
  void *found = memchr(at, value, bytes);
  world_touch(at,
              found ? (size_t)((char *)found - (const char *)at + 1) : bytes,
              false);
  return found;
}

// The comparison is the program's, and may be stopped.  By insertion where
// elements are few, else by heap: nothing is allocated, for nobody might free
// it.
typedef int (*Compare)(const void *, const void *);
typedef int (*CompareWith)(const void *, const void *, void *);

typedef struct Order {
  Compare compare;
  CompareWith with; // of qsort_r; or NULL
  void *argument;
} Order;

// What is sorted behind that is of the place of the call.
static int compared(const Order *order, const void *a, const void *b) {
  uint32_t site = world.site;
  int answer =
      order->with ? order->with(a, b, order->argument) : order->compare(a, b);
  world.site = site;
  return answer;
}

static void swap_bytes(char *a, char *b, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
}

// What is between two comparisons: others may see the array then.
static void exchange(char *one, char *other, size_t size) {
  if (!world_is_own(one))
    threads_meet();
  world_touch(one, size, true);
  world_touch(other, size, true);
  swap_bytes(one, other, size);
}

static void sift(char *at, size_t from, size_t count, size_t size,
                 const Order *order) {
  for (size_t child; (child = 2 * from + 1) < count; from = child) {
    if (child + 1 < count &&
        compared(order, at + child * size, at + (child + 1) * size) < 0)
      child++;
    if (compared(order, at + from * size, at + child * size) >= 0)
      return;
    exchange(at + from * size, at + child * size, size);
  }
}

// Equal elements stay as they are, which the C library's keeps to as well.
static void sort_few(char *at, size_t count, size_t size, const Order *order) {
  for (size_t i = 1; i < count; i++)
    for (size_t k = i; k > 0; k--) {
      char *one = at + (k - 1) * size, *other = at + k * size;
      if (compared(order, one, other) <= 0)
        break;
      exchange(one, other, size);
    }
}

static void sort_many(char *at, size_t count, size_t size, const Order *order) {
  for (size_t i = count / 2; i-- > 0;)
    sift(at, i, count, size, order);
  for (size_t end = count; end-- > 1;) {
    exchange(at, at + end * size, size);
    sift(at, 0, end, size, order);
  }
}

static void sort(void *base, size_t count, size_t size, const Order *order) {
  enum { FEW = 32 };
  world_touch(base, count * size, true);
  if (count <= FEW)
    sort_few(base, count, size, order);
  else
    sort_many(base, count, size, order);
}

static void posix_qsort(void *base, size_t count, size_t size,
                        Compare compare) {
  Order order = {.compare = compare};
  sort(base, count, size, &order);
}

static void posix_qsort_r(void *base, size_t count, size_t size,
                          CompareWith with, void *argument) {
  Order order = {.with = with, .argument = argument};
  sort(base, count, size, &order);
}

static void *posix_bsearch(const void *key, const void *base, size_t count,
                           size_t size, Compare compare) {
  return bsearch(key, base, count, size, compare);
}

static void *posix_reallocarray(void *old, size_t count, size_t size) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, size, &bytes))
    return posix_realloc(old, bytes);
  *(int *)(void *)world.tls = ENOMEM;
  return NULL;
}

static void *posix_memrchr(const void *at, int value, size_t bytes) {
  char *found = (char *)(uintptr_t)memrchr(at, value, bytes);
  const char *first = found ? found : at;
  world_touch(first, bytes - (size_t)(first - (const char *)at), false);
  return found;
}

static void *posix_memmem(const void *at, size_t bytes, const void *part,
                          size_t of_part) {
  char *found = memmem(at, bytes, part, of_part);
  size_t read = found ? (size_t)(found - (const char *)at) + of_part : bytes;
  world_touch(at, read, false);
  world_touch(part, of_part, false);
  return found;
}

static void *posix_mempcpy(void *to, const void *from, size_t bytes) {
  return (char *)posix_memcpy(to, from, bytes) + bytes;
}

// Of C++.  Where there is no memory it would throw.
static void *posix_new(size_t bytes) {
  void *at = posix_malloc(bytes);
  if (!at)
    world_fail(MISHAP_REFUSED,
               "operator new finds no memory, and exceptions "
               "are not executed");
  return at;
}

static void *new_aligned(size_t bytes, size_t alignment) {
  void *at = block_take(bytes, alignment, BLOCK_TAKEN);
  if (!at)
    world_fail(MISHAP_REFUSED,
               "operator new finds no memory, and exceptions "
               "are not executed");
  return at;
}

static void *new_or_null(size_t bytes, const void *nothrow) {
  (void)nothrow;
  return posix_malloc(bytes);
}

static void *new_aligned_or_null(size_t bytes, size_t alignment,
                                 const void *nothrow) {
  (void)nothrow;
  return take(bytes, alignment);
}

#define NEW_CALL(name) {name, (void *)(uintptr_t)posix_new, 0}
#define DELETE_CALL(name) {name, (void *)(uintptr_t)posix_free, 0}

const PosixCall memory_calls[] = {
    NEW_CALL("_Znwm"),
    NEW_CALL("_Znam"),
    {"_ZnwmSt11align_val_t", (void *)(uintptr_t)new_aligned, 0},
    {"_ZnamSt11align_val_t", (void *)(uintptr_t)new_aligned, 0},
    {"_ZnwmRKSt9nothrow_t", (void *)(uintptr_t)new_or_null, 0},
    {"_ZnamRKSt9nothrow_t", (void *)(uintptr_t)new_or_null, 0},
    {"_ZnwmSt11align_val_tRKSt9nothrow_t",
     (void *)(uintptr_t)new_aligned_or_null, 0},
    {"_ZnamSt11align_val_tRKSt9nothrow_t",
     (void *)(uintptr_t)new_aligned_or_null, 0},
    DELETE_CALL("_ZdlPvRKSt9nothrow_t"),
    DELETE_CALL("_ZdaPvRKSt9nothrow_t"),
    DELETE_CALL("_ZdlPvSt11align_val_t"),
    DELETE_CALL("_ZdaPvSt11align_val_t"),
    DELETE_CALL("_ZdlPvmSt11align_val_t"),
    DELETE_CALL("_ZdaPvmSt11align_val_t"),
    DELETE_CALL("_ZdlPv"),
    DELETE_CALL("_ZdaPv"),
    DELETE_CALL("_ZdlPvm"),
    DELETE_CALL("_ZdaPvm"),
    POSIX_CALL(reallocarray),
    POSIX_CALL(memrchr),
    POSIX_CALL(memmem),
    POSIX_CALL(mempcpy),
    POSIX_CALL(malloc),
    POSIX_CALL(calloc),
    POSIX_CALL(free),
    POSIX_CALL(realloc),
    POSIX_CALL(aligned_alloc),
    {"memalign", (void *)(uintptr_t)take_memalign, 0},
    POSIX_CALL(posix_memalign),
    POSIX_CALL(memcpy),
    {"memmove", (void *)(uintptr_t)posix_memcpy, 0},
    POSIX_CALL(memset),
    POSIX_CALL(bzero),
    {"explicit_bzero", (void *)(uintptr_t)posix_bzero, 0},
    POSIX_CALL(memcmp),
    {"bcmp", (void *)(uintptr_t)posix_memcmp, 0},
    POSIX_CALL(memchr),
    POSIX_KEEPER(qsort),
    POSIX_LEAVER(qsort_r),
    POSIX_KEEPER(bsearch),
    {NULL, NULL, 0}};
