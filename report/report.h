// What is told of an answer, and in which form.
//
// In come answers: what the proof found out about a kernel, or the check of
// named barriers; or (runs.h) a run, a program, a search of schedules.  Each
// becomes a Diagnosis: all sentences, composed once, as plain data.  Out goes
// the diagnosis in a form: text for a person, JSON for a program; clang's own
// diagnostics are made of it in plugin/diagnostics.cc.  The doors (plugin/)
// call, and nobody else; this room asks no question and decides nothing.

#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "smt/smt.h"
#include "translator/translator.h"

#ifdef __cplusplus
extern "C" {
#endif

// How a report is to be.
typedef struct ReportStyle {
  const Options *options;
  bool quiet, verbose;
  bool is_one_block_enough; // a proof for one block is all that was asked for
  unsigned only_warned;     // verdicts that are no alarm: a bit for each
} ReportStyle;

// --------------------------------------------------------------- answers ---

// All that is known of one kernel when it is done.
typedef struct KernelReport {
  const char *file; // as given by the user
  const char *name; // linkage name
  const char *source;
  Loc loc;
  const Launch *launch; // of the worst verdict
  unsigned launches;    // how many distinct ones the host code makes; 0: none
  unsigned elsewhere;   // ... in other files than the kernel
  bool is_joined;       // too many: one proof for all, what differs being free
  const Kernel *kernel; // NULL if it could not be translated
  const Verdict *verdict;
  // Where the verdict is unknown, what the check of named barriers says, or
  // NULL: it has nothing to say about this kernel.
  const struct BarriersReport *barriers;
  const Suppression *accepted; // it is no proof, and the user knows; or NULL
} KernelReport;

// For which blocks of the launch a proof is.
typedef enum Coverage {
  COVERAGE_ANY,  // where a block is in the grid decides nothing
  COVERAGE_EACH, // it does, and each was looked at that it could tell apart
  COVERAGE_SOME, // it does, and others were not looked at
} Coverage;

typedef struct BlocksSeen {
  Coverage coverage;
  size_t count;                   // that were looked at
  unsigned block_axes, grid_axes; // as of Programs, of all of them
} BlocksSeen;

// All that is known of one kernel of a PTX file.
typedef struct BarriersReport {
  const char *file;
  const char *kernel; // linkage name
  const char *source; // the name as written, as far as it can be told
  Loc loc;
  VerdictKind kind;
  const char *reason; // UNKNOWN, ERROR: why
  Loc where;          // ... and where
  uint32_t block_size[3], grid_size[3], block[3], cluster[3];
  bool is_grid_known;
  bool is_other_block;             // than --block says
  BlocksSeen blocks;               // ONE_BLOCK, VERIFIED: what they are about
  bool writes_global;              // nobody has looked at what it writes there
  const struct Programs *programs; // NULL if there are none
  const struct Check *check;
  unsigned leader;      // lanes from it on were elected, if there are others
  const Verdict *proof; // the proof's, which is unknown, if that was first
  double seconds;
} BarriersReport;

// Kernels of a file without a verdict.
typedef struct KernelsLeft {
  const char *file;
  const KernelEntry *at;
  size_t count;
} KernelsLeft;

#define FILE_TIME_IS_OVER                                                      \
  "the time budget of the file is used up (see --file-timeout)"

// ------------------------------------------------------------- diagnosis ---

typedef enum Level {
  LEVEL_WARNING, // a bug, or we were used wrongly
  LEVEL_DOUBT,   // it is not decided
  LEVEL_REMARK,  // all is well
  LEVEL_NOTE,    // of the remark before
} Level;

// What belongs to a remark.  There are two ways to read it: in a line below the
// remark, or alone at its place.  A text that is NULL is not told that way.
typedef struct Note {
  const char *line;  // "thread (1,0,0) in block (0,0,0) writes a[0], k.cu:4:3"
  const char *there; // "other access is here: thread (1,0,0) .. writes a[0]"
  Loc where;         // of `there`; without a line: nowhere
  bool is_quoted;    // below the line comes that of the source
} Note;

// What stands before the sentence of a remark.
typedef enum Naming {
  NAMES_PLACE,   // or its file alone, if there is no line
  NAMES_FILE,    // of the diagnosis: it is about the kernel as a whole
  NAMES_NOTHING, // it needs no place
} Naming;

// One thing that is told, with all that belongs to it.
typedef struct Remark {
  Level level;
  const char *kind; // a verdict, "racy"; NULL: it is none
  Naming naming;
  Loc where;
  Loc other;         // of a problem of two: where the other one is
  const char *array; // that it is about, or NULL
  const char *of;    // the kernel, as written, if it is not the diagnosis's
  const Suppression *suppression; // the user knows of it; or NULL
  bool is_quoted;                 // the line of the source is worth to be seen
  const char *sentence; // "possible read-write race on 'tile'"; NULL: its notes
                        // stand for themselves
  const char *there;    // the same alone at its place, with who is seen there
  bool is_confirmed;    // seen in an execution
  const char *replay;   // what was seen, or why not; NULL: not tried
  Vec(Note) notes;
} Remark;

// All that there is to tell of one kernel, in the order in which it is told.
// It lives as long as the answer and the arena.
typedef struct Diagnosis {
  const char *file;   // as given by the user
  const char *kernel; // linkage name
  const char *source; // as written
  Loc loc;
  const char *verdict; // "racy"
  Level level;         // of the verdict
  bool is_confirmed;
  const char *reason; // why it is not decided, or NULL
  Loc reason_where;
  Vec(const char *) assumptions;
  bool is_silent;      // to people: all is well, and they do not want to know
  Vec(Remark) remarks; // first the problems, in the order of the answer
  const Suppression *accepted; // the user knows of the answer; or NULL
  unsigned only_warned;        // as of ReportStyle
  const char *detail; // of the verdict: "possible, kernel 'k', .. 0.25 s"
  double seconds;
  // What it was made of, and the same as JSON, with all its numbers.
  const void *answer;
  struct json_t *(*json)(const struct Diagnosis *diagnosis);
} Diagnosis;

// ------------------------------------------------------------ barriers.c ---

Diagnosis *diagnose_barriers(Arena *arena, const ReportStyle *style,
                             const BarriersReport *report);

// --------------------------------------------------------------- proof.c ---

// Of what the check of named barriers says, if it was asked, too.
Diagnosis *diagnose_kernel(Arena *arena, const ReportStyle *style,
                           const KernelReport *report);

// ------------------------------------------------------------ left_out.c ---

// "3 kernels: 'a', 'b', 'c'", of many the first few.
const char *kernels_left_text(Arena *arena, const KernelsLeft *left);
// For people: the time of the file is used up, and nobody looks at them.
const Diagnosis *diagnose_left_out(Arena *arena, const KernelsLeft *left);

// ------------------------------------------------------------- formats.c ---

// A form of reports for programs: a row of formats.def.
typedef struct Format {
  const char *name;
  void (*print)(FILE *out, const Diagnosis *diagnosis);
} Format;

// NULL: there is none of that name.
const Format *report_format(const char *name);

// ---------------------------------------------------------------- text.c ---

// What a person reads: file:line:column sentences, then "verdict: ...".
void report_text(FILE *out, const Diagnosis *diagnosis);

// ---------------------------------------------------------------- json.c ---

// What --json prints of it.  The schema is docs/JSON.md.
struct json_t *report_object(const Diagnosis *diagnosis);
// What names of files in the lines behind it are relative to.
void report_folder(FILE *out, const char *folder);
// One object, one line.
void report_json(FILE *out, const Diagnosis *diagnosis);
// What gave no object, in the words of a sentence "what: why", for who makes a
// document of all; `what` and the file may be NULL.
void report_trouble(FILE *out, const char *kind, Loc where, const char *what,
                    const char *why);

// ------------------------------------------------------------ findings.c ---

struct Finding;

VerdictKind finding_verdict(const struct Finding *finding);
// Of an instruction: in the source if the PTX says where, else in the PTX;
// where its function is called if it was inlined.
Loc finding_place(const BarriersReport *report, uint32_t place);

#ifdef __cplusplus
}
#endif

#endif
