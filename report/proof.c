// What a person reads at midnight.
//
// First where and what, in the form editors jump to; then the two threads,
// what each of them does, what would have had to order them, and the inputs
// under which it happens; last the verdict.  A proof is shorter: what was
// proved, for which launches, and what was assumed.

#include "report/report.h"

#include <string.h>

typedef struct Printer {
  FILE *out;
  const ReportStyle *style;
  const KernelReport *report;
  bool is_opencl;
} Printer;

static void print_place(const Printer *printer, Loc loc) {
  report_place(printer->out, loc, printer->report->file);
}

// --------------------------------------------------------------- threads ---

static void print_thread(const Printer *printer, const Witness *witness,
                         unsigned which) {
  fputs(printer->is_opencl ? "work-item " : "thread ", printer->out);
  report_triple(printer->out, witness->thread[which]);
  fputs(printer->is_opencl ? " in work-group " : " in block ", printer->out);
  report_triple(printer->out, witness->block[which]);
}

const char *report_tolerated(const Tolerated *pair) {
  return strcmp(pair->assumption, "benign-writes") ? "access"
                                                   : "write the same to";
}

const char *report_verb(const Access *access) {
  switch (access->kind) {
  case ACCESS_READ:
    return "reads";
  case ACCESS_WRITE:
    return "writes";
  case ACCESS_ATOMIC:
    return access->is_load ? "reads atomically" : "updates atomically";
  }
  return "";
}

// cell[3] (bytes 12..15), in elements as far as they are known.
static void print_element(const Printer *printer, const Access *access,
                          uint64_t offset, uint64_t bytes) {
  FILE *out = printer->out;
  unsigned element = access->array->element;
  fputs(accessed_name(access), out);
  if (element && offset % element == 0)
    fprintf(out, "[%lld]", (long long)offset / (long long)element);
  if (bytes <= 1)
    fprintf(out, " (byte %lld)", (long long)offset);
  else
    fprintf(out, " (bytes %lld..%lld)", (long long)offset,
            (long long)(offset + bytes - 1));
}

static void print_access(const Printer *printer, const Problem *problem,
                         unsigned which, const Stmt *stmt) {
  const Witness *witness = &problem->witness;
  fputs("  ", printer->out);
  print_thread(printer, witness, which);
  fprintf(printer->out, " %s ", report_verb(&stmt->access));
  print_element(printer, &stmt->access, witness->offset[which],
                witness->bytes[which]);
  fputs(", ", printer->out);
  print_place(printer, stmt->loc);
  fputc('\n', printer->out);
}

static void print_race(const Printer *printer, const Problem *problem) {
  const Obligation *obligation = problem->obligation;
  const Stmt *stmts[2] = {obligation->first, obligation->second};
  unsigned later = report_is_same_place(stmts[1]->loc, problem->where) ? 1 : 0;
  print_access(printer, problem, later, stmts[later]);
  print_access(printer, problem, !later, stmts[!later]);
  if (!report_is_same_place(stmts[0]->loc, stmts[1]->loc))
    report_quote(printer->out, stmts[!later]->loc, "    ");
  if (!obligation->same_block) {
    fprintf(printer->out, "  no barrier orders two %s\n",
            printer->is_opencl ? "work-groups" : "blocks");
  } else if (obligation->barrier) {
    fputs("  no barrier between them; the last one before is at ",
          printer->out);
    print_place(printer, obligation->barrier->loc);
    fputc('\n', printer->out);
  } else {
    fputs("  no barrier between the start of the kernel and them\n",
          printer->out);
  }
}

// One thread alone: it is at odds with itself.
static void print_parted(const Printer *printer, const Witness *witness) {
  bool is_one =
      !memcmp(witness->thread[0], witness->thread[1],
              sizeof witness->thread[0]) &&
      !memcmp(witness->block[0], witness->block[1], sizeof witness->block[0]);
  fputs(is_one ? "  for " : "  ", printer->out);
  print_thread(printer, witness, 0);
  if (!is_one) {
    fputs(" and ", printer->out);
    print_thread(printer, witness, 1);
    fputs(" do not agree", printer->out);
  }
  fputc('\n', printer->out);
}

static void print_threads(const Printer *printer, const Problem *problem) {
  const Obligation *obligation = problem->obligation;
  switch (obligation->kind) {
  case OBLIGATION_RACE:
    print_race(printer, problem);
    break;
  case OBLIGATION_BOUNDS:
    print_access(printer, problem, 0, obligation->first);
    break;
  case OBLIGATION_DIVERGENCE:
    print_parted(printer, &problem->witness);
    break;
  case OBLIGATION_ASSERTION:
  case OBLIGATION_INVARIANT:
  case OBLIGATION_CANDIDATE:
    fputs("  for ", printer->out);
    print_thread(printer, &problem->witness, 0);
    fputc('\n', printer->out);
    break;
  }
}

// ---------------------------------------------------------------- inputs ---

static const char *block_name(const Printer *printer) {
  return printer->is_opencl ? "local_size" : "blockDim";
}

static const char *grid_name(const Printer *printer) {
  return printer->is_opencl ? "num_groups" : "gridDim";
}

static void print_inputs(const Printer *printer, const Witness *witness) {
  FILE *out = printer->out;
  fprintf(out, "  when %s = ", block_name(printer));
  report_triple(out, witness->block_size);
  fprintf(out, ", %s = ", grid_name(printer));
  report_triple(out, witness->grid_size);
  for (size_t i = 0; i < witness->arguments.count; i++)
    fprintf(out, ", %s = %llu", witness->arguments.at[i].name,
            (unsigned long long)witness->arguments.at[i].value);
  fputc('\n', out);
  if (!witness->others.count)
    return;
  fputs("  and", out);
  for (size_t i = 0; i < witness->others.count; i++)
    fprintf(out, "%s %s = %llu", i ? "," : "", witness->others.at[i].name,
            (unsigned long long)witness->others.at[i].value);
  fputc('\n', out);
}

static void print_problem(const Printer *printer, const Problem *problem) {
  print_place(printer, problem->where);
  fprintf(printer->out, ": %s\n", problem->sentence);
  report_quote(printer->out, problem->where, "    ");
  if (problem->has_witness) {
    print_threads(printer, problem);
    print_inputs(printer, &problem->witness);
  }
  if (problem->replay)
    fprintf(printer->out, "  %s\n", problem->replay);
  if (problem->caveat)
    fprintf(printer->out, "  note: %s\n", problem->caveat);
}

// --------------------------------------------------------------- verdict ---

static bool is_free(const Extent extents[3]) {
  return !extents[0].known && !extents[1].known && !extents[2].known;
}

static void print_extents(FILE *out, const Extent extents[3]) {
  for (unsigned axis = 0; axis < 3; axis++) {
    fputc(axis ? ',' : '(', out);
    if (extents[axis].known)
      fprintf(out, "%u", extents[axis].value);
    else
      fputc('*', out);
  }
  fputc(')', out);
}

// What the verdict holds for.
static void print_launch(const Printer *printer) {
  const KernelReport *report = printer->report;
  const Launch *launch = report->launch;
  FILE *out = printer->out;
  if (report->is_joined)
    fprintf(out, "  for all %u launches in this file at once\n",
            report->launches);
  else if (report->launches > 1)
    fprintf(out, "  for each of the %u launches in this file\n",
            report->launches);
  if (report->launches > 1)
    return;
  if (is_free(launch->block) && is_free(launch->grid)) {
    fputs("  for every launch\n", out);
    return;
  }
  fprintf(out, "  for %s = ", block_name(printer));
  print_extents(out, launch->block);
  fprintf(out, ", %s = ", grid_name(printer));
  print_extents(out, launch->grid);
  if (report->launches && launch->where.line) {
    fputs(", as launched at ", out);
    print_place(printer, launch->where);
  }
  fputc('\n', out);
}

static void print_assumptions(const Printer *printer) {
  const Verdict *verdict = printer->report->verdict;
  if (!verdict->assumptions.count)
    return;
  fputs("  assuming", printer->out);
  for (size_t i = 0; i < verdict->assumptions.count; i++)
    fprintf(printer->out, "%s %s", i ? "," : "", verdict->assumptions.at[i]);
  fputc('\n', printer->out);
}

static void print_tolerated(const Printer *printer) {
  const Verdict *verdict = printer->report->verdict;
  for (size_t i = 0; i < verdict->tolerated.count; i++) {
    const Tolerated *pair = &verdict->tolerated.at[i];
    fprintf(printer->out, "  %s: threads may %s '%s' at once, ",
            pair->assumption, report_tolerated(pair), pair->array);
    print_place(printer, pair->where);
    if (!report_is_same_place(pair->where, pair->other)) {
      fputs(" and ", printer->out);
      print_place(printer, pair->other);
    }
    fputc('\n', printer->out);
  }
}

static bool is_accessed(const Kernel *kernel, const Array *array) {
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->kind == STMT_ACCESS &&
        kernel->stmts.at[i]->access.array == array)
      return true;
  return false;
}

// What --check-array-bounds could not look for.
static void print_unchecked(const Printer *printer) {
  const Kernel *kernel = printer->report->kernel;
  const char *comma =
      "  in-bounds: of unknown size, so ends were not checked "
      "(see --kernel-arrays): ";
  if (!printer->style->options->check_array_bounds || !kernel)
    return;
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    const Array *array = kernel->arrays.at[i];
    if (array->bytes || !is_accessed(kernel, array))
      continue;
    fprintf(printer->out, "%s'%s'", comma, array->name);
    comma = ", ";
  }
  if (*comma == ',')
    fputc('\n', printer->out);
}

static void print_proof(const Printer *printer) {
  const Options *options = printer->style->options;
  const KernelReport *report = printer->report;
  fprintf(printer->out, "%s: kernel '%s': ", report->file, report->source);
  fputs(options->only_divergence ? "no barrier divergence\n"
        : options->only_intra_group
            ? "no data races within a block, no barrier "
              "divergence\n"
            : "no data races, no barrier divergence\n",
        printer->out);
  print_launch(printer);
  print_assumptions(printer);
  print_tolerated(printer);
  print_unchecked(printer);
}

static void print_reason(const Printer *printer, const char *what) {
  const KernelReport *report = printer->report;
  Loc where = report->verdict->where;
  print_place(printer, where.line ? where : report->loc);
  fprintf(printer->out, ": %s: %s\n", what,
          report->verdict->reason ? report->verdict->reason
                                  : "no reason given");
  if (where.line)
    report_quote(printer->out, where, "    ");
}

static void print_body(const Printer *printer) {
  const Verdict *verdict = printer->report->verdict;
  for (size_t i = 0; i < verdict->problems.count; i++)
    print_problem(printer, &verdict->problems.at[i]);
  switch (verdict->kind) {
  case VERDICT_VERIFIED:
    print_proof(printer);
    break;
  case VERDICT_RACY:
  case VERDICT_DIVERGENT:
  case VERDICT_DEADLOCK:
  case VERDICT_ASSERTION:
  case VERDICT_OUT_OF_BOUNDS:
    if (printer->style->verbose)
      print_assumptions(printer);
    break;
  case VERDICT_ONE_BLOCK:
  case VERDICT_UNKNOWN:
    print_reason(printer, "not decided");
    break;
  case VERDICT_VACUOUS:
    print_reason(printer, "the assumptions contradict each other");
    break;
  case VERDICT_ERROR:
    print_reason(printer, "wrong use");
    break;
  }
}

static void print_verdict(const Printer *printer) {
  const Verdict *verdict = printer->report->verdict;
  FILE *out = printer->out;
  fprintf(out, "verdict: %s (%skernel '%s', %u obligation%s",
          verdict_name(verdict->kind),
          verdict_group(verdict->kind) != GROUP_BUG ? ""
          : verdict_is_confirmed(verdict)           ? "confirmed, "
                                                    : "possible, ",
          printer->report->source, verdict->obligations,
          verdict->obligations == 1 ? "" : "s");
  if (verdict->failed)
    fprintf(out, ", %u failed", verdict->failed);
  if (verdict->undecided)
    fprintf(out, ", %u undecided", verdict->undecided);
  fprintf(out, ", %.2f s)\n", verdict->seconds);
}

void report_text(FILE *out, const ReportStyle *style,
                 const KernelReport *report) {
  Printer printer = {.out = out, .style = style, .report = report};
  if (report->barriers) {
    report_barriers_text(out, style, report->barriers);
    return;
  }
  if (report->kernel)
    printer.is_opencl = report->kernel->is_opencl;
  if (style->quiet && report->verdict->kind == VERDICT_VERIFIED)
    return;
  print_body(&printer);
  print_verdict(&printer);
}
