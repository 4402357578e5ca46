// What the user knows of and wants no alarm of: docs/SUPPRESSIONS.md.
//
// Comments in the source, a list of patterns and a baseline become rules.  A
// rule that fits an obligation makes its failing no problem (Suppression in
// translator/translator.h); one that fits a kernel as a whole makes an answer
// other than `verified` acceptable.  Rules and files are those of one command;
// copies of the process see the same `is_used`.

#ifndef PLUGIN_SUPPRESS_H
#define PLUGIN_SUPPRESS_H

#include "plugin/plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

// From line to line of a file.
typedef struct Lines {
  const char *file;
  unsigned first, last;
} Lines;

// What is not given fits everything.
typedef struct SuppressionRule {
  Suppression suppression;
  unsigned kinds;   // of findings: a bit for each VerdictKind
  Lines lines;      // of a comment: one of the places is there
  const char *text; // as written, without its reason
  const char *kernel, *source, *function, *array; // patterns as of fnmatch
  Vec(Lines) functions;                           // that have such a name
  // Of a baseline: the kernel's name as written, and the places.
  const char *of_kernel, *of_array, *files[2], *texts[2];
} SuppressionRule;

// What is wrong with one, or without a line with all of a file.
typedef struct Complaint {
  Loc where;
  const char *text;
} Complaint;

typedef struct Suppressions {
  Task *task;
  Vec(SuppressionRule) rules;
  Vec(const char *) scanned; // files of which the comments are known
  Vec(Complaint) complaints; // of comments that are none
  bool has_lines;            // what is compiled has a #line in some file
  bool is_of_some;          // one kernel is asked for, others are not looked at
  const char *baseline;     // the file read, or NULL
  const char *new_baseline; // the file to be written, or NULL
  FILE *found;              // what goes there, a line each
  size_t room;              // for marks of rules
  bool *marks;              // shared: of rules; the first one says that a
                            // kernel was not decided; of what was told
} Suppressions;

// A finding, or a kernel without a proof.
typedef struct Suspect {
  VerdictKind kind;
  const char *file;          // of the user
  const char *kernel, *name; // as written, and for the linker
  const char *array;         // or NULL
  Loc at[2];                 // no line: nowhere
  const char *texts[2];      // of their lines, where a baseline asks
  bool is_kernel;            // all of it: a comment is not enough
} Suspect;

// --------------------------------------------------------- suppressions.c ---

// Reads what the settings name, and the comments of their files.  NULL: *error
// says what is wrong.
Suppressions *suppressions_open(Task *task, const Settings *settings,
                                const char **error);
void suppressions_complain(Suppressions *suppressions, Loc where,
                           const char *text);
// On stderr what is wrong with suppressions, each once, whichever copy of the
// process has found it; a copy has to do so before it ends.
void suppressions_tell(Suppressions *suppressions);
// Who is told of one of them, in a sentence.
typedef void SuppressionListener(void *data, Loc where, const char *text);
// What is wrong with suppressions, and comments of the file that no kernel
// needed.
void suppressions_list(const Suppressions *suppressions, const char *file,
                       SuppressionListener *listener, void *data);
// On stderr: what was not told, and rules that nothing needed.  Writes the
// baseline; false: it cannot be written, and that was said.
bool suppressions_close(Suppressions *suppressions);

// -------------------------------------------------- suppress_kernels.c ---

// Before its functions are inlined.
void suppressions_know_functions(Suppressions *suppressions,
                                 struct LLVMOpaqueModule *module);
void suppressions_apply(Suppressions *suppressions, const char *file,
                        const KernelEntry *entry, Pair *pair);
// Of a kernel without a proof, or with findings that are not obligations; or
// NULL.
const Suppression *suppressions_accept(Suppressions *suppressions,
                                       const KernelReport *report);
// Notes what is found, for those who ask in the end.
void suppressions_note(Suppressions *suppressions, const KernelReport *report);

// ------------------------------------------------- suppress_findings.c ---

// As many findings as are kept: there may be others, so all stay.  The status.
int suppressions_give_up(Suppressions *suppressions, const Diagnosis *diagnosis,
                         int status);

// Of a command whose findings are no obligations: the answer, with what the
// user knows of marked in it.  What the exit status is then, if it was `status`
// without.
int suppressions_settle(Suppressions *suppressions, const Settings *settings,
                        Diagnosis *diagnosis, int status);
// Tells that there are functions of which it cannot say where they are.
void suppressions_know_no_functions(Suppressions *suppressions);
// Opens them for a command into settings->options; false: it was told why not.
bool suppressions_begin(Task *task, Settings *settings, int *status);
void suppressions_end(const Settings *settings, int *status);

// ---- for those below

const Suppression *suppressions_find(Suppressions *suppressions,
                                     Suspect *suspect);
// ... for a kernel without an answer, which is given up at a place or as a
// whole.
const Suppression *suppressions_find_whole(Suppressions *suppressions,
                                           Suspect *suspect, bool is_of_place);
// Some kernel has no answer, so a rule may yet be of use.
void suppressions_note_undecided(Suppressions *suppressions);
void suppressions_note_one(Suppressions *suppressions, Suspect *suspect);
bool suppressions_is_of_baseline(const Suppressions *suppressions,
                                 const Suppression *by);

SuppressionRule *suppressions_add(Suppressions *suppressions,
                                  SuppressionRule rule);
// ------------------------------------------------------ finding_kinds.c ---

// "race,divergence" up to `end`; 0: *wrong is the word that is no kind.
unsigned suppressions_kinds(Task *task, const char *list, const char *end,
                            const char **wrong);
// One word for it: "race".
const char *suppressions_word(VerdictKind kind);
// Of the name of a verdict, "racy"; false: it is none that can be suppressed.
bool suppressions_kind(const char *verdict, VerdictKind *kind);

// -------------------------------------------------- suppress_comments.c ---

// Is the line a #line, behind which clang tells of other lines and files?
bool suppressions_is_line_directive(const char *line);
// Is there a comment of this kind, or what looks like one?
bool suppressions_has_comments(const char *file);
// The rules of a file, once.
void suppressions_scan(Suppressions *suppressions, const char *file);

// --------------------------------------------------------- ignore_list.c ---

// False: *error says what is wrong with the file.
bool ignore_list_read(Suppressions *suppressions, const char *file,
                      const char **error);

// ------------------------------------------------------------ baseline.c ---

bool baseline_read(Suppressions *suppressions, const char *file,
                   const char **error);
// Is it the one that the rule is about?
bool baseline_fits(const SuppressionRule *rule, const Suspect *suspect);
// Its texts.
void baseline_read_lines(Suppressions *suppressions, Suspect *suspect);
void baseline_note(Suppressions *suppressions, const Suspect *suspect);
bool baseline_write(Suppressions *suppressions, const char **error);

#ifdef __cplusplus
}
#endif

#endif
