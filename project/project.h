// Whole projects: which files are compiled how, and what is known of them.
//
// In come compile commands and what the doors find out: modules as text, the
// launches of files, a JSON record for each kernel.  Out go fingerprints of
// kernels, a cache of their records, one database for a project, and lines
// about progress.  plugin/batch*.c calls; nothing here compiles, proves or
// forks.

#ifndef PROJECT_PROJECT_H
#define PROJECT_PROJECT_H

#include "base/words.h"
#include "project/words.h"
#include "llvm/llvm.h"

// --------------------------------------------------- compile_commands.c ---

// How one file is compiled.
typedef struct CompileCommand {
  const char *directory; // absolute; what is relative in it is so to this
  const char *file;
  Texts arguments; // behind the compiler, without the file
  const char *compiler;
  const char *unread; // a file with arguments that cannot be read, or NULL
} CompileCommand;
typedef Vec(CompileCommand) CompileCommands;

// False: *error says what is wrong with the file.
bool compile_commands_read(Task *task, const char *folder,
                           CompileCommands *commands, const char **error);
// Those that gpuverify-recorder noted in a folder.
bool compile_commands_recorded(Task *task, const char *folder,
                               CompileCommands *commands, const char **error);

// -------------------------------------------------------- fingerprint.c ---

// PlaceTable in the source, each once, by number.
typedef struct PlaceTable {
  WordTable words; // "file\nline\ncolumn"
  Vec(Loc) at;
} PlaceTable;

size_t place_table_add(Arena *arena, PlaceTable *places, Loc loc);
long place_table_find(Arena *arena, const PlaceTable *places, Loc loc);

// A module as LLVM prints it, taken apart.
typedef struct IrText IrText;
IrText *ir_text_read(Task *task, const char *text);

// Prints all of the module that can count for a kernel, in a form that does not
// change when its lines move, nor with what else is in the module.  PlaceTable
// are numbers of `places`.  `folder`: where clang was.
void ir_text_print(Task *task, const IrText *ir, const char *kernel,
                   const char *folder, PlaceTable *places, FILE *out);

// The files that places of the module are in.
Texts ir_text_sources(Task *task, const IrText *ir, const char *folder);

// ------------------------------------------------------------ manifest.c ---

typedef struct ManifestKernel {
  const char *name, *source;
  Loc loc;
  const char *ir; // hash of what ir_text_print printed
  PlaceTable places;
} ManifestKernel;

typedef struct ManifestLaunch {
  const char *kernel;
  bool is_elsewhere;
  Launch launch;
} ManifestLaunch;

typedef struct ManifestFile {
  const char *path;
  bool is_there;
  const char *hash; // NULL: its contents were not read
} ManifestFile;

// What one compilation came to.
typedef struct Manifest {
  Vec(ManifestKernel) kernels;
  Vec(ManifestLaunch) launches;
  Vec(ManifestFile) files;
  const char *module; // hash of its bitcode; "": it does not compile
  const char *words;  // that were said meanwhile; behind the line, or ""
} Manifest;

char *manifest_text(Task *task, const Manifest *manifest);
// False: this is none.
bool manifest_read(Task *task, const char *text, Manifest *manifest);

// ------------------------------------------------------------ launches.c ---

// All of it, as text.  PlaceTable are numbers of `places`, and those that are
// new are added.
const char *launch_text(Task *task, const Launch *launch, PlaceTable *places);

// -------------------------------------------------------------- record.c ---

// Who a record is about.
typedef struct RecordOwner {
  const char *file, *kernel, *source;
  Loc loc;
  const PlaceTable *places;
} RecordOwner;

// A record as it is kept: without its owner, places by number.  *is_exact: it
// has names or places of which that does not tell all, so it is another's only
// if all their places are the same.
char *record_keep(Task *task, const char *record, const RecordOwner *owner,
                  bool *is_exact);
// The same as a record of another owner; NULL: it is no record.
char *record_give(Task *task, const char *kept, const RecordOwner *owner);
// Of the file `label`, made by `command` (NULL: nothing is said), and with
// names of files below `project` as relative to it; `folder`: where clang was.
char *record_relative(Task *task, const char *record, const char *command,
                      const char *label, const char *folder,
                      const char *project);
// All places, as text.
char *owner_text(Task *task, const RecordOwner *owner);

// What is wrong with a suppression.
typedef struct RecordComplaint {
  Loc where;
  const char *text;
} RecordComplaint;

// The record with one more complaint.
char *record_complain(Task *task, const char *record, Loc where,
                      const char *text);

typedef struct RecordFacts {
  const char *verdict, *reason, *sentence, *source;
  Loc where; // of the first problem, or of the kernel
  double seconds;
  unsigned problems;
  bool is_accepted;     // the answer is as a whole suppressed ...
  bool is_finding;      // ... and is one of the check of named barriers
  bool has_same_values; // a proof by benign-writes
  Vec(Loc) needed;      // suppressions, where they are
  Vec(RecordComplaint) complaints;
} RecordFacts;
bool record_facts(Task *task, const char *record, RecordFacts *facts);
// Do they say the same, but for times and what was seen in executions?
bool record_agrees(Task *task, const char *a, const char *b);

// --------------------------------------------------------------- cache.c ---

// Texts by the hash of what they depend on, in a folder that several processes
// may use.  What cannot be written is told once.
typedef struct Cache {
  const char *folder; // NULL: there is none
  uint64_t most;      // bytes; 0: no limit
  uint64_t grown;     // by so many since it was last looked at
  bool is_told;
} Cache;

void cache_open(Task *task, Cache *cache, const char *folder);
// NULL: it is not there.
char *cache_get(Task *task, Cache *cache, const char *key);
void cache_put(Task *task, Cache *cache, const char *key, const char *text);
// What was not used for longest goes: files, and then texts.
void cache_trim(Task *task, Cache *cache);
// By so many bytes: it is time to trim it now and then.
void cache_has_grown(Task *task, Cache *cache, uint64_t bytes);

// -------------------------------------------------------- cache_files.c ---

#define CACHE_FILE_SUFFIX ".bc"

void cache_keep_file(Task *task, Cache *cache, const char *hash,
                     const char *file);
// It becomes the file `to`, which is not there yet, as far as it is whole.
// False: it was not kept.
bool cache_take_file(Task *task, const Cache *cache, const char *hash,
                     const char *to);

// ---------------------------------------------------------------- lock.c ---

// Who writes to a file; nobody else does meanwhile.
typedef struct FileLock {
  int file; // -1: none
  const char *path;
} FileLock;

// With a file beside `of`, which is there as long as it is locked, and may stay
// behind who is killed.  False: somebody else has it.  Where no such file can
// be, nothing is locked.
bool file_lock(Task *task, const char *of, FileLock *lock);
void file_unlock(FileLock *lock);

// ------------------------------------------------------------ database.c ---

enum { DATABASE_SCHEMA = 1 };

typedef struct Database Database;

// A row of `result`.
typedef struct ResultRow {
  const char *unit, *key; // which compilation; what the verdict depends on
  const char *file, *kernel, *source, *verdict, *record;
  unsigned line, timeout, memory;
  double seconds;
  bool is_cached;
} ResultRow;

// NULL: *error says why not, and the file stays what it is.  Nobody else opens
// it until it is closed.
Database *database_open(Task *task, const char *file, const char **error);
bool database_close(Task *task, Database *database, const char **error);
// Adds what another one has; of what both have, the other's counts.  Did that
// batch finish?  False: *error.
bool database_take(Task *task, Database *database, const char *other,
                   bool *is_whole, const char **error);
// All records by file and line.
Texts database_records(Task *task, Database *database);

// What is told of a file beside its records.
typedef struct ProjectNote {
  Loc where; // without a line, it is of the file as a whole
  const char *kind, *message;
} ProjectNote;
typedef Vec(ProjectNote) ProjectNotes;

ProjectNotes database_trouble_notes(Task *task, Database *database);
// The first thing that could not be written; NULL: all was.
const char *database_error(const Database *database);
void database_begin(Database *database);
void database_commit(Database *database);
void database_set(Database *database, const char *key, const char *value);
// Whose rows there are of those of all parts: "2/8", or NULL: all.
void database_set_shard(Database *database, const char *shard);
// Of all batches in it.
Texts database_shards(Task *task, Database *database);
void database_unset(Database *database, const char *key);
const char *database_get(Task *task, Database *database, const char *key);
size_t database_troubles(Database *database);
// A suppression: it is `needed`, or, in the part "I/N" of a batch that the text
// names, `idle`, or the finding of a baseline `absent`; or `refused`, and why.
void database_add_suppression(Database *database, const char *file,
                              unsigned line, const char *kind,
                              const char *text);
void database_forget_suppressions(Database *database);
// Makes of them what is to be told.
void database_settle_suppressions(Database *database);
// "list:3: no kernel needs this suppression"
ProjectNotes database_suppressions(Task *task, Database *database);
// "k 1.0 s, j 0.5 s": those that took longest.
const char *database_slowest(Task *task, Database *database);
void database_add(Database *database, const ResultRow *row);
void database_add_trouble(Database *database, const char *file,
                          const char *kind, const char *message);
void database_forget_troubles(Database *database);
void database_forget_results(Database *database);
// Rows of the same compilation and kernel; false: there is none.
bool database_find(Task *task, Database *database, const char *unit,
                   const char *kernel, ResultRow *row);
// Rows that were neither added nor kept since the database was opened.
void database_keep(Database *database, const char *unit, const char *kernel);
void database_drop_others(Database *database);
// A row that is kept is of an earlier batch.
void database_mark_cached(Database *database, const char *unit,
                          const char *kernel);
void database_mark_all_cached(Database *database);
// Of a compilation, by its key: what became of it.
void database_add_manifest(Database *database, const char *key,
                           const char *text);
char *database_manifest(Task *task, Database *database, const char *key);

// ------------------------------------------------------------ progress.c ---

typedef struct Progress {
  bool is_silent, is_terminal, is_shown;
  size_t total, done, proved, bugs;
  double started;
  double since; // proofs are made
} Progress;

void progress_begin(Progress *progress, bool is_silent);
// A line that stays, or takes the place of the one before.
void progress_kernel(Progress *progress, const char *source,
                     const RecordFacts *facts, bool is_bug, bool is_cached);
void progress_note(Progress *progress, const char *what, size_t done,
                   size_t total);
// Before anything else is printed.
void progress_clear(Progress *progress);

#endif
