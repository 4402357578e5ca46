// Documents made of records: SARIF, HTML, JUnit and text for whole projects.
//
// In come records, the JSON objects of docs/JSON.md, one a kernel, as lines of
// a file or rows of a database.  Each becomes a KernelRecord: plain data in
// which all techniques look alike.  Out go documents, of all records at once.
// The command `gpuverify report` calls (plugin/report_command.c), and so does
// --sarif of the other commands; this room knows none of the answers that
// records were made of.

#ifndef REPORT_DOCUMENTS_DOCUMENTS_H
#define REPORT_DOCUMENTS_DOCUMENTS_H

#include "base/base.h"

// --------------------------------------------------------------- results ---

// A name and what it stands for, both as text.
typedef struct NamedText {
  const char *name, *value;
} NamedText;
typedef Vec(NamedText) NamedTexts;

// What a verdict comes to.
typedef enum ResultClass {
  CLASS_GOOD, // verified, passed
  CLASS_OPEN, // not decided, or not for all that was asked
  CLASS_BUG,
  CLASS_WRONG, // wrong input: nothing was looked at
} ResultClass;

// Who takes part in a problem, mostly one of two threads.
typedef struct Participant {
  const char *who;  // "thread (1,0,0) in block (0,0,0)"
  const char *does; // "writes tile[255] (bytes 1020..1023)", or NULL
  Loc where;
  Vec(Loc) way; // lines on the way there, in order
} Participant;

// Where a warp stands in a deadlock.
typedef struct Standpoint {
  const char *who;  // "warp 3"
  const char *what; // "barrier 1: 32 of 64 threads", or "has exited"
  Loc where;
  int waits_for;    // index of another one, or -1
  const char *help; // "warp 1 would come, k.cu:9:3", or NULL: it is not known
} Standpoint;

// One thing that may go wrong, or did.
typedef struct Alarm {
  const char *kind; // a verdict, "racy"
  const char *sentence;
  Loc where;
  bool is_confirmed;
  const char *replay;     // what was seen, or why not; or NULL
  bool has_ways_of_model; // its threads' ways are no execution's
  const char *caveat;     // what makes it unlikely, or NULL
  bool has_interval;      // a race of which the last barrier is known ...
  Loc barrier;            // ... no line: the start of the kernel
  Vec(Participant) participants;
  NamedTexts inputs; // sizes of the launch and arguments
  NamedTexts values; // loop iterations, what was read
  Vec(Standpoint) standpoints;
  uint64_t occurrences; // 0: nobody has counted
  bool is_only_warned;  // by --severity
  bool is_suppressed;
  const char *suppression;   // why, or NULL
  bool is_suppressed_inside; // by a comment in the source
  // The same places in other kernels; results_group fills both.
  const struct KernelRecord *same_as;         // it is told there; NULL: here
  Vec(const struct KernelRecord *) instances; // in which it is, too
} Alarm;

// Two accesses that may come at once and are no race.
typedef struct Toleration {
  const char *assumption; // by which they are none
  const char *sentence;
  Loc where, other; // equal where it is one statement
} Toleration;

// All that is told of one kernel, or of one run of a program.
typedef struct KernelRecord {
  unsigned number;       // in the page
  const char *file;      // as the user named it
  const char *kernel;    // linkage name; NULL: of a program
  const char *source;    // name as written, or the nearest there is; never NULL
  const char *technique; // "proof", "barriers", "run", "program", "schedules"
  Loc where;
  const char *verdict;
  ResultClass class;
  const char *reason; // of what is not decided, or NULL
  Loc reason_where;
  const char *scope;      // for which launch or what was covered, or NULL
  const char *replay;     // a command line
  NamedTexts assumptions; // names, and what goes wrong without; the value may
                          // be NULL
  Vec(Toleration) tolerated;
  Vec(Alarm) alarms; // if the class is a bug, at least one
  double seconds;
  bool is_cached;
} KernelRecord;

// What gave no record.
typedef struct Trouble {
  const char *file;    // or NULL
  const char *kind;    // "compile", "died", "vanished", "use", "record", ..
  const char *message; // one sentence
} Trouble;

// What is wrong with a suppression, or without a line with a list.
typedef struct SuppressionNote {
  Loc where;
  const char *text;
} SuppressionNote;

typedef struct Results {
  Arena arena;
  Vec(KernelRecord) records;
  Vec(Trouble) troubles;
  Vec(SuppressionNote) suppressions;
  const char *folder;  // absolute: what relative names of files are relative to
  const char *tool;    // version
  const char *command; // NULL: not known
  const char *started, *ended; // UTC, or NULL
  struct SourceFile *sources;  // source_file.c
  NamedText renamed;           // a file in the record that is read; or NULL
} Results;

// ------------------------------------------------------------- results.c ---

// Empty, for files in the working directory.
void results_begin(Results *results, const char *tool);
void results_free(Results *results);
void results_trouble(Results *results, const char *file, const char *kind,
                     const char *message);
void results_suppression(Results *results, const char *file, unsigned line,
                         const char *message);
// "k.cu: does not compile"
const char *trouble_text(Results *results, const Trouble *trouble);
// "k.cu:4: no kernel needs this suppression"
const char *suppression_text(Results *results, const SuppressionNote *note);
// A database of `gpuverify batch`, or a file of JSON lines.  False: *error says
// why not.
bool results_read(Results *results, const char *file, const char **error);
// JSON lines.  One that is none is a trouble of `name`.  How many say
// something.
unsigned results_read_lines(Results *results, FILE *in, const char *name);
// What the worst verdict, or trouble, comes to.
ResultClass results_class(const Results *results);

// ----------------------------------------------------------- instances.c ---

// When all is read: what several kernels have at the same places is told once.
void results_group(Results *results);
// "'tile<128>', 'tile<256>'", of many the first few; NULL: there are none.
const char *instances_text(Results *results, const Alarm *alarm);

// ------------------------------------------------------------ database.c ---

bool is_database(const char *file);
bool results_read_database(Results *results, const char *file,
                           const char **error);

// -------------------------------------------------------------- record.c ---

// What is known of a record beside it.
typedef struct RecordRow {
  const char
      *file; // that it is of, by its name in the database; NULL: as in it
  bool is_cached;
} RecordRow;

// Adds the record of that JSON text.  False: it is none.
bool record_read(Results *results, const char *text, const RecordRow *row);

// ------------------------------------------------------------- verdict.c ---

// A row of rules.def.
typedef struct ProblemRule {
  const char *kind;  // a verdict, or an assumption by which something is no bug
  const char *id;    // of the rule, stable
  const char *level; // of SARIF, where it was seen
  const char *title, *text, *help;
} ProblemRule;

// Of a verdict that is no row: what there is for all others.
const ProblemRule *rule_of(const char *kind);
size_t rules_count(void);
const ProblemRule *rule_at(size_t index);
ResultClass class_of(const char *verdict, bool has_problems);
// What a proof by this name assumes, in one line; NULL: there is no such name.
const char *assumption_text(const char *name);
// "racy (confirmed)"
const char *verdict_text(Arena *arena, const KernelRecord *record);

// --------------------------------------------------------- source_file.c ---

// A file of the user's as it is now.
typedef struct SourceFile {
  const char *name;
  bool is_there;
  bool is_newer;           // it was changed after the run began
  Vec(const char *) lines; // UTF-8
  struct SourceFile *next;
} SourceFile;

const SourceFile *source_open(Results *results, const char *name);
// NULL: there is no such line, or file.
const char *source_line(Results *results, Loc loc);
// Column in characters of a place whose column counts bytes.
unsigned source_column(Results *results, Loc loc);

// -------------------------------------------------------------- naming.c ---

// Valid UTF-8 without control characters but tab and newline: others become
// U+FFFD.
const char *clean_text(Arena *arena, const char *text);
// Relative to the folder, where the file is below it; else absolute.
const char *path_shown(Results *results, const char *file);
bool path_is_inside(const char *shown);
// As a URI: relative, or file:///..
const char *path_uri(Arena *arena, const char *shown);
// "k.cu:4:3"
const char *place_shown(Results *results, Loc loc);
// Of what may come at once: "k.cu:4:3 and k.cu:6:3", or one place.
const char *places_shown(Results *results, const Toleration *pair);
// For XML and HTML, text and attributes.
void print_escaped(FILE *out, const char *text);

// ---------------------------------------------------------------- text.c ---

// What a person reads in a terminal.
void document_text(FILE *out, Results *results);

// --------------------------------------------------------------- junit.c ---

// Test results, as build servers show them.
void document_junit(FILE *out, Results *results);

// --------------------------------------------------------------- sarif.c ---

// SARIF 2.1.0.  `status` is the exit status of what was run, or -1.
void document_sarif(FILE *out, Results *results, int status);

// ---------------------------------------------------------------- html.c ---

// One page that needs nothing beside it.
void document_html(FILE *out, Results *results);

#endif
