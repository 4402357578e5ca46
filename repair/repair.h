// From kernels with a bug to the smallest change of their source that mends it.
//
// In come the text of the source files, the places in them where a statement
// may stand (found in clang's syntax tree by plugin/repair_places.cc) and, by a
// callback, what the prover says of a changed text.  Out comes a list of edits
// whose text was proved, or the reason why there is none.  This room knows text
// and places only; it compiles nothing and proves nothing.

#ifndef REPAIR_REPAIR_H
#define REPAIR_REPAIR_H

#include "base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// --------------------------------------------------------------- edits.c ---

typedef struct SourceText {
  const char *path, *text;
  size_t size;
} SourceText;
typedef Vec(SourceText) SourceTexts;

// `text` stands instead of the bytes from `begin` to before `end`.
typedef struct Edit {
  size_t file; // of SourceTexts
  size_t begin, end;
  const char *text;
} Edit;
typedef Vec(Edit) Edits;

// Of two at the same byte the first one's text comes first.  What is added
// there already is not added again.
void edits_add(Arena *arena, Edits *to, const Edits *more);
void edits_sort(Edits *edits);
// Do two of them take away the same text, or does one add text inside of what
// another takes away?
bool edits_collide(const Edits *sorted);
bool edits_touch(const Edits *edits, size_t file);
// The changed text of a file; the edits are sorted and do not collide.
char *edits_apply(Arena *arena, const Edits *sorted, size_t file,
                  const SourceText *source);
// Where the byte of the changed text comes from.
size_t edits_origin(const Edits *sorted, size_t file, size_t at);

// From line and column, from 1, to a byte and back.  What is behind the end is
// the end.
size_t text_at(const SourceText *source, unsigned line, unsigned column);
Loc text_place(const SourceText *source, size_t at);
// The blanks that the line of the byte begins with.
const char *text_indent(Arena *arena, const SourceText *source, size_t at);
// The first byte of the line, if nothing but blanks comes before `at`.
bool text_begins_line(const SourceText *source, size_t at, size_t *line);

// ---------------------------------------------------------------- diff.c ---

// What `diff -u` prints of the file with `before` and of that with `before`
// and `edits`.
void diff_print(FILE *out, Arena *arena, const SourceText *source, size_t file,
                const Edits *before, const Edits *edits);

// --------------------------------------------------------------- fixes.c ---

// What clang-apply-replacements reads, of edits of the texts as they are.
typedef struct Fix {
  const char *message;
  const char *kernel; // that is verified with it and those before it
  SourceText source;  // where it is about
  size_t at;
  const SourceTexts *texts;
  Edits edits;
} Fix;
typedef Vec(Fix) Fixes;

void fixes_print(FILE *out, const char *main_file, const Fixes *fixes);

// -------------------------------------------------------------- places.c ---

typedef enum NestKind {
  NEST_FUNCTION, // the body of a function
  NEST_BLOCK,    // { .. } that is nothing more
  NEST_BRANCH,   // of an if or a switch
  NEST_LOOP,
} NestKind;

// Statements in others.
typedef struct Nest {
  NestKind kind;
  size_t outer; // of Places.nests; a function has itself
  size_t file;  // of Places.texts
  size_t begin, end;
  size_t whole_begin, whole_end; // of a branch: `if (c) {..} else {..}`
} Nest;

// Where a statement may be put.
typedef struct Gap {
  size_t nest;
  size_t at;         // the byte before which it comes
  bool is_body;      // there are no braces yet around the one statement
  size_t begin, end; // ... of which the body consists
  bool is_behind;    // ... and behind which it comes
  size_t like;       // its line is indented as a new one should be
} Gap;

typedef enum ActionKind {
  ACTION_BARRIER, // a statement that is a barrier or a fence, nothing else
  ACTION_UPDATE,  // a statement x += e, of whole numbers
} ActionKind;

// A statement that may be replaced.
typedef struct Action {
  ActionKind kind;
  size_t nest;
  size_t begin, end;   // with its semicolon
  bool is_body;        // of an if or a loop, without braces
  const char *instead; // UPDATE: the same as an atomic, without semicolon;
                       // BARRIER: what stands where it is left out, or NULL
  const char *name;    // BARRIER: of the function
} Action;

typedef struct PlacedCall {
  size_t nest;
  size_t at;
  size_t body; // of whom it calls
} PlacedCall;

typedef struct Body {
  size_t nest;         // the NEST_FUNCTION
  bool is_users;       // may be changed
  bool waits_for_grid; // has a barrier of all blocks
  const char *groups;  // what names of cooperative groups begin with there
} Body;

// A variable whose sync() is such a barrier.
typedef struct GridVariable {
  size_t nest;
  size_t at; // where it is declared
  const char *name;
} GridVariable;

typedef struct PlacedKernel {
  const char *name; // linkage name
  size_t body;
  bool is_cooperative; // it is launched so that all blocks run at once
} PlacedKernel;

typedef struct Places {
  Arena *arena;
  bool is_opencl, is_hip;
  bool has_groups; // cooperative groups are declared
  SourceTexts texts;
  Vec(Nest) nests;
  Vec(Gap) gaps;
  Vec(Action) actions;
  Vec(PlacedCall) calls;
  Vec(Body) bodies;
  Vec(PlacedKernel) kernels;
  Vec(GridVariable) grids;
} Places;

// Where a place of the texts with the edits comes from.  False: it is in none
// of them.
bool places_find(Arena *arena, const Places *places, const Edits *edits,
                 Loc loc, size_t *file, size_t *at);
// The bodies that a kernel comes to, a bool each; NULL: there is no such
// kernel.
const bool *places_reached(Arena *arena, const Places *places,
                           const char *kernel);
// The function around a nest, and whether a nest is another one or in it.
size_t places_function(const Places *places, size_t nest);
bool places_inside(const Places *places, size_t nest, size_t outer);
// The innermost one around a byte of a body.
size_t places_innermost(const Places *places, size_t function, size_t at);
// The byte where a gap is.
size_t gap_at(const Gap *gap);

// The statement at the gap, as edits.
void gap_edit(Arena *arena, const Places *places, const Gap *gap,
              const char *statement, Edits *edits);
// Without the action, or with other text instead of it.
void action_drop(Arena *arena, const Places *places, const Action *action,
                 Edits *edits);
void action_replace(Arena *arena, const Places *places, const Action *action,
                    Edits *edits);

// ---------------------------------------------------------------- grid.c ---

// Is it known that its blocks may wait for each other?
bool grid_may_wait(Arena *arena, const Places *places,
                   const PlacedKernel *kernel);
// The bodies that the kernel comes to and in which blocks may, a bool each.
const bool *grid_bodies(Arena *arena, const Places *places, const char *kernel);
// The barrier, as it is written there.
const char *grid_statement(Arena *arena, const Places *places, const Gap *gap);
// What it needs, where it is not declared.
void grid_include(Arena *arena, const Places *places, size_t file,
                  Edits *edits);

// ---------------------------------------------------------- candidates.c ---

typedef enum FailureKind {
  FAILURE_RACE,
  FAILURE_DIVERGENCE,
  FAILURE_OTHER, // no change of ours mends it
} FailureKind;

// One thing that goes wrong; bytes of the texts as they are.
typedef struct Failure {
  FailureKind kind;
  bool is_placed[2]; // of one end or of both it is known where it is
  size_t file[2], at[2];
  bool is_global;                     // the memory
  bool is_between_blocks, is_in_warp; // of a race, where it was seen
} Failure;
typedef Vec(Failure) Failures;

bool failure_same(const Failure *a, const Failure *b);

// One change that may help.
typedef struct Candidate {
  Edits edits;
  unsigned cost;
  size_t file, at;  // where it is about
  const char *what; // "insert '__syncthreads();'"
  bool is_of_grid;  // blocks wait for each other
} Candidate;
typedef Vec(Candidate) Candidates;

// The cheapest first.
Candidates candidates_for(Arena *arena, const Places *places,
                          const char *kernel, const Failures *failures);

// -------------------------------------------------------------- search.c ---

typedef enum ChangeResultKind {
  CHANGE_VERIFIED,
  CHANGE_FAILS,     // see its failures
  CHANGE_UNDECIDED, // unknown
  CHANGE_RESTS,     // verified, by more assumptions than before
  CHANGE_INVALID,   // does not compile, or the kernel is no more
} ChangeResultKind;

typedef struct ChangeResult {
  ChangeResultKind kind;
  Failures failures;
  const char *name; // RESTS: one of those assumptions
} ChangeResult;

// Who can say what becomes of the kernel.
typedef struct Prover {
  // Of the kernel alone.
  ChangeResult (*ask)(void *data, const Edits *edits);
  // Everything that has to be true of a proposal; NULL, or why it is none.
  const char *(*refuse)(void *data, const Edits *edits);
  bool (*is_over)(void *data); // the time of the search
  // Was it, as it is?  What happens to others nobody would see.
  bool (*is_proved)(void *data, const char *kernel);
  void *data;
} Prover;

typedef struct Proposal {
  bool is_found;
  Candidates changes; // each of them is needed
  Edits edits;        // of all of them
  const char *reason; // not found: why
  unsigned tried;
} Proposal;

Proposal repair_search(Arena *arena, const Places *places, const char *kernel,
                       const Failures *failures, const Prover *prover);

// ----------------------------------------------------------- redundant.c ---

// A barrier of the kernel and what was found out about it.
typedef struct Needed {
  const Action *action;
  bool is_redundant; // without it, and all others there, all is still proved
  bool is_left_out;  // ... without all of those that are left out, too
} Needed;

typedef struct Redundancy {
  Vec(Needed) barriers; // those of the kernel before those it calls
  Edits edits;          // without those that are left out
  bool is_over;         // of some nothing is known
} Redundancy;

Redundancy redundant_search(Arena *arena, const Places *places,
                            const char *kernel, const Prover *prover);

#ifdef __cplusplus
}
#endif

#endif
