// Memory of the device is none of the host's: while the program's own code runs
// nobody may touch its pages, and whoever does ends as on a real machine, with
// the reason told.
//
// A call of the library opens an allocation before it touches it, or when it
// does, which is a fault that is caught; and what was opened is closed when the
// call ends.  So a call costs by what it touches.  To close and open large
// memory is not free: after so many pages it stays open.

#define _GNU_SOURCE

#include "runtime/cuda/cuda.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE = 4096 };

// Two million, closed and opened, take less than half a second.
static uint64_t pages_left = UINT64_C(1) << 21;
static unsigned opened;
static _Thread_local bool is_inside; // a call of the library

// ------------------------------------------------------------------ pages ---

static uintptr_t start_of(const Allocation *allocation) {
  return (uintptr_t)allocation->at & -(uintptr_t)PAGE;
}

static uint64_t length_of(const Allocation *allocation) {
  uintptr_t end = (uintptr_t)allocation->at + allocation->bytes;
  return ((end + PAGE - 1) & -(uintptr_t)PAGE) - start_of(allocation);
}

static bool protect(const Allocation *allocation, int protection) {
  return !mprotect((void *)start_of(allocation), length_of(allocation),
                   protection);
}

void guard_close(Allocation *allocation) {
  uint64_t pages = length_of(allocation) / PAGE;
  if (allocation->kind != ALLOCATION_DEVICE || pages > pages_left)
    return;
  pages_left -= pages;
  allocation->is_closed = protect(allocation, PROT_NONE);
}

bool guard_open(const void *at) {
  for (size_t i = allocations.count; is_inside && i-- > 0;) {
    Allocation *allocation = &allocations.at[i];
    if (!allocation->is_closed ||
        (uintptr_t)at - start_of(allocation) >= length_of(allocation))
      continue;
    allocation->is_closed = false;
    allocation->is_opened = true;
    opened++;
    return protect(allocation, PROT_READ | PROT_WRITE);
  }
  return false;
}

static void close_opened(void) {
  for (size_t i = 0; opened && i < allocations.count; i++)
    if (allocations.at[i].is_opened) {
      allocations.at[i].is_opened = false;
      guard_close(&allocations.at[i]);
      opened--;
    }
  opened = 0;
}

// ------------------------------------------------------------------ host ---

static bool is_write(const void *context) {
#ifdef __x86_64__
  return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
  (void)context;
  return false;
#endif
}

// Memory that CUDA knows, in the host's code; else *at is any address.
static void describe(char *to, size_t room, const void *at, const char *verb) {
  const Allocation *allocation = memory_around(at);
  int64_t offset = allocation ? (const char *)at - allocation->at : 0;
  unsigned long long bytes = allocation ? allocation->bytes : 0;
  unsigned order = allocation ? allocation->order : 0;
  if (!allocation)
    snprintf(to, room, "the host %s at address %p", verb, at);
  else if (allocation->kind == ALLOCATION_GONE)
    snprintf(to, room,
             "the host %s byte %lld of allocation %u, whose %llu bytes have "
             "been given back",
             verb, (long long)offset, order, bytes);
  else if (allocation->is_closed)
    snprintf(to, room,
             "the host %s byte %lld of allocation %u, %llu bytes of the "
             "device's memory",
             verb, (long long)offset, order, bytes);
  else
    snprintf(to, room, "the host %s byte %lld of allocation %u, which has %llu",
             verb, (long long)offset, order, bytes);
}

// What the machine does without us comes next.
static void tell_fault(int number, const void *at, const void *context) {
  HostSighting fault = {.times = 1};
  describe(fault.sentence, sizeof fault.sentence, at,
           is_write(context) ? "writes" : "reads");
  host_place(&fault.place);
  signal(number, SIG_DFL);
  ledger_fault(&fault);
}

static void catch_access(int number, siginfo_t *info, void *context) {
  if (!guard_open(info->si_addr))
    tell_fault(number, info->si_addr, context);
}

// ------------------------------------------------------------------ calls ---

static struct sigaction programs;
static sigset_t programs_mask;

static struct sigaction own_action(void) {
  struct sigaction action = {.sa_sigaction = catch_access,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  return action;
}

// A program that catches faults itself may go on to do so, outside of calls.
void guard_enter(void) {
  struct sigaction action = own_action();
  sigset_t mask;
  is_inside = true;
  sigaction(SIGSEGV, &action, &programs);
  sigemptyset(&mask);
  sigaddset(&mask, SIGSEGV);
  pthread_sigmask(SIG_UNBLOCK, &mask, &programs_mask);
}

void guard_leave(void) {
  bool is_default =
      !(programs.sa_flags & SA_SIGINFO) && programs.sa_handler == SIG_DFL;
  close_opened();
  if (!is_default)
    sigaction(SIGSEGV, &programs, NULL);
  pthread_sigmask(SIG_SETMASK, &programs_mask, NULL);
  is_inside = false;
}
