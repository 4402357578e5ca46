// From what the proof found out about a kernel to a diagnosis.

#include "report/json.h"
#include "report/tell.h"

#include <inttypes.h>
#include <string.h>

// CUDA and OpenCL name the same things differently, in formulas and in prose.
typedef struct Words {
  const char *thread, *block, *blocks;
  const char *block_size, *grid_size;       // n = 7, blockDim = ..
  const char *size_of_block, *size_of_grid; // .., local size (64,1,1)
} Words;

typedef struct Teller {
  Arena *arena;
  const ReportStyle *style;
  const KernelReport *report;
  const Verdict *verdict;
  const Words *words;
  Diagnosis *diagnosis;
} Teller;

static const Words *words_of(const KernelReport *report) {
  static const Words cuda = {"thread",  "block",    "blocks", "blockDim",
                             "gridDim", "blockDim", "gridDim"};
  static const Words opencl = {"work-item",       "work-group", "work-groups",
                               "local_size",      "num_groups", "local size",
                               "number of groups"};
  return report->kernel && report->kernel->is_opencl ? &opencl : &cuda;
}

static const char *place(const Teller *teller, Loc loc) {
  return tell_place(teller->arena, loc, teller->report->file);
}

static bool is_place(Loc a, Loc b) {
  return report_is_same_place(a, b) &&
         (a.file == b.file || (a.file && b.file && !strcmp(a.file, b.file)));
}

static const char *kernel_text(const Teller *teller) {
  const KernelReport *report = teller->report;
  return arena_printf(teller->arena, "kernel '%s'",
                      report->source ? report->source : report->name);
}

// --------------------------------------------------------------- threads ---

// "thread (1,0,0) in block (0,0,0)"
static const char *who(const Teller *teller, const Witness *witness,
                       unsigned which) {
  return arena_printf(teller->arena, "%s %s in %s %s", teller->words->thread,
                      tell_ids(teller->arena, witness->thread[which]),
                      teller->words->block,
                      tell_ids(teller->arena, witness->block[which]));
}

static const char *verb(const Access *access) {
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

// "cell[3] (bytes 12..15)", in elements as far as they are known.
static const char *cell_with_bytes(const Teller *teller, const Access *access,
                                   uint64_t offset, uint64_t bytes) {
  Arena *arena = teller->arena;
  unsigned element = access->array->element;
  const char *name = accessed_name(access);
  if (element && offset % element == 0)
    name = arena_printf(arena, "%s[%lld]", name,
                        (long long)offset / (long long)element);
  if (bytes <= 1)
    return arena_printf(arena, "%s (byte %lld)", name, (long long)offset);
  return arena_printf(arena, "%s (bytes %lld..%lld)", name, (long long)offset,
                      (long long)(offset + bytes - 1));
}

// "cell[3]", with its bytes where they are not those of one element.
static const char *cell(const Teller *teller, const Access *access,
                        uint64_t offset, uint64_t bytes) {
  Arena *arena = teller->arena;
  unsigned element = access->array->element;
  const char *name = access->array->name ? accessed_name(access) : "memory";
  if (!element || offset % element)
    return arena_printf(arena, "%s, byte %llu, %llu long", name,
                        (unsigned long long)offset, (unsigned long long)bytes);
  const char *text = arena_printf(arena, "%s[%llu]", name,
                                  (unsigned long long)(offset / element));
  return bytes == element ? text
                          : arena_printf(arena, "%s (%llu bytes)", text,
                                         (unsigned long long)bytes);
}

static const char *access_line(const Teller *teller, const Problem *problem,
                               unsigned which, const Stmt *stmt) {
  const Witness *witness = &problem->witness;
  const char *bytes = cell_with_bytes(
      teller, &stmt->access, witness->offset[which], witness->bytes[which]);
  return arena_printf(teller->arena, "%s %s %s, %s",
                      who(teller, witness, which), verb(&stmt->access), bytes,
                      place(teller, stmt->loc));
}

static const char *access_there(const Teller *teller, const Problem *problem,
                                unsigned which, const Stmt *stmt) {
  const Witness *witness = &problem->witness;
  return arena_printf(teller->arena, "%s %s %s", who(teller, witness, which),
                      verb(&stmt->access),
                      cell(teller, &stmt->access, witness->offset[which],
                           witness->bytes[which]));
}

// ----------------------------------------------------------------- races ---

static const Stmt *access_of(const Problem *problem, unsigned which) {
  return which ? problem->obligation->second : problem->obligation->first;
}

// Which of the two accesses the problem is reported at.
static unsigned later_access(const Problem *problem) {
  return is_place(access_of(problem, 1)->loc, problem->where) ? 1 : 0;
}

static const char *no_barrier(const Teller *teller, const Problem *problem) {
  const Obligation *obligation = problem->obligation;
  if (!obligation->same_block)
    return arena_printf(teller->arena, "no barrier orders two %s",
                        teller->words->blocks);
  if (!obligation->barrier)
    return "no barrier between the start of the kernel and them";
  return arena_printf(teller->arena,
                      "no barrier between them; the last one before is at %s",
                      place(teller, obligation->barrier->loc));
}

static void tell_other(const Teller *teller, Remark *remark,
                       const Problem *problem, unsigned other) {
  static const char here[] = "other access is here";
  const Stmt *stmt = access_of(problem, other);
  Note note = {.there = here, .where = stmt->loc};
  if (problem->has_witness) {
    note.line = access_line(teller, problem, other, stmt);
    note.there = arena_printf(teller->arena, "%s: %s", here,
                              access_there(teller, problem, other, stmt));
    note.is_quoted =
        !report_is_same_place(stmt->loc, access_of(problem, !other)->loc);
  }
  note_add(teller->arena, remark, note);
}

static void tell_barrier(const Teller *teller, Remark *remark,
                         const Problem *problem) {
  const Stmt *barrier = problem->obligation->barrier;
  Note note = {.where = barrier ? barrier->loc : (Loc){0}};
  if (problem->has_witness)
    note.line = no_barrier(teller, problem);
  if (barrier)
    note.there = "the last barrier before both accesses is here";
  note_add(teller->arena, remark, note);
}

static void tell_race(const Teller *teller, Remark *remark,
                      const Problem *problem) {
  unsigned later = later_access(problem);
  const Stmt *stmt = access_of(problem, later);
  if (problem->has_witness)
    note_line(teller->arena, remark, access_line(teller, problem, later, stmt));
  tell_other(teller, remark, problem, !later);
  tell_barrier(teller, remark, problem);
}

// -------------------------------------------------------- other problems ---

// One thread alone is at odds with itself.
static bool is_one_thread(const Witness *witness) {
  return !memcmp(witness->thread[0], witness->thread[1],
                 sizeof witness->thread[0]) &&
         !memcmp(witness->block[0], witness->block[1],
                 sizeof witness->block[0]);
}

static const char *for_thread(const Teller *teller, const Witness *witness) {
  return arena_printf(teller->arena, "for %s", who(teller, witness, 0));
}

static const char *parted(const Teller *teller, const Witness *witness) {
  if (is_one_thread(witness))
    return for_thread(teller, witness);
  return arena_printf(teller->arena, "%s and %s do not agree",
                      who(teller, witness, 0), who(teller, witness, 1));
}

static void tell_threads(const Teller *teller, Remark *remark,
                         const Problem *problem) {
  Arena *arena = teller->arena;
  const Obligation *obligation = problem->obligation;
  const Witness *witness = &problem->witness;
  switch (obligation->kind) {
  case OBLIGATION_RACE:
    tell_race(teller, remark, problem);
    break;
  case OBLIGATION_BOUNDS:
    if (problem->has_witness)
      note_line(arena, remark,
                access_line(teller, problem, 0, obligation->first));
    break;
  case OBLIGATION_DIVERGENCE:
    if (problem->has_witness)
      note_line(arena, remark, parted(teller, witness));
    break;
  case OBLIGATION_ASSERTION:
  case OBLIGATION_INVARIANT:
  case OBLIGATION_CANDIDATE:
    if (problem->has_witness)
      note_line(arena, remark, for_thread(teller, witness));
    break;
  }
}

// Who is seen at the place of the problem.
static const char *who_is_there(const Teller *teller, const Problem *problem) {
  const Witness *witness = &problem->witness;
  unsigned later;
  switch (problem->obligation->kind) {
  case OBLIGATION_RACE:
    later = later_access(problem);
    return access_there(teller, problem, later, access_of(problem, later));
  case OBLIGATION_DIVERGENCE:
    return arena_printf(teller->arena, "%s and %s", who(teller, witness, 0),
                        who(teller, witness, 1));
  case OBLIGATION_BOUNDS:
  case OBLIGATION_ASSERTION:
  case OBLIGATION_INVARIANT:
  case OBLIGATION_CANDIDATE:
    break;
  }
  return who(teller, witness, 0);
}

// ---------------------------------------------------------------- inputs ---

// As it is declared: "n = -1".
static const char *value_text(const Teller *teller, const Value *value) {
  uint64_t sign = UINT64_C(1) << (value->width - 1);
  if (!value->is_signed || !(value->value & sign))
    return arena_printf(teller->arena, "%s = %" PRIu64, value->name,
                        value->value);
  return arena_printf(teller->arena, "%s = %" PRId64, value->name,
                      (int64_t)((value->value ^ sign) - sign));
}

// Signed where that is how people write it: "n = 4294967295 (-1)".
static const char *signed_text(const Teller *teller, const Value *value) {
  uint64_t half = value->width < 64 ? UINT64_C(1) << (value->width - 1) : 0;
  if (half <= 1 || value->value < half || value->is_signed)
    return value_text(teller, value);
  return arena_printf(teller->arena, "%s = %" PRIu64 " (-%" PRIu64 ")",
                      value->name, value->value, 2 * half - value->value);
}

static const char *in_kernel(const Teller *teller, const Witness *witness) {
  Arena *arena = teller->arena;
  const char *text = arena_printf(
      arena, "in %s, %s %s, %s %s", kernel_text(teller),
      teller->words->size_of_block, tell_ids(arena, witness->block_size),
      teller->words->size_of_grid, tell_ids(arena, witness->grid_size));
  for (size_t i = 0; i < witness->arguments.count; i++)
    text = arena_printf(arena, "%s, %s", text,
                        signed_text(teller, &witness->arguments.at[i]));
  for (size_t i = 0; i < witness->others.count; i++)
    text = arena_printf(arena, "%s, %s", text,
                        signed_text(teller, &witness->others.at[i]));
  return text;
}

static const char *inputs(const Teller *teller, const Witness *witness) {
  Arena *arena = teller->arena;
  const char *text = arena_printf(
      arena, "when %s = %s, %s = %s", teller->words->block_size,
      tell_ids(arena, witness->block_size), teller->words->grid_size,
      tell_ids(arena, witness->grid_size));
  for (size_t i = 0; i < witness->arguments.count; i++)
    text = arena_printf(arena, "%s, %s", text,
                        value_text(teller, &witness->arguments.at[i]));
  return text;
}

// The numbers that a reader may give, negative ones as such.
static const char *breaking_inputs(const Teller *teller,
                                   const Witness *witness) {
  Arena *arena = teller->arena;
  const char *text = arena_printf(
      arena, "when %s = %s, %s = %s", teller->words->block_size,
      tell_ids(arena, witness->block_size), teller->words->grid_size,
      tell_ids(arena, witness->grid_size));
  for (size_t i = 0; i < witness->arguments.count; i++)
    text = arena_printf(arena, "%s, %s", text,
                        signed_text(teller, &witness->arguments.at[i]));
  return text;
}

static void tell_others(const Teller *teller, Remark *remark,
                        const Witness *witness) {
  const char *text = "and";
  for (size_t i = 0; i < witness->others.count; i++)
    text = arena_printf(teller->arena, "%s%s %s = %llu", text, i ? "," : "",
                        witness->others.at[i].name,
                        (unsigned long long)witness->others.at[i].value);
  if (witness->others.count)
    note_line(teller->arena, remark, text);
}

static void tell_inputs(const Teller *teller, Remark *remark,
                        const Problem *problem) {
  const Witness *witness = &problem->witness;
  Note note = {.where = teller->report->loc};
  if (!problem->has_witness) {
    note.there = arena_printf(teller->arena, "in %s", kernel_text(teller));
    note_add(teller->arena, remark, note);
    return;
  }
  note.line = inputs(teller, witness);
  note.there = in_kernel(teller, witness);
  note_add(teller->arena, remark, note);
  tell_others(teller, remark, witness);
}

static void tell_problem(const Teller *teller, const Problem *problem) {
  Arena *arena = teller->arena;
  Remark *remark = remark_add(arena, teller->diagnosis,
                              (Remark){.level = LEVEL_WARNING,
                                       .kind = verdict_name(problem->kind),
                                       .where = problem->where,
                                       .is_quoted = true,
                                       .sentence = problem->sentence,
                                       .there = problem->sentence,
                                       .is_confirmed = problem->is_confirmed,
                                       .replay = problem->replay});
  if (problem->has_witness)
    remark->there = arena_printf(arena, "%s: %s", problem->sentence,
                                 who_is_there(teller, problem));
  tell_threads(teller, remark, problem);
  tell_inputs(teller, remark, problem);
  if (problem->replay)
    note_line(arena, remark, problem->replay);
  if (problem->caveat)
    note_add(arena, remark,
             (Note){.line = arena_printf(arena, "note: %s", problem->caveat),
                    .there = problem->caveat});
}

// ----------------------------------------------------------------- proof ---

static bool is_free(const Extent extents[3]) {
  return !extents[0].known && !extents[1].known && !extents[2].known;
}

// "(64,1,*)"
static const char *extents_text(const Teller *teller, const Extent at[3]) {
  const char *text = "";
  for (unsigned axis = 0; axis < 3; axis++)
    text = at[axis].known
               ? arena_printf(teller->arena, "%s%c%u", text, axis ? ',' : '(',
                              at[axis].value)
               : arena_printf(teller->arena, "%s%c*", text, axis ? ',' : '(');
  return arena_printf(teller->arena, "%s)", text);
}

// What is so if the files are the whole program is said where a proof rests on
// that.
static bool is_told(const Teller *teller, const HostFact *fact) {
  const Verdict *verdict = teller->verdict;
  const char *name = premise_name(PREMISE_WHOLE_PROGRAM);
  bool rests = false;
  for (size_t i = 0; i < verdict->assumptions.count; i++)
    rests |= !strcmp(verdict->assumptions.at[i], name);
  return !fact->is_of_program || rests;
}

static bool has_facts(const Teller *teller, const Launch *launch) {
  for (size_t i = 0; i < launch->facts.count; i++)
    if (is_told(teller, &launch->facts.at[i]))
      return true;
  return false;
}

// What the verdict holds for.
static const char *launch_line(const Teller *teller) {
  const KernelReport *report = teller->report;
  const Launch *launch = report->launch;
  const char *where = report->elsewhere ? "the files given" : "this file";
  if (report->is_joined)
    return arena_printf(teller->arena, "for all %u launches in %s at once",
                        report->launches, where);
  if (report->launches > 1)
    return arena_printf(teller->arena, "for each of the %u launches in %s",
                        report->launches, where);
  if (is_free(launch->block) && is_free(launch->grid) &&
      !has_facts(teller, launch))
    return "for every launch";
  const char *text = arena_printf(
      teller->arena, "for %s = %s, %s = %s", teller->words->block_size,
      extents_text(teller, launch->block), teller->words->grid_size,
      extents_text(teller, launch->grid));
  if (!report->launches || !launch->where.line)
    return text;
  return arena_printf(teller->arena, "%s, as launched at %s", text,
                      place(teller, launch->where));
}

// "for blockDim (64,1,1)", of all that is given.
static const char *launch_there(const Teller *teller) {
  const KernelReport *report = teller->report;
  const Launch *launch = report->launch;
  const struct {
    const char *name;
    const Extent *extents;
  } given[] = {{teller->words->size_of_block, launch ? launch->block : NULL},
               {teller->words->size_of_grid, launch ? launch->grid : NULL},
               {"global size", launch ? launch->global : NULL}};
  if (report->launches > 1)
    return arena_printf(teller->arena, "for %u launches", report->launches);
  const char *text = NULL;
  for (size_t i = 0; launch && i < sizeof given / sizeof *given; i++)
    if (!is_free(given[i].extents))
      text =
          arena_printf(teller->arena, "%s %s %s",
                       text ? arena_printf(teller->arena, "%s,", text) : "for",
                       given[i].name, extents_text(teller, given[i].extents));
  return text ? text : "for all launch sizes";
}

// The same may be said of host variables that go by one name.
static bool is_told_before(const HostFacts *facts, size_t which) {
  const HostFact *fact = &facts->at[which];
  for (size_t i = 0; i < which; i++)
    if (fact->is_of_program && !strcmp(facts->at[i].text, fact->text))
      return true;
  return false;
}

// What the sizes and arguments of the only launch have to do with each other.
static void tell_facts(const Teller *teller, Remark *remark) {
  const KernelReport *report = teller->report;
  const HostFacts *facts = report->launch ? &report->launch->facts : NULL;
  for (size_t i = 0; report->launches == 1 && i < facts->count; i++)
    if (is_told(teller, &facts->at[i]) && !is_told_before(facts, i))
      note_line(teller->arena, remark,
                arena_printf(teller->arena, "where %s, %s", facts->at[i].text,
                             place(teller, facts->at[i].where)));
}

static void tell_assumptions(const Teller *teller, Remark *remark) {
  const Verdict *verdict = teller->verdict;
  const char *text = "assuming";
  for (size_t i = 0; i < verdict->assumptions.count; i++)
    text = arena_printf(teller->arena, "%s%s %s", text, i ? "," : "",
                        verdict->assumptions.at[i]);
  bool is_proof = verdict_group(verdict->kind) == GROUP_PROVED;
  if (verdict->assumptions.count)
    note_add(teller->arena, remark,
             (Note){.line = text,
                    .there = teller->style->verbose && is_proof ? text : NULL,
                    .where = teller->report->loc});
}

// "without sizes-fit: possible read-write race on 'a' at x.cu:12:3"
static void tell_breach(const Teller *teller, Remark *remark,
                        const Breach *breach) {
  Arena *arena = teller->arena;
  if (!breach->sentence) {
    note_add(arena, remark,
             (Note){.line = arena_printf(arena, "not decided without %s",
                                         breach->assumption),
                    .there = arena_printf(arena, "not decided without %s",
                                          breach->assumption),
                    .where = breach->where});
    return;
  }
  const char *what = arena_printf(arena, "without %s: %s", breach->assumption,
                                  breach->sentence);
  const char *when = breaking_inputs(teller, &breach->witness);
  note_line(arena, remark,
            arena_printf(arena, "%s, %s", what, place(teller, breach->where)));
  note_add(arena, remark,
           (Note){.line = arena_printf(arena, "  %s", when),
                  .there = arena_printf(arena, "%s %s", what, when),
                  .where = breach->where});
}

static bool is_premise(const char *name) {
  PremiseKind kind;
  return premise_find(name, strlen(name), &kind);
}

// Of assumptions that have to do with what a program does: always said.
static const char *premises_text(const Teller *teller) {
  const char *text = "";
  for (size_t i = 0; i < teller->verdict->assumptions.count; i++) {
    const char *name = teller->verdict->assumptions.at[i];
    if (is_premise(name))
      text = arena_printf(teller->arena, "%s%s %s", text,
                          *text ? "," : ", assuming", name);
  }
  return text;
}

static const char *part_text(const Teller *teller, const Part *part) {
  return part->name ? arena_printf(teller->arena, "'%s'", part->name)
                    : place(teller, part->where);
}

static const char *parts_text(const Teller *teller, VerdictKind kind) {
  const Verdict *verdict = teller->verdict;
  const char *text = NULL;
  for (size_t i = 0; i < verdict->parts.count; i++)
    if (verdict->parts.at[i].kind == kind)
      text = arena_printf(teller->arena, "%s%s%s", text ? text : "",
                          text ? ", " : "",
                          part_text(teller, &verdict->parts.at[i]));
  return text;
}

// Beside the problems.
static void tell_parts(const Teller *teller, Remark *remark) {
  Arena *arena = teller->arena;
  const char *proved = parts_text(teller, VERDICT_VERIFIED);
  const char *undecided = parts_text(teller, VERDICT_UNKNOWN);
  if (proved)
    note_line(
        arena, remark,
        arena_printf(arena, "verified: %s%s", proved, premises_text(teller)));
  if (undecided)
    note_line(arena, remark, arena_printf(arena, "not decided: %s", undecided));
}

static void note_tolerated(const Teller *teller, Remark *remark,
                           const Tolerated *pair) {
  Arena *arena = teller->arena;
  const char *sentence = tell_tolerated(arena, pair);
  const char *places = place(teller, pair->where);
  if (!report_is_same_place(pair->where, pair->other))
    places =
        arena_printf(arena, "%s and %s", places, place(teller, pair->other));
  note_add(arena, remark,
           (Note){.line = arena_printf(arena, "%s: %s, %s", pair->assumption,
                                       sentence, places),
                  .there = arena_printf(arena, "assuming %s: %s",
                                        pair->assumption, sentence),
                  .where = pair->where});
}

static const char *who_suppresses(const Teller *teller,
                                  const Suppression *suppression) {
  return arena_printf(teller->arena, "%s (%s)", suppression->reason,
                      place(teller, suppression->where));
}

// "suppressed: race on 'a', k.cu:7:3 and k.cu:9:3: all write 1 (k.cu:6:1)"
static void tell_excuse(const Teller *teller, Remark *remark,
                        const Excuse *excuse) {
  Arena *arena = teller->arena;
  const char *places = place(teller, excuse->where);
  const char *what = arena_printf(arena, "suppressed: %s", excuse->sentence);
  const char *why = who_suppresses(teller, excuse->by);
  if (excuse->other.line && !report_is_same_place(excuse->where, excuse->other))
    places =
        arena_printf(arena, "%s and %s", places, place(teller, excuse->other));
  note_add(arena, remark,
           (Note){.line = arena_printf(arena, "%s, %s: %s", what, places, why),
                  .there = arena_printf(arena, "%s: %s", what, why),
                  .where = excuse->where});
}

static bool is_accessed(const Kernel *kernel, const Array *array) {
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->kind == STMT_ACCESS &&
        kernel->stmts.at[i]->access.array == array)
      return true;
  return false;
}

// What --check-array-bounds could not look for.
static void tell_unchecked(const Teller *teller, Remark *remark) {
  const Kernel *kernel = teller->report->kernel;
  const char *text = NULL;
  if (!teller->style->options->check_array_bounds || !kernel)
    return;
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    const Array *array = kernel->arrays.at[i];
    if (array->bytes || !is_accessed(kernel, array))
      continue;
    text = text ? arena_printf(teller->arena, "%s, '%s'", text, array->name)
                : arena_printf(teller->arena,
                               "in-bounds: of unknown size, so ends were not "
                               "checked (see --kernel-arrays): '%s'",
                               array->name);
  }
  if (text)
    note_line(teller->arena, remark, text);
}

static const char *but_for(const Teller *teller) {
  unsigned count = (unsigned)teller->verdict->excuses.count;
  return count ? arena_printf(teller->arena, ", but for %u that %s suppressed",
                              count, count == 1 ? "is" : "are")
               : "";
}

static void tell_proof(const Teller *teller) {
  Arena *arena = teller->arena;
  const Options *options = teller->style->options;
  const KernelReport *report = teller->report;
  const char *what = options->only_divergence ? "no barrier divergence"
                     : options->only_log
                         ? "no barrier divergence, no failing assertion; races "
                           "were not looked for"
                     : options->check_arrays
                         ? arena_printf(arena,
                                        "no data races on %s, no barrier "
                                        "divergence",
                                        options->check_arrays)
                     : options->only_intra_group
                         ? "no data races within a block, no barrier divergence"
                         : "no data races, no barrier divergence";
  const char *shortly = options->only_divergence || options->only_log
                            ? "no barrier divergence"
                            : "no data race, no barrier divergence";
  Remark *remark = remark_add(
      arena, teller->diagnosis,
      (Remark){.level = LEVEL_REMARK,
               .kind = verdict_name(teller->verdict->kind),
               .where = report->loc,
               .naming = NAMES_FILE,
               .sentence = arena_printf(arena, "kernel '%s': %s%s",
                                        report->source, what, but_for(teller)),
               .there =
                   arena_printf(arena, "%s is verified: %s%s %s%s",
                                kernel_text(teller), shortly, but_for(teller),
                                launch_there(teller), premises_text(teller))});
  note_line(arena, remark, launch_line(teller));
  tell_facts(teller, remark);
  tell_assumptions(teller, remark);
  for (size_t i = 0; i < teller->verdict->breaches.count; i++)
    tell_breach(teller, remark, &teller->verdict->breaches.at[i]);
  for (size_t i = 0; i < teller->verdict->tolerated.count; i++)
    note_tolerated(teller, remark, &teller->verdict->tolerated.at[i]);
  for (size_t i = 0; i < teller->verdict->excuses.count; i++)
    tell_excuse(teller, remark, &teller->verdict->excuses.at[i]);
  tell_unchecked(teller, remark);
}

// -------------------------------------------------------------- accepted ---

// Of an answer that is no proof, and that the user knows: no alarm.
static void accept(Arena *arena, Diagnosis *diagnosis,
                   const Suppression *accepted) {
  for (size_t i = 0; i < diagnosis->remarks.count; i++)
    if (diagnosis->remarks.at[i].level != LEVEL_NOTE)
      diagnosis->remarks.at[i].level = LEVEL_REMARK;
  diagnosis->level = LEVEL_REMARK;
  if (!diagnosis->remarks.count)
    return;
  const char *text =
      arena_printf(arena, "suppressed: %s (%s)", accepted->reason,
                   tell_place(arena, accepted->where, diagnosis->file));
  note_line(arena, &diagnosis->remarks.at[diagnosis->remarks.count - 1], text);
}

// --------------------------------------------------------------- verdict ---

static void tell_reason(const Teller *teller, const char *what) {
  Arena *arena = teller->arena;
  const Verdict *verdict = teller->verdict;
  Loc kernel = teller->report->loc, where = verdict->where;
  const char *reason = verdict->reason;
  Remark *remark = remark_add(
      arena, teller->diagnosis,
      (Remark){.level = verdict->kind == VERDICT_UNKNOWN ? LEVEL_DOUBT
                                                         : LEVEL_WARNING,
               .kind = verdict_name(verdict->kind),
               .where = where.line ? where : kernel,
               .is_quoted = where.line,
               .sentence = arena_printf(arena, "%s: %s", what,
                                        reason ? reason : "no reason given"),
               .there = arena_printf(arena, "%s: verdict is %s: %s",
                                     kernel_text(teller),
                                     verdict_name(verdict->kind),
                                     reason ? reason : "no reason is known")});
  if (where.line && !is_place(where, kernel))
    note_add(arena, remark,
             (Note){.there = arena_printf(arena, "in %s", kernel_text(teller)),
                    .where = kernel});
}

static void tell_bugs(const Teller *teller) {
  Diagnosis *diagnosis = teller->diagnosis;
  if (!diagnosis->remarks.count)
    return;
  Remark *last = &diagnosis->remarks.at[diagnosis->remarks.count - 1];
  tell_parts(teller, last);
  if (teller->style->verbose)
    tell_assumptions(teller, last);
}

static void tell_verdict(const Teller *teller) {
  switch (teller->verdict->kind) {
  case VERDICT_VERIFIED:
  case VERDICT_SUPPRESSED:
    tell_proof(teller);
    break;
  case VERDICT_RACY:
  case VERDICT_DIVERGENT:
  case VERDICT_DEADLOCK:
  case VERDICT_ASSERTION:
  case VERDICT_OUT_OF_BOUNDS:
    tell_bugs(teller);
    break;
  case VERDICT_ONE_BLOCK:
  case VERDICT_UNKNOWN:
    tell_reason(teller, "not decided");
    break;
  case VERDICT_VACUOUS:
    tell_reason(teller, "the assumptions contradict each other");
    break;
  case VERDICT_ERROR:
    tell_reason(teller, "wrong use");
    break;
  }
}

// Pairs of writes that are a race unless both write the same.
static size_t same_values(const Verdict *verdict) {
  size_t count = 0;
  for (size_t i = 0; i < verdict->tolerated.count; i++)
    count += !strcmp(verdict->tolerated.at[i].assumption, "benign-writes");
  return count;
}

// "possible, kernel 'k', 12 obligations, 1 failed, 0.25 s"
static const char *detail(const Teller *teller) {
  Arena *arena = teller->arena;
  const Verdict *verdict = teller->verdict;
  const char *text =
      arena_printf(arena, "%skernel '%s', %u obligation%s",
                   verdict_group(verdict->kind) != GROUP_BUG ? ""
                   : verdict_is_confirmed(verdict)           ? "confirmed, "
                                                             : "possible, ",
                   teller->report->source, verdict->obligations,
                   verdict->obligations == 1 ? "" : "s");
  if (verdict->failed)
    text = arena_printf(arena, "%s, %u failed", text, verdict->failed);
  if (verdict->undecided)
    text = arena_printf(arena, "%s, %u undecided", text, verdict->undecided);
  if (verdict->excused)
    text = arena_printf(arena, "%s, %u suppressed", text, verdict->excused);
  size_t same = same_values(verdict);
  if (same)
    text = arena_printf(arena, "%s, %zu same-value write%s", text, same,
                        same == 1 ? "" : "s");
  return arena_printf(arena, "%s, %.2f s", text, verdict->seconds);
}

static Diagnosis *new_diagnosis(Arena *arena, const KernelReport *report) {
  const Verdict *verdict = report->verdict;
  Diagnosis *diagnosis = NEW(arena, Diagnosis);
  *diagnosis = (Diagnosis){.file = report->file,
                           .kernel = report->name,
                           .source = report->source,
                           .loc = report->loc,
                           .verdict = verdict_name(verdict->kind),
                           .level = tell_level(verdict->kind),
                           .is_confirmed = verdict_is_confirmed(verdict),
                           .reason = verdict->reason,
                           .reason_where = verdict->where,
                           .seconds = verdict->seconds,
                           .answer = report,
                           .json = json_proof};
  for (size_t i = 0; i < verdict->assumptions.count; i++)
    push(arena, &diagnosis->assumptions, verdict->assumptions.at[i]);
  return diagnosis;
}

static Diagnosis *diagnose_proof(Arena *arena, const ReportStyle *style,
                                 const KernelReport *report) {
  Diagnosis *diagnosis = new_diagnosis(arena, report);
  const Verdict *verdict = report->verdict;
  Teller teller = {arena, style, report, verdict, words_of(report), diagnosis};
  diagnosis->is_silent =
      style->quiet && verdict_group(verdict->kind) == GROUP_PROVED;
  for (size_t i = 0; i < verdict->problems.count; i++)
    tell_problem(&teller, &verdict->problems.at[i]);
  tell_verdict(&teller);
  diagnosis->detail = detail(&teller);
  return diagnosis;
}

Diagnosis *diagnose_kernel(Arena *arena, const ReportStyle *style,
                           const KernelReport *report) {
  Diagnosis *diagnosis = report->barriers
                             ? diagnose_barriers(arena, style, report->barriers)
                             : diagnose_proof(arena, style, report);
  if (report->accepted)
    accept(arena, diagnosis, report->accepted);
  diagnosis->accepted = report->accepted;
  diagnosis->only_warned = style->only_warned;
  return diagnosis;
}
