// A batch: every kernel of a project, what is known of it, and what is to be
// done for it.

#ifndef PLUGIN_BATCH_H
#define PLUGIN_BATCH_H

#include "plugin/across.h"
#include "plugin/plugin.h"
#include "project/project.h"

#include <sys/types.h>

typedef enum WorkState {
  WORK_TODO,
  WORK_RUNNING,
  WORK_FOLLOWS, // another kernel has the same key, and its record will do
  WORK_DONE,
  WORK_SKIPPED, // nobody asked for it
} WorkState;

typedef struct BatchUnit BatchUnit;

typedef struct BatchKernel {
  BatchUnit *unit;
  size_t index; // in the manifest
  const ManifestKernel *of;
  HostLaunches launches; // of it, in all files
  PlaceTable places;     // its own, then those of the launches
  char key[HASH_SIZE];
  WorkState state;
  bool is_checked;           // a hit that is proved again ...
  const char *kept;          // ... and this is what was kept
  struct BatchKernel *first; // FOLLOWS: whose record it takes
} BatchKernel;

// One compilation.
struct BatchUnit {
  size_t number;
  const char *file;      // as clang is told, in .directory
  const char *label;     // as people know it
  const char *directory; // absolute
  Settings settings;     // of this file alone
  char key[HASH_SIZE];   // of how it is compiled
  Manifest manifest;
  const char *bitcode; // where its module is while the batch lasts
  bool has_manifest, has_bitcode, is_broken, is_changed;
  bool has_spoken;          // what compiling it says has been told
  Vec(BatchKernel) kernels; // as many as in the manifest
  HostLaunches launches;    // of all its kernels, in all files
};

// What is told of all kernels together.
typedef struct ToldFindings {
  WordTable told;     // the same of another instance is not told again
  size_t again;       // so many were not
  size_t same_values; // kernels that are no race by benign-writes
} ToldFindings;

typedef struct Batch {
  Task *task;
  const Settings *settings;
  const char *project; // the folder, absolute
  const char *scratch; // a folder that goes when the batch ends
  const char *options; // as text, for keys
  const char *versions;
  Vec(BatchUnit *) units;
  Database *database;
  Cache cache;
  Progress progress;
  WordTable files; // whose contents were looked at in this batch, and hashes
  Texts file_hashes;
  WordTable scanned; // files, and whether they have comments that suppress
  Vec(bool) has_comments;
  ToldFindings findings;
  int status;
  bool was_finished; // the batch that wrote the database before
  size_t verdicts[VERDICT_ERROR + 1];
  size_t cached, shared, proved, failed_checks;
} Batch;

// ------------------------------------------------------- options_text.c ---

// All options that may change a verdict, each on a line.
const char *options_text(Task *task, const Settings *settings);

// -------------------------------------------------------- batch_units.c ---

// Fills batch->units.  False: *error says what is wrong.
bool batch_find_units(Batch *batch, const char **error);
// Of what is below the project.
const char *batch_relative(const Batch *batch, const char *path);
// A file's name, absolute and without links.
const char *batch_path(const Batch *batch, const char *folder,
                       const char *file);
// ... as people know it: relative to the project, if it is there.
const char *batch_label(const Batch *batch, const char *folder,
                        const char *file);
// Something that leads to no record: it is told, and noted.
void batch_trouble(Batch *batch, const char *file, const char *kind,
                   const char *message, int status);
// The same of wrong use, in one sentence.
void batch_complain(Batch *batch, const char *file, const char *kind,
                    const char *message);

// -------------------------------------------------------- batch_again.c ---

// In the project's folder; NULL: the file is compiled without options.
const char *batch_again(const Batch *batch, const BatchUnit *unit);

// ------------------------------------------------------- batch_record.c ---

// Runs the command behind --; settings->recorded becomes the folder of notes,
// which is there as long as it is not removed.  False: *error.
struct Folder;
bool batch_record(Task *task, Settings *settings, struct Folder *notes,
                  const char **error);

// ------------------------------------------------------ batch_compile.c ---

// What source code promises is not promised of it.
bool batch_is_ir(const BatchUnit *unit);
// In a process of its own: the module goes to unit->bitcode, the manifest to
// `out`.  EXIT_FRONT_END: it does not compile, and clang said why; the
// manifest, if there is one, has no module. EXIT_WRONG_USE: there is no room
// for the module.
int batch_compile(Task *task, const BatchUnit *unit, FILE *out);

// -------------------------------------------------------- batch_plan.c ---

// The manifests that an earlier batch left and that are still true.
void batch_recall(Batch *batch);
// A unit has been compiled, with or without success.  False: `text` is no
// manifest.
bool batch_learn(Batch *batch, BatchUnit *unit, const char *text);
// Its manifest is true: the module that it is of becomes unit->bitcode.  False:
// it was not kept.
bool batch_recall_module(Batch *batch, BatchUnit *unit);
// Which kernels are to be proved, and what is known of the others.
void batch_plan(Batch *batch);
// Records of kernels that are known go to the database.
void batch_take_known(Batch *batch);

// ------------------------------------------------------ batch_results.c ---
// Records are as the prover makes them; in the database names of files are
// relative to the project.

// A kernel is done, with a record of its own.
void batch_finish(Batch *batch, BatchKernel *kernel, const char *record);
// ... without one: why.
void batch_lose(Batch *batch, BatchKernel *kernel, const char *why);
// A line about what was found there first.
void findings_tell(Task *task, ToldFindings *findings,
                   const RecordFacts *facts);
// What was not told.
void findings_sum_up(const ToldFindings *findings);
// Its key, and a hash of all places: a row with this key is as it would be.
const char *batch_row_key(Batch *batch, const BatchKernel *kernel);
// Would more time and memory change nothing?
bool batch_is_final(const char *verdict);
// It is no proof, and the user knows.
bool batch_is_accepted(const RecordFacts *facts, VerdictKind kind);
// Has the kernel no more of them than these?
bool batch_is_enough(const BatchKernel *kernel, unsigned timeout,
                     unsigned memory);
// What is kept of a verdict, as a record of this kernel; NULL: it is of no use.
const char *batch_record_of(Batch *batch, const BatchKernel *kernel,
                            const char *entry);
void batch_tell(Batch *batch, const BatchKernel *kernel, const char *raw,
                bool is_cached);
// The same of a row that the database has.
void batch_tell_row(Batch *batch, const BatchKernel *kernel,
                    const char *record);
RecordOwner batch_owner(const BatchKernel *kernel);
void batch_sum_up(Batch *batch);

// -------------------------------------------------------- batch_prove.c ---

// The answer of a worker about one kernel; its texts follow.
typedef struct BatchAnswer {
  uint32_t index;
  int32_t end;            // of waitpid
  uint32_t limit;         // which one ended it: see BatchLimit
  uint32_t record, words; // lengths
} BatchAnswer;
typedef enum BatchLimit { LIMIT_NONE, LIMIT_WALL, LIMIT_MEMORY } BatchLimit;

// In a process of its own: proves the kernels whose numbers come from `asked`,
// each in a process of its own, and writes an answer for each to `told`.
void batch_prove(Task *task, const BatchUnit *unit, int asked, int told);

// --------------------------------------------------------- batch_pool.c ---

// It does not compile, as clang's words say: it is told, and noted.
void batch_break(Batch *batch, BatchUnit *unit, const char *words);
// Compiles the units that have no manifest, or whose module is wanted and was
// not kept.
void batch_compile_all(Batch *batch);
// Proves what is to be proved.
void batch_prove_all(Batch *batch);
// Somebody pressed Ctrl-C, or the like; 0: nobody.
int batch_signal(void);
void batch_catch_signals(void);

// -------------------------------------------------------- batch_launch.c ---

// All parts, started by somebody; their results are in the database, and told.
// False: it is not known of all that they are.
bool batch_launch(Batch *batch, const char *output);

// --------------------------------------------------------------- merge.c ---

// Bugs or records, the numbers of verdicts, what else went wrong.
void results_tell(Task *task, Database *database, const Settings *settings,
                  int *status);

// On stderr.
void results_tell_suppressions(Task *task, Database *database);

// -------------------------------------------------- batch_suppressions.c ---

// All is proved: which suppressions were of no use, for the database.
void batch_judge_suppressions(Batch *batch);

// -------------------------------------------------------- batch_since.c ---

// Which units may differ from that revision.  False: *error.
bool batch_mark_changed(Batch *batch, const char *revision, const char **error);

#endif
