// What a person reads at midnight.
//
// First where and what, in the form editors jump to; then who does what, what
// would have had to order them, and the inputs under which it happens; last
// the verdict.  A proof is shorter: what was proved, for which launches, and
// what was assumed.

#include "report/report.h"

static void print_note(FILE *out, const Note *note) {
  if (note->line)
    fprintf(out, "  %s\n", note->line);
  if (note->line && note->is_quoted)
    report_quote(out, note->where, "    ");
}

static void print_sentence(FILE *out, const Diagnosis *diagnosis,
                           const Remark *remark) {
  switch (remark->naming) {
  case NAMES_PLACE:
    report_place(out, remark->where, diagnosis->file);
    fputs(": ", out);
    break;
  case NAMES_FILE:
    fprintf(out, "%s: ", diagnosis->file);
    break;
  case NAMES_NOTHING:
    break;
  }
  fprintf(out, "%s%s\n", remark->level == LEVEL_NOTE ? "note: " : "",
          remark->sentence);
  if (remark->is_quoted)
    report_quote(out, remark->where, "    ");
}

static void print_remark(FILE *out, const Diagnosis *diagnosis,
                         const Remark *remark) {
  if (remark->sentence)
    print_sentence(out, diagnosis, remark);
  for (size_t i = 0; i < remark->notes.count; i++)
    print_note(out, &remark->notes.at[i]);
}

void report_text(FILE *out, const Diagnosis *diagnosis) {
  if (diagnosis->is_silent)
    return;
  for (size_t i = 0; i < diagnosis->remarks.count; i++)
    print_remark(out, diagnosis, &diagnosis->remarks.at[i]);
  fprintf(out, "verdict: %s (%s)\n", diagnosis->verdict, diagnosis->detail);
}
