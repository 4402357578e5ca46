// libgpuverify-values.a: what a program that was compiled to check itself calls
// when it launches a kernel, and what it says when it ends.
//
// It needs neither LLVM nor headers of the SDK: of the CUDA runtime, which the
// program is linked with, it declares what it calls; the driver is found when
// it is needed.  One lock is held for a whole launch, so launches come one
// after another.

#ifndef RUNTIME_VALUES_PROGRAM_PROGRAM_H
#define RUNTIME_VALUES_PROGRAM_PROGRAM_H

#include "runtime/values/device_launch.h"
#include "runtime/values/table.h"

#include <stdio.h>

// ---------------------------------------------------------- settings.c ---

// GPUVERIFY_VALUES="exitcode=N:json=FILE:memory=BYTES:.."
typedef struct ValuesSettings {
  int exit_code;    // where a race was seen; 0: the program's own
  const char *json; // a file that gets lines; NULL: none
  uint64_t memory;  // of the device, for copies; 0: half of what is free
  bool is_off;
  bool tells_same_value;
} ValuesSettings;

// Read once.  What is wrong in it is told, and left out.
const ValuesSettings *settings_get(void);

// ------------------------------------------------------------- kernels.c ---

// A kernel of the program; nothing of it is ever given back.
typedef struct LaunchedKernel LaunchedKernel;
struct LaunchedKernel {
  LaunchedKernel *next;
  const void *symbol;    // the host's function that stands for it
  GpuFunction *function; // as it was compiled without us
  GpuFunction *cut;      // that executes its regions twice; NULL: there is none
  GpuAddress head;       // of the module
  const TableHead *table; // in memory of the host; NULL: there is none
  const char *name;       // as written, as far as that is known
  const char *reason;     // why it is not executed twice; NULL: it is
  uint64_t launches, unchecked;
  uint64_t proved; // of the launches, which are made as they are asked for
  const char *unchecked_because; // the last time
};

// NULL: the runtime has no such kernel, and will say so itself.
LaunchedKernel *kernel_find(const GpuDriver *driver, const void *symbol);
// Before the device's memory goes: they have to be found anew.
void kernels_forget(void);
LaunchedKernel *kernels_first(void);
// Of the table: a text, or NULL; a site, or NULL.
const char *table_text(const TableHead *table, uint32_t offset);
const TableSite *table_site(const TableHead *table, uint32_t number);

// -------------------------------------------------------------- proofs.c ---

// Was the kernel proved for this launch (runtime.h)?
struct Asked;
bool proof_covers(const LaunchedKernel *kernel, const GpuDriver *driver,
                  const struct Asked *asked);

// ------------------------------------------------------------- reports.c ---

// The launch that reports are about.
typedef struct ReportedLaunch {
  LaunchedKernel *kernel;
  uint64_t number; // from 1, of all launches of the program
  const unsigned *grid, *block;
} ReportedLaunch;

// Tells what is new of a report, on stderr and where JSON goes.
void reports_tell(const ReportedLaunch *launch, const ValuesReport *report);
// A launch is not what it should be: why.
void reports_tell_trouble(const ReportedLaunch *launch, const char *text);
// What the run comes to, once; a signal may have ended it.  True: it has raced.
bool reports_conclude(void);

// -------------------------------------------------------------- output.c ---

// Text for one call of write(), so that a handler of signals can make it, too.
typedef struct Text {
  size_t length;
  char at[1 << 12];
} Text;

void text_add(Text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_add_json(Text *text, const char *string); // in quotes; NULL: null
void text_show(const Text *text);                   // on stderr
// A line at the end of the file that GPUVERIFY_VALUES names, if it does.
void text_keep(const Text *text);

#endif
