// What the files of `gpuverify run` and `gpuverify launch` share.

#ifndef PLUGIN_RUN_H
#define PLUGIN_RUN_H

#include "plugin/plugin.h"
#include "runtime/runtime.h"

#include <sys/types.h>

// --------------------------------------------------------- kernel_file.c ---

// A file and the one of its kernels that is to be executed.
typedef struct KernelFile {
  HostLaunches launches;
  struct LLVMOpaqueModule *module;
  KernelEntries kernels;
  const KernelEntry *entry;
  Code *code;
} KernelFile;

// `name` may be NULL: the only one.  With settings->canonical the code has that
// function, too.  False: the reason was told, and *status is worse.
bool kernel_file_open(Task *task, const Settings *settings, const char *file,
                      const char *name, KernelFile *kernel, int *status);
void kernel_file_close(KernelFile *kernel);
// What is wrong with a file that is to be executed, whatever it is called: it
// is missing, a folder, PTX; or NULL.
const char *file_trouble(const char *file);

// --------------------------------------------------------- launch_file.c ---

// A type of the elements of a buffer.
typedef struct Element {
  const char *name;
  unsigned bytes;
  bool is_float, is_signed;
} Element;

// Elements of a buffer, to be printed or compared at the end.
typedef struct Range {
  size_t buffer; // of Run.buffers
  const Element *element;
  uint64_t from, count;
  char *expected;   // of a comparison: what must be there
  double tolerance; // ... floats may differ by so much, relatively
} Range;

typedef struct LaunchFile {
  const char *name;
  struct json_t *root;
  const char *kernel;            // or NULL: the only one
  Vec(const Element *) elements; // by buffer
  Vec(Range) prints, expectations;
} LaunchFile;

// False: *error is one sentence.
bool launch_open(Task *task, const char *name, LaunchFile *file,
                 const char **error);
// What the file says about this kernel; buffers are shared memory.
bool launch_bind(Task *task, LaunchFile *file, const Code *code, Run *run,
                 const char **error);
void launch_close(LaunchFile *file);
// A file to begin with.
void launch_template(FILE *out, const Code *code, const Launch *launch);

// One element as text.
const char *element_text(Task *task, const Element *element, const char *at);
// The first element that differs, or the count.
uint64_t range_difference(const Range *range, const Run *run);

// ---------------------------------------------------------- report_run.c ---

// "racy", "endless"; "passed" where nothing went wrong.
const char *run_verdict(const RunReport *report);
int run_status(const RunReport *report);
// It lives as long as the task and the report.
const Diagnosis *diagnose_run(Task *task, const RunReport *report);
// One without remarks.
Diagnosis *diagnosis_of_run(Task *task, const RunReport *report);
void tell_incident(Task *task, Diagnosis *diagnosis, const RunReport *report,
                   const Incident *incident);
void tell_sighting(Arena *arena, Diagnosis *diagnosis,
                   const Sighting *sighting);

// -------------------------------------------------------------- folder.c ---

// A folder of temporary files that goes with this process, however it ends.
typedef struct Folder {
  const char *path;
  pid_t caretaker; // removes it
  int end;         // of the pipe at which that one sleeps
} Folder;

// False: errno says why.
bool folder_make(Task *task, Folder *folder);
void folder_remove(Folder *folder);

// ------------------------------------------------------------- program.c ---

// Compiles the files of the settings to a program, runs it, reports; returns
// the exit status.
int program_run(Task *task, const Settings *settings, Watch watch);

// ----------------------------------------------------- program_process.c ---

// A program that is to be executed.
typedef struct Execution {
  Task *task;
  const Settings *settings;
  const char *folder, *program; // a file in it
  int file;                     // of the ledger
  Ledger ledger;                // as it was when we last looked
} Execution;

// How it has ended.
typedef struct ProgramEnd {
  int exit_status; // -1: a signal has ended it
  int signal;
  int interrupted; // by this signal to us; 0: it was not
  pid_t left;      // a process of it that goes on; 0: none
  double seconds;
} ProgramEnd;

// 0, or the errno that says why it could not be started.
int program_execute(Execution *execution, ProgramEnd *end);
// A copy of this process that does not outlive it.
pid_t fork_bound(int signal_at_our_end);

// ------------------------------------------------------ program_ledger.c ---

// Beside the program.  False: errno says why not.
bool ledger_make(Execution *execution, const LedgerOrders *orders);
const Ledger *ledger_look(Execution *execution);
void ledger_forget(Execution *execution);
// Why no mistake seen does not mean that all was looked at; or NULL.
const char *ledger_doubt(Task *task, const Ledger *ledger,
                         const ProgramEnd *end);

// ------------------------------------------------------ report_program.c ---

typedef struct ProgramReport {
  const char *file; // the first one
  const Ledger *ledger;
  ProgramEnd end;
  const char *doubt;           // of ledger_doubt
  Loc refusals[MOST_REFUSALS]; // where, of those in the ledger
  Loc fault;
} ProgramReport;

const char *program_verdict(const ProgramReport *report);
// Why it is `unknown`, unless a sighting says so; or NULL.
const char *program_reason(const ProgramReport *report);
int program_status(const ProgramReport *report);
const Diagnosis *diagnose_program(Arena *arena, const ProgramReport *report);

// ------------------------------------------------------------ symbols.cc ---

// Where the program's own code was; without a line where that is not known.
Loc program_place(Task *task, const Settings *settings, const char *program,
                  const HostPlace *place);

// ------------------------------------------------------------ json_run.c ---

struct json_t *json_incident(Task *task, const RunReport *report,
                             const Incident *incident);
struct json_t *json_run(const Diagnosis *diagnosis);
struct json_t *json_program(const Diagnosis *diagnosis);

#endif
