// What the host's code does wrong: where it is, in addresses of the program.
//
// CUDA answers a launch or a copy that cannot be with an error, and nobody need
// look at it: a kernel that never ran is a program that says nothing.  Each
// such refusal is kept with its reason until the thread asks for its last
// error.  Lines of the source are for the command to find.

#define _GNU_SOURCE

#include "runtime/cuda/cuda.h"

#include <execinfo.h>
#include <link.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// ----------------------------------------------------------------- places ---

typedef struct OwnCode {
  uintptr_t base;
  uintptr_t start, end; // of what is loaded
} OwnCode;

// The first that is told of is the program itself.
static int note_code(struct dl_phdr_info *info, size_t bytes, void *data) {
  OwnCode *code = data;
  (void)bytes;
  code->base = info->dlpi_addr;
  code->start = UINTPTR_MAX;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    uintptr_t end = start + info->dlpi_phdr[i].p_memsz;
    if (info->dlpi_phdr[i].p_type != PT_LOAD)
      continue;
    code->start = start < code->start ? start : code->start;
    code->end = end > code->end ? end : code->end;
  }
  return 1;
}

void host_place(HostPlace *place) {
  enum { DEEP = 40 };
  void *frames[DEEP];
  OwnCode code = {0};
  int count = backtrace(frames, DEEP);
  dl_iterate_phdr(note_code, &code);
  place->count = 0;
  for (int i = 0; i < count && place->count < MOST_FRAMES; i++) {
    uintptr_t at = (uintptr_t)frames[i];
    if (at > code.start && at < code.end)
      place->frames[place->count++] = at - 1 - code.base; // of the call
  }
}

// --------------------------------------------------------------- refusals ---

// Of this thread, that it has not asked about, by their place in the Ledger.
static _Thread_local uint64_t open_refusals[MOST_REFUSALS];

CudaError cuda_refuse(CudaError error, const char *fmt, ...) {
  HostSighting refused = {.times = 1};
  va_list args;
  va_start(args, fmt);
  vsnprintf(refused.sentence, sizeof refused.sentence, fmt, args);
  va_end(args);
  size_t length = strlen(refused.sentence);
  snprintf(refused.sentence + length, sizeof refused.sentence - length, " (%s)",
           cudaGetErrorName(error));
  host_place(&refused.place);
  unsigned number = ledger_refuse(&refused);
  if (number < MOST_REFUSALS)
    open_refusals[number]++;
  return error;
}

void cuda_asks(void) {
  for (unsigned i = 0; i < MOST_REFUSALS; i++) {
    if (open_refusals[i])
      ledger_forgive(i, open_refusals[i]);
    open_refusals[i] = 0;
  }
}
