// What is told of an answer, and in which form.
//
// In come answers: what the proof found out about a kernel, or the check of
// named barriers.  Out goes a report: text for a person, or JSON for a program.
// All sentences about findings are composed here, once.  The doors (plugin/)
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
  bool is_joined;       // too many: one proof for all, what differs being free
  const Kernel *kernel; // NULL if it could not be translated
  const Verdict *verdict;
  // Where the verdict is unknown, what the check of named barriers says, or
  // NULL: it has nothing to say about this kernel.
  const struct BarriersReport *barriers;
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

// --------------------------------------------------------------- proof.c ---

const char *report_verb(const Access *access); // "reads"
// What two threads may do to its array at once: "access"
const char *report_tolerated(const Tolerated *pair);

// What a person reads: file:line:column sentences, then "verdict: ...".
void report_text(FILE *out, const ReportStyle *style,
                 const KernelReport *report);

// ----------------------------------------------------- -------- barriers.c ---

void report_barriers_text(FILE *out, const ReportStyle *style,
                          const BarriersReport *report);
// "read-write race in shared memory", "barrier 1 is recycled too early: ..."
const char *finding_sentence(Arena *arena, const BarriersReport *report,
                             size_t finding);
VerdictKind finding_verdict(const BarriersReport *report, size_t finding);
// "any, shared memory only": which blocks ONE_BLOCK is about.
const char *barriers_coverage(Arena *arena, const BarriersReport *report);
// What one end does, without its place: "thread (0,0,0) writes bytes 0..3".
const char *finding_end_text(Arena *arena, const BarriersReport *report,
                             size_t finding, unsigned end);
// Of a warp in a deadlock: "warp 0 waits at bar.sync 1, 64, where ..".
const char *standing_text(Arena *arena, const BarriersReport *report,
                          unsigned warp);
// Was one of those that make the verdict seen in a schedule?
bool barriers_are_confirmed(const BarriersReport *report);
// What `verified` assumes, and how many of them.
enum { BARRIERS_ASSUMPTIONS = 10 };
size_t barriers_assumptions(const BarriersReport *report,
                            const char *names[BARRIERS_ASSUMPTIONS]);
// Does it stand where the warp before it does?
bool standing_is_like_before(const BarriersReport *report, unsigned warp);
// Of an instruction: in the source if the PTX says where, else in the PTX;
// where its function is called if it was inlined.
Loc finding_place(const BarriersReport *report, uint32_t place);

// ------------------------------------------------------- json_barriers.c ---

// The same for `gpuverify barriers`.
void report_barriers_json(FILE *out, const BarriersReport *report);

// ---------------------------------------------------------- json_proof.c ---

// One object, one line.  The schema is docs/JSON.md.
void report_json(FILE *out, const KernelReport *report);

#ifdef __cplusplus
}
#endif

#endif
