// What the files of `gpuverify run` and `gpuverify launch` share.

#ifndef PLUGIN_RUN_H
#define PLUGIN_RUN_H

#include "plugin/plugin.h"
#include "report/runs.h"

#include <sys/types.h>

// --------------------------------------------------------- kernel_file.c ---

// A file and the one of its kernels that is to be executed.
typedef struct KernelFile {
  HostLaunches launches;
  struct LLVMOpaqueModule *module;
  KernelEntries kernels;
  const KernelEntry *entry;
  Code *code;
  // Of one that is to be executed by values, if it is not proved: as compiled,
  // and as its module was before there was code.  Else NULL.
  struct LLVMOpaqueModule *compiled, *prepared;
} KernelFile;

// `name` may be NULL: the only one.  With settings->canonical the code has that
// function, too.  If it is to be executed by values, it is cut, unless a proof
// is wanted before that.  False: the reason was told, and *status is worse.
bool kernel_file_open(Task *task, const Settings *settings, const char *file,
                      const char *name, KernelFile *kernel, int *status);
// What is open is not proved: it gets other code, which is cut.
bool kernel_file_cut(Task *task, const Settings *settings, const char *file,
                     KernelFile *kernel, int *status);
void kernel_file_close(KernelFile *kernel);
// What is wrong with a file that is to be executed, whatever it is called: it
// is missing, a folder, PTX; or NULL.
const char *file_trouble(const char *file);

// --------------------------------------------------------- launch_file.c ---

// False: *error is one sentence.
bool launch_open(Task *task, const char *name, LaunchFile *file,
                 const char **error);
// What the file says about this kernel; buffers are shared memory.
bool launch_bind(Task *task, LaunchFile *file, const Code *code, Run *run,
                 const char **error);
void launch_close(LaunchFile *file);
// A file to begin with.
void launch_template(FILE *out, const Code *code, const Launch *launch);

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
// What is in it, but for folders.
void folder_remove_files(const char *path);

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

// 0, or the errno that says why it could not be started.
int program_execute(Execution *execution, ProgramEnd *end);
// A copy of this process that does not outlive it.
pid_t fork_bound(int signal_at_our_end);

// -------------------------------------------------------------- proofs.c ---

// Is anything to be proved before it is executed by values?
bool proofs_are_wanted(const Settings *settings);
// Notes at each kernel of the module for which launches it is proved free of
// races, and says so, and why not.
void program_prove(Task *task, const Settings *settings, const char *file,
                   struct LLVMOpaqueModule *module,
                   const HostLaunches *launches, Explanations *explained);
// The same of one kernel and this launch; true: it is proved.
bool run_prove(Task *task, const Settings *settings, const char *file,
               struct LLVMOpaqueModule *module, const char *kernel,
               const Run *run, const char **sentence);

// ------------------------------------------------------ program_ledger.c ---

// Beside the program.  False: errno says why not.
bool ledger_make(Execution *execution, const LedgerOrders *orders);
const Ledger *ledger_look(Execution *execution);
void ledger_forget(Execution *execution);
// Why no mistake seen does not mean that all was looked at; or NULL.
const char *ledger_doubt(Task *task, const Ledger *ledger,
                         const ProgramEnd *end);

// ------------------------------------------------------------ symbols.cc ---

// Where the program's own code was; without a line where that is not known.
Loc program_place(Task *task, const Settings *settings, const char *program,
                  const HostPlace *place);

#endif
