// Memory by whole pages, straight from the system.  Callers choose: far from
// all other arrays, shared with other processes, private, or at a low address.

#define _GNU_SOURCE

#include "runtime/machine/machine.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { PAGE = 4096, ALIGNMENT = 16, MOST_POPULATED = 1 << 26 };

static uint64_t pages(uint64_t bytes) {
  return (bytes + PAGE - 1) / PAGE * PAGE;
}

static char *map(uint64_t bytes, int flags) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                  flags | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? NULL : at;
}

uint64_t memory_room(void) {
  const uint64_t room = UINT64_C(16) << 30;
  struct rlimit limit;
  bool is_free =
      !getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur == RLIM_INFINITY;
  return is_free && sizeof(void *) == 8 ? room : PAGE;
}

char *memory_apart(uint64_t bytes, uint64_t room, bool is_shared) {
  int flags = MAP_ANONYMOUS | MAP_NORESERVE;
  char *whole =
      mmap(NULL, bytes + 2 * room, PROT_NONE, MAP_PRIVATE | flags, -1, 0);
  if (whole == MAP_FAILED)
    return NULL;
  flags |= MAP_FIXED | (is_shared ? MAP_SHARED : MAP_PRIVATE);
  if (!bytes || mmap(whole + room, bytes, PROT_READ | PROT_WRITE, flags, -1,
                     0) != MAP_FAILED)
    return whole + room;
  munmap(whole, bytes + 2 * room);
  return NULL;
}

void memory_apart_free(char *at, uint64_t bytes, uint64_t room) {
  munmap(at - room, bytes + 2 * room);
}

// The end of the array is as near to the page behind it as alignment allows.
static uint64_t lead(uint64_t bytes) {
  return (pages(bytes) - bytes) / ALIGNMENT * ALIGNMENT;
}

char *memory_shared(uint64_t bytes) {
  if (bytes > UINT64_MAX / 2)
    return NULL;
  char *at = memory_apart(pages(bytes), memory_room(), true);
  return at ? at + lead(bytes) : NULL;
}

void memory_shared_free(char *at, uint64_t bytes) {
  memory_apart_free(at - lead(bytes), pages(bytes), memory_room());
}

bool memory_make_private(char *at, uint64_t bytes) {
  char *start = at - lead(bytes);
  char *copy = map(pages(bytes), MAP_PRIVATE);
  if (!copy)
    return false;
  memcpy(copy, start, pages(bytes));
  return mremap(copy, pages(bytes), pages(bytes), MREMAP_MAYMOVE | MREMAP_FIXED,
                start) == start;
}

void memory_populate(char *at, uint64_t bytes) {
  if (bytes <= MOST_POPULATED)
    madvise(at - lead(bytes), pages(bytes), MADV_POPULATE_WRITE);
}

char *memory_private(uint64_t before, uint64_t bytes) {
  char *at = map(pages(before) + pages(bytes), MAP_PRIVATE);
  return at ? at + pages(before) : NULL;
}

void memory_private_free(char *at, uint64_t before, uint64_t bytes) {
  munmap(at - pages(before), pages(before) + pages(bytes));
}

char *memory_low(uint64_t bytes) {
#ifdef MAP_32BIT
  char *low = map(pages(bytes), MAP_PRIVATE | MAP_32BIT);
  if (low)
    return low;
#endif
  return memory_private(0, bytes);
}

Outcome *outcome_new(void) {
  return (Outcome *)(void *)map(pages(sizeof(Outcome)), MAP_SHARED);
}

void outcome_free(Outcome *outcome) { munmap(outcome, pages(sizeof *outcome)); }
