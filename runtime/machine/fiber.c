// Stacks that one processor switches between.
//
// A switch saves what the calling convention says a function keeps, changes
// the stack and takes it back from there; no system call is made, which makes
// it about twenty times as fast as swapcontext.  The floating-point control
// words are the same in all fibers and stay.  Below each stack lies a page
// that nobody may touch.

#define _GNU_SOURCE

#include "runtime/machine/machine.h"

#include <sys/mman.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

enum {
  GUARD_BYTES = 1 << 16, // a multiple of every page size in use
  CACHE_LINE = 64,
  COLOURS = 61,
};

void fiber_swap(void **from, void *to);
void fiber_first(void);

#if defined(__x86_64__)

enum { SAVED_WORDS = 6 };

__asm__(
    ".text\n"
    ".p2align 4\n"
    ".hidden fiber_swap\n"
    ".globl fiber_swap\n"
    ".type fiber_swap, @function\n"
    "fiber_swap:\n"
    "  pushq %rbp\n"
    "  pushq %rbx\n"
    "  pushq %r12\n"
    "  pushq %r13\n"
    "  pushq %r14\n"
    "  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n"
    "  popq %r14\n"
    "  popq %r13\n"
    "  popq %r12\n"
    "  popq %rbx\n"
    "  popq %rbp\n"
    "  ret\n"
    ".size fiber_swap, . - fiber_swap\n"
    ".p2align 4\n"
    ".hidden fiber_first\n"
    ".globl fiber_first\n"
    ".type fiber_first, @function\n"
    "fiber_first:\n"
    "  movq %r12, %rdi\n"
    "  callq *%r13\n"
    "  ud2\n"
    ".size fiber_first, . - fiber_first\n");

// r15, r14, r13, r12, rbx, rbp, then where to return to.
static void *first_frame(char *end, void (*body)(void *), void *data) {
  void **sp = (void **)(void *)end - 2;
  *--sp = (void *)(uintptr_t)fiber_first;
  sp -= SAVED_WORDS;
  sp[2] = (void *)(uintptr_t)body;
  sp[3] = data;
  return sp;
}

#elif defined(__aarch64__)

enum { SAVED_WORDS = 20 };

__asm__(
    ".text\n"
    ".p2align 4\n"
    ".hidden fiber_swap\n"
    ".globl fiber_swap\n"
    ".type fiber_swap, %function\n"
    "fiber_swap:\n"
    "  sub sp, sp, #160\n"
    "  stp x19, x20, [sp, #0]\n"
    "  stp x21, x22, [sp, #16]\n"
    "  stp x23, x24, [sp, #32]\n"
    "  stp x25, x26, [sp, #48]\n"
    "  stp x27, x28, [sp, #64]\n"
    "  stp x29, x30, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n"
    "  stp d10, d11, [sp, #112]\n"
    "  stp d12, d13, [sp, #128]\n"
    "  stp d14, d15, [sp, #144]\n"
    "  mov x9, sp\n"
    "  str x9, [x0]\n"
    "  mov sp, x1\n"
    "  ldp x19, x20, [sp, #0]\n"
    "  ldp x21, x22, [sp, #16]\n"
    "  ldp x23, x24, [sp, #32]\n"
    "  ldp x25, x26, [sp, #48]\n"
    "  ldp x27, x28, [sp, #64]\n"
    "  ldp x29, x30, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n"
    "  ldp d10, d11, [sp, #112]\n"
    "  ldp d12, d13, [sp, #128]\n"
    "  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #160\n"
    "  ret\n"
    ".size fiber_swap, . - fiber_swap\n"
    ".p2align 4\n"
    ".hidden fiber_first\n"
    ".globl fiber_first\n"
    ".type fiber_first, %function\n"
    "fiber_first:\n"
    "  mov x0, x19\n"
    "  blr x20\n"
    "  brk #1\n"
    ".size fiber_first, . - fiber_first\n");

// x19 .. x28, x29, where to return to, d8 .. d15.
static void *first_frame(char *end, void (*body)(void *), void *data) {
  void **sp = (void **)(void *)end - SAVED_WORDS;
  sp[0] = data;
  sp[1] = (void *)(uintptr_t)body;
  sp[11] = (void *)(uintptr_t)fiber_first;
  return sp;
}

#else
#error "fiber.c knows x86-64 and AArch64"
#endif

static uint64_t stride_for(uint64_t bytes) {
  bytes += COLOURS * CACHE_LINE;
  return (bytes + 2 * GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES;
}

bool stacks_open(Stacks *stacks, unsigned count, uint64_t bytes) {
  uint64_t stride = stride_for(bytes);
  char *at = mmap(NULL, stride * count, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    return false;
  *stacks = (Stacks){.at = at, .stride = stride, .count = count};
  for (unsigned i = 0; i < count; i++)
    if (mprotect(stacks->at + i * stacks->stride, GUARD_BYTES, PROT_NONE))
      return false;
  return true;
}

void stacks_close(Stacks *stacks) {
  if (stacks->count)
    munmap(stacks->at, stacks->stride * stacks->count);
  *stacks = (Stacks){0};
}

bool stacks_suffice(const Stacks *stacks, unsigned count, uint64_t bytes) {
  return count <= stacks->count && stride_for(bytes) <= stacks->stride;
}

bool stacks_is_guard(const Stacks *stacks, const void *address) {
  uint64_t offset = (uint64_t)((const char *)address - stacks->at);
  return offset < stacks->stride * stacks->count &&
         offset % stacks->stride < GUARD_BYTES;
}

bool stacks_contain(const Stacks *stacks, const void *address) {
  return (uint64_t)((const char *)address - stacks->at) <
         stacks->stride * stacks->count;
}

static uint64_t number_of(const Stacks *stacks, const void *address) {
  return (uint64_t)((const char *)address - stacks->at) / stacks->stride;
}

bool stacks_share(const Stacks *stacks, const void *a, const void *b) {
  return stacks_contain(stacks, a) && stacks_contain(stacks, b) &&
         number_of(stacks, a) == number_of(stacks, b);
}

// -------------------------------------------------------------- switches ---

#ifdef __SANITIZE_ADDRESS__

// AddressSanitizer is told which stack we are on; else it takes that of a fiber
// for the process's own where a run ends in the middle of a fiber.

static Fiber *left; // by the last switch

static void begin(void *data) {
  Fiber *fiber = data;
  __sanitizer_finish_switch_fiber(NULL, &left->bottom, &left->bytes);
  fiber->body(fiber->data);
}

static void set_first_frame(Fiber *fiber, char *bottom, char *end,
                            void (*body)(void *), void *data) {
  size_t bytes = (size_t)(end - bottom);
  // One that was left in the middle has not tidied up behind itself.
  __asan_unpoison_memory_region(bottom, bytes);
  *fiber = (Fiber){first_frame(end, begin, fiber), bottom, bytes, body, data};
}

void fiber_switch(Fiber *from, Fiber *to) {
  void *kept;
  left = from;
  __sanitizer_start_switch_fiber(&kept, to->bottom, to->bytes);
  fiber_swap(&from->sp, to->sp);
  __sanitizer_finish_switch_fiber(kept, &left->bottom, &left->bytes);
}

#else

static void set_first_frame(Fiber *fiber, char *bottom, char *end,
                            void (*body)(void *), void *data) {
  (void)bottom;
  fiber->sp = first_frame(end, body, data);
}

void fiber_switch(Fiber *from, Fiber *to) { fiber_swap(&from->sp, to->sp); }

#endif

// Stacks begin at different places in a page, lest all of them have their
// hottest words in the same lines of the cache.
void fiber_start(Fiber *fiber, const Stacks *stacks, unsigned index,
                 void (*body)(void *), void *data) {
  char *end = stacks->at + (index + 1) * stacks->stride;
  char *bottom = end - stacks->stride + GUARD_BYTES;
  set_first_frame(fiber, bottom, end - index % COLOURS * CACHE_LINE, body,
                  data);
}
