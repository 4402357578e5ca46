// Repairs for people: where and what, the difference, and that it was proved.

#include "report/repairs.h"
#include "report/tell.h"

#include <string.h>

const char *report_kept_text(Arena *arena, const Diagnosis *diagnosis) {
  Sheet sheet;
  sheet_open(&sheet);
  report_text(sheet.out, diagnosis);
  return sheet_close(arena, &sheet);
}

// ----------------------------------------------------------- differences ---

static const Edits *edits_of(const RepairReport *report) {
  if (report->redundancy)
    return &report->redundancy->edits;
  return report->proposal && report->proposal->is_found
             ? &report->proposal->edits
             : NULL;
}

const char *repair_diff(const RepairReport *report) {
  const Edits *edits = edits_of(report);
  const SourceTexts *texts = &report->places->texts;
  Sheet sheet;
  if (!edits || !edits->count)
    return NULL;
  sheet_open(&sheet);
  for (size_t i = 0; i < texts->count; i++)
    if (edits_touch(edits, i))
      diff_print(sheet.out, report->arena, &texts->at[i], i, report->before,
                 edits);
  return sheet_close(report->arena, &sheet);
}

static void print_diff(FILE *out, const RepairReport *report) {
  const char *diff = repair_diff(report);
  fputs(diff ? diff : "", out);
}

// -------------------------------------------------------------- proposals ---

static void print_place(FILE *out, const RepairReport *report, size_t file,
                        size_t at) {
  const SourceText *source = &report->places->texts.at[file];
  report_place(out, text_place(source, at), source->path);
}

static const char *counted_changes(const Proposal *proposal) {
  if (!proposal->changes.count)
    return "the changes above";
  return proposal->changes.count == 1 ? "this change" : "these changes";
}

static void print_proposal(FILE *out, const RepairReport *report) {
  const Proposal *proposal = report->proposal;
  for (size_t i = 0; i < proposal->changes.count; i++) {
    const Candidate *change = &proposal->changes.at[i];
    print_place(out, report, change->file, change->at);
    fprintf(out, ": %s\n", change->what);
  }
  print_diff(out, report);
  if (proposal->is_found)
    fprintf(out,
            "repair: with %s kernel '%s' is verified (%u tried, %.2f s)%s\n",
            counted_changes(proposal), report->kernel, proposal->tried,
            report->seconds, report->is_applied ? "; the file is changed" : "");
  else
    fprintf(out, "repair: none for kernel '%s': %s (%u tried, %.2f s)\n",
            report->kernel, proposal->reason, proposal->tried, report->seconds);
}

// --------------------------------------------------------------- barriers ---

static void print_redundancy(FILE *out, const RepairReport *report) {
  const Redundancy *found = report->redundancy;
  size_t redundant = 0, left_out = 0;
  for (size_t i = 0; i < found->barriers.count; i++) {
    const Needed *one = &found->barriers.at[i];
    redundant += one->is_redundant;
    left_out += one->is_left_out;
    if (!one->is_redundant)
      continue;
    print_place(out, report, report->places->nests.at[one->action->nest].file,
                one->action->begin);
    fprintf(out,
            ": redundant barrier '%s': without it '%s' is still verified\n",
            one->action->name, report->kernel);
  }
  print_diff(out, report);
  fprintf(out,
          "redundant: %zu of the %zu barriers of kernel '%s', %zu of them "
          "together (%.2f s)%s%s\n",
          redundant, found->barriers.count, report->kernel, left_out,
          report->seconds,
          found->is_over ? "; the time is used up (see --repair-timeout), and "
                           "nothing is known of the rest"
                         : "",
          report->is_applied ? "; the file is changed" : "");
}

void report_repair_text(FILE *out, const RepairReport *report) {
  if (report->redundancy)
    print_redundancy(out, report);
  else if (report->proposal)
    print_proposal(out, report);
}
