// What the files of `gpuverify repair` share.

#ifndef PLUGIN_REPAIR_H
#define PLUGIN_REPAIR_H

#include "plugin/plugin.h"
#include "report/repairs.h"

#ifdef __cplusplus
extern "C" {
#endif

// How a file is compiled that is on no disk: the edits, which are sorted, are
// made in the texts first.  What clang has to say goes to nobody if it is
// quiet. With `places`, those of the text that was compiled are found, too.
typedef struct ChangedSource {
  const SourceTexts *texts;
  const Edits *edits;
  bool is_quiet;
  Places *places; // or NULL
} ChangedSource;

// What was found out about a kernel of a text.
typedef struct KernelState {
  const char *name, *source; // linkage name, and as written
  VerdictKind kind;
  Coverage coverage; // of PTX, where it is proved
  Vec(const char *) assumptions;
  Failures failures; // bytes of the texts as they were
  // Of the text as it is; or NULL.
  const char *text;      // what people read of it
  struct json_t *record; // what programs do
} KernelState;
typedef Vec(KernelState) KernelStates;

// A file that is repaired.
typedef struct Repairing {
  Task *task;
  const Settings *settings;
  const char *file;
  bool is_ptx;
  Places places;
  KernelStates kernels;      // with the edits that were accepted
  Edits accepted;            // sorted
  const KernelState *kernel; // that is looked at
  double start;              // of the search for it, on work_seconds()
} Repairing;

// -------------------------------------------------------------- repair.c ---

// For clang: proposals for the kernels of a file that have a bug, as edits of
// the files as they are.  Nothing is told and nothing written.
Fixes repair_propose(Task *task, const Settings *settings, const char *file);

// ------------------------------------------------------- repair_prover.c ---

// What is verified, and how.
typedef struct RepairQuestion {
  const Edits *edits;  // sorted
  const char *kernel;  // this one alone; NULL: all
  unsigned timeout;    // seconds; 0: what the options say
  bool is_for_vacuity; // with false asserted at the end
  bool is_told;        // errors of clang, and what is to be told of the kernels
  Places *places;      // to be filled, or NULL
} RepairQuestion;

// False: the text does not compile.
bool repair_verify(const Repairing *repairing, const RepairQuestion *question,
                   KernelStates *states);
Prover repair_prover(Repairing *repairing);
// Is it one, of PTX for one block?
bool repair_is_proof(const Repairing *repairing, const KernelState *state);
// Of the kernel, if it is one, as it is; `data` is a Repairing.
bool repair_was_proved(void *data, const char *kernel);

// ---------------------------------------------------------- repair_ptx.c ---

// Reads the file, its places and its verdicts.  NULL, or what is wrong with it.
const char *repair_ptx_open(Repairing *repairing);
Prover repair_ptx_prover(Repairing *repairing);

// -------------------------------------------------------- repair_files.c ---

// The whole text; NULL: *reason says why not.
char *repair_read(Arena *arena, const char *file, const char **reason);
// Makes the edits in the files themselves, where those before them were made
// already.  NULL, or a file that cannot be changed, and why; then all stay what
// they are.
const char *repair_write(const Repairing *repairing, const Edits *before,
                         const Edits *edits, const char **why);

#ifdef __cplusplus
}
#endif

#endif
