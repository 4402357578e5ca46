// How clang, or a person, starts us and how we answer.
//
// The C side of this folder is the same under both front doors: the plugin
// (plugin.cc) and the command (main.c) fill Options, hand over an LLVM module
// and the launches found in the host code, and get a report for each kernel.

#ifndef PLUGIN_PLUGIN_H
#define PLUGIN_PLUGIN_H

#include "report/report.h"
#include "smt/smt.h"
#include "translator/translator.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  EXIT_ALL_VERIFIED = 0,
  EXIT_BUG_FOUND = 1,
  EXIT_WRONG_USE = 2,
  EXIT_FRONT_END = 3,
  EXIT_NOT_DECIDED = 4,
  EXIT_OUR_BUG = 70,
};

// ------------------------------------------------------------ spelling.c ---

// How many letters to change, insert or take away; capitals count as small.
unsigned spelling_distance(const char *a, const char *b);

// ------------------------------------------------------------- options.c ---

// What the hardware limits depend on.
typedef enum Language {
  LANGUAGE_BY_SUFFIX, // .cu, .hip or .cl; of .ll and .bc it is not known
  LANGUAGE_CUDA,
  LANGUAGE_OPENCL,
  LANGUAGE_HIP,
} Language;

typedef enum FrontDoor {
  DOOR_COMMAND,   // gpuverify
  DOOR_PLUGIN,    // clang
  DOOR_BARRIERS,  // gpuverify barriers
  DOOR_RUN,       // gpuverify run
  DOOR_LAUNCH,    // gpuverify launch
  DOOR_SCHEDULES, // gpuverify schedules
  DOOR_THREADS,   // gpuverify threads
  DOOR_BATCH,     // gpuverify batch
  DOOR_REPAIR,    // gpuverify repair
  DOOR_MERGE,     // gpuverify merge
} FrontDoor;

// The options of the command alone, beside the shared ones.
typedef struct Settings {
  Options options;
  FrontDoor door;
  Language language; // the plugin sets it before settings_check
  Vec(const char *) files;
  Vec(const char *) clang_args; // -D, -I and what follows --clang-arg
  const Format *format;         // for a program to read; NULL: text, for people
  Vec(const char *) ignored;    // options that change nothing, and why
  Vec(const char *) warnings;
  bool help, version;
  const char *ignore_list, *baseline, *new_baseline; // files, or NULL
  unsigned only_warned; // verdicts that change no exit status: a bit for each
  bool strict;          // no rung of the ladder, whoever asks for one
  bool names_rungs;     // --ladder is given
  const char *exited_threads; // "error": a barrier waits for them, too
  bool quiet, verbose;
  const char *entry; // gpuverify barriers: the one kernel to look at, or NULL
  uint32_t block_id[3];
  uint32_t cluster[3]; // 0: as the kernel says
  bool lock_step;
  bool elect_lowest;       // gpuverify barriers: see SOUND(elect-lowest)
  unsigned registers;      // gpuverify barriers: of a thread; 0: not given
  unsigned threads;        // kernels at a time; 0: cores
  unsigned processors;     // gpuverify threads: what sysconf tells of
  unsigned spurious;       // gpuverify threads: wake-ups without a signal
  const char *launch;      // gpuverify run: the launch file
  const char *detect;      // "none", "bounds", "races", "values" or NULL
  const char *unit;        // "thread", "warp" or NULL
  unsigned values_memory;  // megabytes for copies; 0: by default
  unsigned values_copies;  // of a line; 0: one for each block
  unsigned values_passes;  // where blocks share them; 0: as many as it takes
  bool deterministic;      // --detect=values: only what has one result
  unsigned prove;          // ... seconds of a file for proofs; 0: none
  bool explain;            // ... what is not executed twice, and why
  bool quick;              // gpuverify run: kernels are not optimised
  const char *template_of; // gpuverify launch: the kernel, or NULL
  // gpuverify schedules; names of files and functions may be NULL.
  unsigned bound, schedules, jobs, seed;
  const char *select; // "all", "conditional", "conditional-first" or NULL
  const char *check, *observe; // lists with commas, or NULL
  const char *canonical, *replay, *output;
  const char *device; // "cpu", "cuda" or NULL; of run, too
  // gpuverify threads, beside some of schedules and run.
  const char *scheduler; // or NULL
  unsigned depth, seconds;
  Vec(char *) program_args; // gpuverify run: what follows --
  bool progress;
  unsigned launch_seconds; // ... after which a launch is endless; 0: none
  // gpuverify batch; texts may be NULL.
  const char *build;         // the folder of compile_commands.json
  const char *recorded;      // ... of what gpuverify-recorder noted
  const char *cache_dir;     // NULL: that of the user
  bool no_cache;             // no verdict of an earlier batch is taken
  unsigned cache_check;      // so many of 100 hits are proved again
  unsigned cache_size;       // megabytes; 0: no limit
  const char *progress_form; // "auto" or "never"
  const char *since;         // a revision of git
  const char *shard;         // "I/N"
  const char *launcher;      // who starts shards: "none", "make", "slurm"
  unsigned shards;           // how many; 0: not given
  Vec(const char *) words;   // as they were given, behind `gpuverify batch`
  // gpuverify repair
  bool fix, redundant_barriers;
  bool is_cooperative;      // so are all kernels launched
  const char *export_fixes; // a file, or NULL
  unsigned repair_timeout;  // seconds of a kernel; 0: none
  unsigned lots;            // gpuverify threads: first schedules by lot
} Settings;

enum {
  DEFAULT_TIMEOUT = 60,
  DEFAULT_FILE_TIMEOUT = 6, // in clang, where somebody waits
  DEFAULT_MEMORY = 1024,
  DEFAULT_BOUND = 2,
  DEFAULT_DEPTH = 3,      // of schedules of threads
  DEFAULT_LOTS = 64,      // ... of first schedules
  DEFAULT_PROVE = 5,      // of what is executed by values
  DEFAULT_PROCESSORS = 4, // ... that sysconf tells of
  DEFAULT_UNWIND = 2,     // of --findbugs
  DEFAULT_CACHE_SIZE = 1024,
  DEFAULT_REPAIR_TIMEOUT = 60,
};

// What holds where no option says otherwise.
void settings_default(Settings *settings, FrontDoor door);

// Parses one option, "--blockDim=64" ("blockDim=64" from the plugin), or a
// file name (command).  False: *error is one sentence, with the nearest
// spelling of an unknown option.
bool settings_parse(Task *task, Settings *settings, FrontDoor door,
                    const char *text, const char **error);
// The same for many; a value may be an argument of its own: "--blockDim" "64".
bool settings_parse_all(Task *task, Settings *settings, FrontDoor door,
                        int count, char **texts, const char **error);
// The arguments of a compiler, none of which is ours: files are left out.
bool settings_parse_compiler(Task *task, Settings *settings, int count,
                             char **texts, const char **error);
// GPUVERIFY_FLAGS, split at blanks.
bool settings_parse_environment(Task *task, Settings *settings, FrontDoor door,
                                const char **error);
// Checks what spans options: contradicting sizes, hardware limits.
bool settings_check(Task *task, Settings *settings, const char **error);
// All of that for a command: the defaults, GPUVERIFY_FLAGS, what the command
// line says, the checks.
bool settings_read(Task *task, Settings *settings, FrontDoor door, int count,
                   char **texts, const char **error);
// Is one of them known?
bool extents_are_given(const Extent extents[3]);
void settings_help(FrontDoor door, FILE *out);
bool settings_look_for_values(const Settings *settings);
bool settings_compare_warps(const Settings *settings); // ... of warps
bool settings_want_device(const Settings *settings);   // --detect=values
// How reports are to be.
ReportStyle settings_style(const Settings *settings);
// On stdout, in the form that they ask for.
void settings_print(const Settings *settings, const Diagnosis *diagnosis);

// ----------------------------------------------------------- file_kind.c ---

bool has_suffix(const char *file, const char *suffix); // ".cu"
bool is_folder(const char *file);
// CUDA or OpenCL, as far as the options and the suffix tell.
Language settings_language(const Settings *settings, const char *file);
// Does the proof read it, and it is not IR?
bool is_source(const Settings *settings, const char *file);

// --------------------------------------------------------------- rungs.c ---

// Sets of named assumptions (translator/premises.def).
void rungs_set(bool names[PREMISES], bool value);
// Adds those of a list "NAME,..", in which `other` may stand, too.  False: one
// is wrong, and `wrong` says which.
bool rungs_read(Task *task, const char *list, const char *other,
                bool names[PREMISES], bool *has_other, const char **wrong);
// Is it a promise that source code makes, and not IR?
bool rungs_are_of_source(PremiseKind kind);
// What is tried of a file of IR.
void rungs_without_source(bool names[PREMISES]);

// -------------------------------------------------------------- status.c ---

int status_of(VerdictKind kind); // the exit status
// Of an execution.
int status_of_level(Level level);
// The same, where a proof for one block may be all that was asked for.
int status_as_asked(const Settings *settings, VerdictKind kind);
// The same, where the user may have known.
int status_of_report(const Settings *settings, const KernelReport *report);
bool status_is_worse(int a, int b);
// *status becomes `other` if that is worse.
void status_worsen(int *status, int other);
// The same, and a line on stderr: "k.cu: does not compile".  `what` or NULL.
void status_complain(int *status, int other, const char *what, const char *why);
// What somebody has told already, for those alone who collect: of which kind
// it is, and about what.
void status_tell(const char *kind, Loc where, const char *message);
// What the names of files are relative to, if that is not where we are.
void status_tell_folder(const char *folder);
// From now on, in this library, all of these are on stdout, too, as a line of
// JSON for who collects records there.
void status_collect(bool collects);
bool status_collects(void);

// ------------------------------------------------------------ output.c ---

// Before any file is opened.
void output_begin(void);
// What was printed is on its way; if it cannot be, the process ends with
// EXIT_WRONG_USE.
void output_flush(void);
// The same at the end, of stderr, too.
void output_end(int *status);

// -------------------------------------------------------------- nvcc.c ---

// If texts[0] is an option of nvcc, says it to clang; how many texts that took,
// or -1: *error says what is wrong with it.
int nvcc_take(Task *task, Settings *settings, int count, char **texts,
              const char **error);

// -------------------------------------------------------------- verify.c ---

// Launches that the host code of a file makes, found by launches.cc.
typedef struct HostLaunch {
  const char *kernel; // linkage name; "": any of another file's
  Launch launch;
  bool is_elsewhere;   // the code of the kernel may be that of another file
  bool is_cooperative; // all blocks run at once
} HostLaunch;
typedef Vec(HostLaunch) HostLaunches;
typedef Vec(Launch) Launches; // of one kernel

struct Jobs;

typedef struct Reporter {
  void (*kernel)(void *data, const KernelReport *report);
  // The time of the file is used up, and they had a glance at most.
  void (*left_out)(void *data, const KernelsLeft *left);
  // The first of them is looked at now; or NULL.
  void (*begins)(void *data, const KernelsLeft *left);
  void *data;
  // With more than one worker, `kernel` may be called in a copy of the process,
  // which ends with what `status` gives.  `note` is told of it in this one, in
  // the order of the reports, and also if there is no copy.  Both may be NULL.
  unsigned workers;
  int (*status)(void *data);
  void (*note)(void *data, const KernelEntry *entry, int status);
  // Who wants to say which kernels are looked at, and when; or NULL.  Job i is
  // kernel i; nobody is told but by `kernel`.
  void (*drive)(void *data, const KernelEntries *kernels,
                const struct Jobs *jobs);
} Reporter;

// The whole verifier: every kernel of the module, one report each, unless the
// time of the file is used up.  Never
// exits or crashes: an internal failure is an `unknown`.  Returns the number
// of kernels.  The module is changed (inlined) but stays the caller's.
unsigned verify_module(const Options *options, const char *file,
                       struct LLVMOpaqueModule *module,
                       const HostLaunches *launches, const Reporter *reporter);

// ----------------------------------------------------------- interrupt.c ---

// From now on SIGINT, SIGTERM and SIGHUP print what interrupt_says was told,
// and end the process as ever.
void interrupt_catch(void);
// In a copy of the process, which has nothing to say.
void interrupt_forget(void);
// They wait while this holds.
void interrupt_hold(bool holds);
// There is no verdict on these kernels of the file, and on so many files more.
void interrupt_says(const char *file, const char *kernels, size_t files);

// -------------------------------------------------------- verify_files.c ---

// gpuverify FILE..: returns the exit status.
int verify_command(Task *task, Settings *settings);

// --------------------------------------------------------------- batch.c ---

// gpuverify batch: returns the exit status.
int batch_command(Task *task, Settings *settings);

// --------------------------------------------------------------- merge.c ---

// gpuverify merge: returns the exit status.
int merge_command(Task *task, Settings *settings);

// --------------------------------------------------------- intercepted.c ---

// A JSON file of the original's interceptors: the settings of each launch, with
// its one file and its kernel (options.kernel).  False: *error says what is
// wrong with the file.
typedef Vec(Settings) Intercepted;
bool intercepted_read(Task *task, const Settings *settings, const char *file,
                      Intercepted *launches, const char **error);

// ------------------------------------------------------------- confirm.c ---

// Executes what the witnesses say and fills Problem.is_confirmed and .replay
// of the races.  The module stays what it is.
void confirm_problems(Task *task, struct LLVMOpaqueModule *module,
                      const KernelEntry *entry, const Kernel *kernel,
                      Verdict *verdict, double deadline);

// ------------------------------------------------------ watched_files.cc ---

// What a compilation asked the file system for.
typedef struct Lookup {
  const char *path; // absolute
  bool is_there, is_read;
} Lookup;
typedef Vec(Lookup) Lookups;

// From here on compilations add theirs, each once; NULL: no longer.
void frontend_watch(Task *task, Lookups *lookups);

// ----------------------------------------------------------- frontend.cc ---

// Compiles one .cu or .cl for the device, un-optimised, in this process, with
// clang's own diagnostics on stderr.  NULL: it does not compile.
struct LLVMOpaqueModule *frontend_compile(Task *task, const Settings *settings,
                                          const char *file,
                                          HostLaunches *launches);

// How the file would be compiled, for the device and for the host: whatever
// differs changes this text, too, but for what files contain.
const char *frontend_how(Task *task, const Settings *settings,
                         const char *file);

// The same of a text that is on no disk (plugin/repair.h).
struct ChangedSource;
struct LLVMOpaqueModule *
frontend_compile_changed(Task *task, const Settings *settings, const char *file,
                         const struct ChangedSource *changed,
                         HostLaunches *launches);

// Before llvm_prepare: functions that are called, and that only a library of
// the device has, get bodies: libdevice of the SDK that the settings (NULL:
// none are given) lead to, or libclc for OpenCL.  Without the library they
// stay without.
void frontend_link_library(Task *task, const Settings *settings,
                           struct LLVMOpaqueModule *module);

// A program and its arguments; the last is NULL.
typedef Vec(const char *) CommandLine;

// Do kernels of the module launch others?
bool frontend_launches(struct LLVMOpaqueModule *module);
// How to compile the host's side of a file; `device` is its device code, NULL
// if it is no CUDA; `plugin` helps clang with it, or is NULL.
CommandLine frontend_host_command(Task *task, const Settings *settings,
                                  const char *file, const char *device,
                                  const char *object, const char *plugin);
CommandLine frontend_link_command(Task *task, const Settings *settings,
                                  const CommandLine *objects,
                                  const char *library, const char *program);

// ------------------------------------------------------------- unwind.cc ---

// A copy of a prepared module in which each loop of a kernel takes so many back
// edges at most; kernels that would become too large stay what they are.
struct LLVMOpaqueModule *unwind_copy(struct LLVMOpaqueModule *module,
                                     unsigned back_edges);

// -------------------------------------------------------- kernel_copy.cc ---

// A copy of the module without the other kernels, but for those that somebody
// names; given back by llvm_drop_copy.
struct LLVMOpaqueModule *kernel_copy(struct LLVMOpaqueModule *module,
                                     const char *name);

// --------------------------------------------------------------- hash.cc ---

// SHA-256 as 64 hexadecimal digits.
enum { HASH_SIZE = 65 };
void hash_text(const char *text, size_t length, char hash[HASH_SIZE]);
// False: it cannot be read.
bool hash_file(const char *path, char hash[HASH_SIZE]);
// Of all that this library consists of, and of LLVM and Z3.
const char *versions_text(Task *task);
// The module as text, each metadata node with all of its members.
const char *module_text(Task *task, struct LLVMOpaqueModule *module);
// As it was when llvm_write_file wrote it.  NULL: it cannot be read.
struct LLVMOpaqueModule *module_read(const char *file);

// ---------------------------------------------------------------- jobs.c ---

// Each returns an exit status, or more below 256; `done` gets it, in order.
typedef struct Jobs {
  size_t count;
  int (*run)(void *data, size_t job); // perhaps in a copy of this process
  void (*done)(void *data, int code);
  void *data;
} Jobs;

// At most so many at once; output as of one after the other.
void jobs_do(const Jobs *jobs, unsigned workers);
// --threads; 0 is as many as there are cores.
unsigned jobs_workers(unsigned asked);

// ------------------------------------------------------------ barriers.c ---

// gpuverify barriers FILE..: returns the exit status.
int barriers_command(Task *task, Settings *settings);

// ----------------------------------------------------- barriers_blocks.c ---

// A block, or the one of a cluster that was asked for, of such a grid.
typedef struct BlockSite {
  uint32_t block[3], grid[3];
} BlockSite;

typedef struct BlockPlan {
  BlockSite first;
  bool is_grid_known;
  uint32_t unit[3];    // blocks that are executed together, along an axis
  uint32_t cluster[3]; // blocks of which a grid has a multiple
  Vec(BlockSite) seen;
} BlockPlan;

// The next one to look at, as far as what was seen asks for it; and what the
// coverage is when all of these have been looked at.  False: there is none.
bool barriers_next_block(const BlockPlan *plan, BlocksSeen *seen,
                         BlockSite *site);

// ----------------------------------------------------- barriers_kernel.c ---

typedef struct BarriersQuestion {
  const char *file;
  const struct PtxKernel *kernel;
  const Settings *settings;
  Launches launches; // none: as the options and the PTX say
  double deadline;   // on work_seconds(); 0: none
} BarriersQuestion;

// The worst verdict of all launches; of a proof it is ONE_BLOCK.  It lives as
// long as the task.
BarriersReport *barriers_check(Task *task, const BarriersQuestion *question);
// Is that its name, linkage name or not?
bool barriers_is_named(Task *task, const struct PtxKernel *kernel,
                       const char *name);

// -------------------------------------------------------- barriers_auto.c ---

// Do the options let a kernel go that way?
bool barriers_are_wanted(const Options *options);
// What the check of named barriers says of a kernel that the proof does not
// decide.  NULL: the kernel uses none, or the options are against it.
// `as_written` is the module with the assembly that the proof made into IR, or
// NULL if there was none.
const BarriersReport *barriers_after_proof(Task *task, const Options *options,
                                           const KernelReport *proof,
                                           const KernelEntry *entry,
                                           struct LLVMOpaqueModule *as_written,
                                           const Launches *launches,
                                           double deadline);

// ----------------------------------------------------------------- run.c ---

// gpuverify run FILE, gpuverify launch FILE: returns the exit status.
int run_command(Task *task, Settings *settings);

// ----------------------------------------------------------- schedules.c ---

// gpuverify schedules FILE: returns the exit status.
int schedules_command(Task *task, Settings *settings);

// ----------------------------------------------------- threads_command.c ---

// gpuverify threads FILE..: returns the exit status.
int threads_command(Task *task, Settings *settings);

// -------------------------------------------------------------- repair.c ---

// gpuverify repair FILE..: returns the exit status.
int repair_command(Task *task, Settings *settings);

// -------------------------------------------------------- cache_folder.c ---

// --cache-dir, else $GPUVERIFY_CACHE (empty: none), else gpuverify in
// $XDG_CACHE_HOME or in .cache of $HOME.  It need not be there yet.  NULL:
// there is none, or none is wanted.
const char *cache_folder(Task *task, const Settings *settings);

// -------------------------------------------------------------- beside.c ---

#define CLANG_LIBRARY "libgpuverify-clang.so"
#define CUDA_LIBRARY "libgpuverify-cuda.so"
#define HOST_LIBRARY "libgpuverify-host.so"
// Says to headers that a whole program is compiled.
#define PROGRAM_MACRO "-D__GPUVERIFY_PROGRAM__"

// The path of a library of ours; NULL: it is not there.
const char *find_beside(Task *task, const char *library);

// --------------------------------------------- clang_side.c, clang_load.c ---

// What needs clang, LLVM or Z3: a library of its own.
typedef struct ClangSide {
  int (*verify)(Task *task, Settings *settings);
  int (*run)(Task *task, Settings *settings);
  int (*schedules)(Task *task, Settings *settings);
  int (*batch)(Task *task, Settings *settings);
  void (*collect)(bool collects); // status_collect
  int (*repair)(Task *task, Settings *settings);
  int (*merge)(Task *task, Settings *settings);
  int (*threads)(Task *task, Settings *settings);
  // NULL: the file does not compile, and clang or *reason says why.
  const char *(*cuda_to_ptx)(Task *task, const Settings *settings,
                             const char *file, HostLaunches *launches,
                             const char **reason);
} ClangSide;

// Loads it, once.  NULL: *reason says why not.
const ClangSide *clang_side(Task *task, const char **reason);

#ifdef __cplusplus
}
#endif

#endif
