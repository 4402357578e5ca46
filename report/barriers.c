// From what the check of named barriers found out about a kernel to a
// diagnosis.

#include "report/json.h"
#include "report/tell_barriers.h"

#include <assert.h>

typedef struct Teller {
  Arena *arena;
  const BarriersReport *report;
  Diagnosis *diagnosis;
  const char *prefix; // of what stands beside a proof's
} Teller;

// -------------------------------------------------------------- findings ---

static const char *blocks_text(const Teller *teller) {
  const BarriersReport *report = teller->report;
  unsigned blocks = report->programs ? programs_blocks(report->programs) : 1;
  const char *size = tell_ids(teller->arena, report->block_size);
  if (blocks == 1)
    return arena_printf(teller->arena, "one block of %s", size);
  return arena_printf(teller->arena, "a cluster of %u blocks of %s", blocks,
                      size);
}

// The warps from `warp` on that stand like it, told at its place.
static Note group_note(const Teller *teller, unsigned warp, unsigned others) {
  const BarriersReport *report = teller->report;
  const Standing *standing = &report->check->standing[warp];
  const char *text = standing_text(teller->arena, report, warp, false);
  Note note = {.where = report->loc};
  if (!standing->has_exited) {
    uint32_t command = standing->command;
    note.where =
        finding_place(report, report->programs->warps[warp].at[command].place);
    note.line = standing_text(teller->arena, report, warp, true);
  }
  note.there =
      !others ? text
      : others == 1
          ? arena_printf(teller->arena, "%s; the same of the next", text)
          : arena_printf(teller->arena, "%s; the same of the next %u", text,
                         others);
  return note;
}

static void tell_deadlock(const Teller *teller, Remark *remark) {
  const BarriersReport *report = teller->report;
  Arena *arena = teller->arena;
  unsigned exited = 0, alike = 0, warps = programs_warps(report->programs);
  for (unsigned warp = 0, next; warp < warps; warp = next) {
    for (next = warp + 1; next < warps; next++)
      if (!standing_is_like_before(report, next))
        break;
    note_add(arena, remark, group_note(teller, warp, next - warp - 1));
    if (report->check->standing[warp].has_exited)
      exited += next - warp;
    else
      alike += next - warp - 1;
  }
  if (alike)
    note_line(
        arena, remark,
        arena_printf(arena, "%u more wait as the one before them", alike));
  if (exited)
    note_line(arena, remark,
              arena_printf(arena, "%u of %u warps have exited", exited, warps));
}

static void tell_ends(const Teller *teller, const Finding *finding,
                      Remark *remark) {
  const BarriersReport *report = teller->report;
  Arena *arena = teller->arena;
  for (unsigned i = 0; i < finding->end_count; i++) {
    Note note = {.line = end_text(arena, report, finding, i, true),
                 .where = finding_place(report, finding->ends[i].place)};
    if (i > 0)
      note.there = arena_printf(arena, "other end is here: %s",
                                end_text(arena, report, finding, i, false));
    note_add(arena, remark, note);
  }
}

// What its replay has shown.
static void tell_replay(const Teller *teller, const Finding *finding,
                        Remark *remark) {
  if (!finding->replay)
    return;
  const char *text = arena_printf(
      teller->arena, "%s: %s", finding->is_confirmed ? "confirmed" : "possible",
      finding->replay);
  note_add(teller->arena, remark, (Note){.line = text, .there = text});
}

static const char *finding_there(const Teller *teller, const Finding *finding,
                                 const char *sentence) {
  Arena *arena = teller->arena;
  if (finding->kind == FINDING_DEADLOCK || !finding->end_count)
    return arena_printf(arena, "named barriers: %s", sentence);
  return arena_printf(arena, "named barriers: %s: %s", sentence,
                      end_text(arena, teller->report, finding, 0, false));
}

// Without what only PTX calls it.
static const char *array_of(const Teller *teller, const Finding *finding) {
  const SharedVariable *symbol =
      finding_topic(finding) == TOPIC_ACCESSES
          ? programs_symbol(teller->report->programs, finding->address)
          : NULL;
  Task task = {0};
  const char *name =
      symbol ? arena_copy(teller->arena, plain_name(&task, symbol->name))
             : NULL;
  arena_free(&task.arena);
  return name;
}

static Loc other_place(const BarriersReport *report, const Finding *finding) {
  return finding->end_count > 1 ? finding_place(report, finding->ends[1].place)
                                : (Loc){0};
}

static void tell_finding(const Teller *teller, const Finding *finding) {
  Arena *arena = teller->arena;
  const BarriersReport *report = teller->report;
  const char *sentence = finding_sentence(arena, report, finding);
  Remark *remark = remark_add(
      arena, teller->diagnosis,
      (Remark){.level = LEVEL_WARNING,
               .kind = verdict_name(finding_verdict(finding)),
               .where = finding_place(report, finding->ends[0].place),
               .other = other_place(report, finding),
               .array = array_of(teller, finding),
               .is_quoted = true,
               .sentence = sentence,
               .there = finding_there(teller, finding, sentence),
               .is_confirmed = finding->is_confirmed,
               .replay = finding->replay});
  if (finding->kind == FINDING_DEADLOCK)
    tell_deadlock(teller, remark);
  else
    tell_ends(teller, finding, remark);
  note_add(arena, remark,
           (Note){.there = arena_printf(arena, "in kernel '%s', for %s",
                                        report->source, blocks_text(teller)),
                  .where = report->loc});
  tell_lesson(arena, report, finding, remark);
  tell_replay(teller, finding, remark);
}

// --------------------------------------------------------------- verdict ---

// What a proof assumes.
static void fill_assumptions(const Teller *teller) {
  const BarriersReport *report = teller->report;
  const Programs *programs = report->programs;
  const Check *check = report->check;
  const struct {
    const char *name;
    bool is_made;
  } assumptions[] = {
      {"one-block", report->kind != VERDICT_VERIFIED},
      {"tensor-bytes", programs && programs->has_tensors},
      {"constant-tables", programs && programs->has_tables},
      {"mbarrier-init", check && check->assumes_inits},
      {"proxy-fences", check && check->assumes_fences},
      {"same-loads", programs && programs->values.count},
      {"no-trap", programs && programs->skips_traps},
      {"no-clusters", programs && programs->is_alone},
      {"cluster-scope", programs && programs->has_narrow},
      {"parity-bit", programs && programs->has_parities},
      {"elect-lowest", programs && programs->elects_lowest},
  };
  for (size_t i = 0; i < sizeof assumptions / sizeof *assumptions; i++)
    if (assumptions[i].is_made)
      push(teller->arena, &teller->diagnosis->assumptions, assumptions[i].name);
}

static const char *coverage_text(Arena *arena, const BarriersReport *report) {
  const uint32_t *grid = report->grid_size, *block = report->block;
  size_t count = report->blocks.count;
  switch (report->blocks.coverage) {
  case COVERAGE_ANY:
    return "any";
  case COVERAGE_EACH:
    return arena_printf(arena, "each of (%u,%u,%u)", grid[0], grid[1], grid[2]);
  case COVERAGE_SOME:
    break;
  }
  if (count == 1)
    return arena_printf(arena, "(%u,%u,%u) of (%u,%u,%u), not the others",
                        block[0], block[1], block[2], grid[0], grid[1],
                        grid[2]);
  if (!report->is_grid_known)
    return arena_printf(arena, "%zu of small grids, not the others", count);
  return arena_printf(arena, "%zu of (%u,%u,%u), not the others", count,
                      grid[0], grid[1], grid[2]);
}

const char *barriers_coverage(Arena *arena, const BarriersReport *report) {
  return arena_printf(arena, "%s, %s", coverage_text(arena, report),
                      report->writes_global
                          ? "global memory was not looked at"
                          : "nothing is written to global memory");
}

static bool is_proof(const BarriersReport *report) {
  return report->kind == VERDICT_VERIFIED || report->kind == VERDICT_ONE_BLOCK;
}

static const char *proof_there(const Teller *teller) {
  const BarriersReport *report = teller->report;
  return arena_printf(
      teller->arena,
      "named barriers: kernel '%s' has no deadlock, no barrier recycled too "
      "early and no data race in shared memory, for %s; %s: %s",
      report->source, blocks_text(teller), verdict_name(report->kind),
      barriers_coverage(teller->arena, report));
}

static const char *launch_line(const Teller *teller) {
  const BarriersReport *report = teller->report;
  Arena *arena = teller->arena;
  unsigned blocks = programs_blocks(report->programs);
  return arena_printf(
      arena, "for blockDim = %s, block %s%s of %s",
      tell_ids(arena, report->block_size), tell_ids(arena, report->block),
      blocks > 1 ? arena_printf(arena, " and its cluster of %u blocks", blocks)
                 : "",
      tell_ids(arena, report->grid_size));
}

static void tell_assumptions(const Teller *teller, Remark *remark) {
  const Diagnosis *diagnosis = teller->diagnosis;
  const char *text = "assuming";
  for (size_t i = 0; i < diagnosis->assumptions.count; i++)
    text = arena_printf(teller->arena, "%s%s %s", text, i ? "," : "",
                        diagnosis->assumptions.at[i]);
  if (diagnosis->assumptions.count)
    note_line(teller->arena, remark, text);
}

static void tell_proof(const Teller *teller, bool is_enough) {
  Arena *arena = teller->arena;
  const BarriersReport *report = teller->report;
  Remark *remark = remark_add(
      arena, teller->diagnosis,
      (Remark){.level = is_enough ? LEVEL_REMARK : LEVEL_DOUBT,
               .kind = verdict_name(report->kind),
               .where = report->loc,
               .naming = NAMES_FILE,
               .sentence = arena_printf(
                   arena,
                   "%skernel '%s': no deadlock, no barrier recycled too early, "
                   "no data races in shared memory",
                   teller->prefix, report->source),
               .there = proof_there(teller)});
  note_line(arena, remark, launch_line(teller));
  tell_assumptions(teller, remark);
  note_line(arena, remark,
            arena_printf(arena, "for one block: %s",
                         barriers_coverage(arena, report)));
}

static void tell_reason(const Teller *teller) {
  Arena *arena = teller->arena;
  const BarriersReport *report = teller->report;
  Loc where = report->where;
  remark_add(
      arena, teller->diagnosis,
      (Remark){.level = report->kind == VERDICT_UNKNOWN ? LEVEL_DOUBT
                                                        : LEVEL_WARNING,
               .kind = verdict_name(report->kind),
               .where = where.line ? where : report->loc,
               .is_quoted = where.line,
               .sentence = arena_printf(
                   arena, "%s%s: %s", teller->prefix,
                   report->kind == VERDICT_ERROR ? "wrong use" : "not decided",
                   report->reason),
               .there = arena_printf(
                   arena, "named barriers: kernel '%s': verdict is %s: %s",
                   report->source, verdict_name(report->kind),
                   report->reason)});
}

// Another lane might have been elected.  The lowest come first.
static void tell_leader(const Teller *teller, Remark *remark) {
  const BarriersReport *report = teller->report;
  const Programs *programs = report->programs;
  bool has_elected = programs && programs->elected;
  if (has_elected || report->leader)
    note_line(teller->arena, remark,
              arena_printf(teller->arena,
                           "where elect.sync elects lane %u of each warp%s",
                           has_elected ? programs->leader : report->leader,
                           report->leader ? " (see --elect-lowest)" : ""));
}

// Not the one that was asked for, or first.
static void tell_other_block(const Teller *teller, Remark *remark) {
  const BarriersReport *report = teller->report;
  Arena *arena = teller->arena;
  if (report->is_other_block)
    note_line(arena, remark,
              arena_printf(arena, "in block %s of %s",
                           tell_ids(arena, report->block),
                           tell_ids(arena, report->grid_size)));
}

// Why it was not the proof that answered.
static void tell_why_not_proof(const Teller *teller) {
  static const char start[] = "the proof does not decide this";
  Arena *arena = teller->arena;
  const BarriersReport *report = teller->report;
  const char *reason = report->proof->reason;
  Loc where = report->proof->where;
  remark_add(
      arena, teller->diagnosis,
      (Remark){.level = LEVEL_NOTE,
               .kind = verdict_name(report->proof->kind),
               .where = where.line ? where : report->loc,
               .is_quoted = where.line,
               .sentence = arena_printf(arena, "%s: %s", start,
                                        reason ? reason : "no reason given"),
               .there = arena_printf(arena, "%s: %s", start,
                                     reason ? reason : "no reason is known")});
}

static void tell_verdict(const Teller *teller, bool is_enough) {
  const BarriersReport *report = teller->report;
  Diagnosis *diagnosis = teller->diagnosis;
  if (is_proof(report))
    tell_proof(teller, is_enough);
  else if (report->reason)
    tell_reason(teller);
  assert(diagnosis->remarks.count);
  Remark *last = &diagnosis->remarks.at[diagnosis->remarks.count - 1];
  if (!is_proof(report)) {
    tell_leader(teller, last);
    tell_other_block(teller, last);
  }
  if (report->proof)
    tell_why_not_proof(teller);
}

// ---------------------------------------------------------------- detail ---

// One of those that make the verdict was seen in a schedule.
static bool is_confirmed(const BarriersReport *report) {
  for (size_t i = 0; report->check && i < report->check->findings.count; i++)
    if (report->check->findings.at[i].is_confirmed &&
        finding_verdict(&report->check->findings.at[i]) == report->kind)
      return true;
  return false;
}

static const char *certainty(const Teller *teller) {
  const Check *check = teller->report->check;
  if (!check || !check->findings.count)
    return "";
  return teller->diagnosis->is_confirmed ? "confirmed, " : "possible, ";
}

// "possible, any, global memory was not looked at, kernel 'k', .., 0.25 s"
static const char *detail(const Teller *teller) {
  Arena *arena = teller->arena;
  const BarriersReport *report = teller->report;
  const Check *check = report->check;
  const char *about = is_proof(report) ? barriers_coverage(arena, report)
                      : report->proof  ? "one block, shared memory only"
                                       : NULL;
  const char *text =
      arena_printf(arena, "%s%s%s%skernel '%s'", certainty(teller),
                   report->proof ? "named barriers, " : "", about ? about : "",
                   about ? ", " : "", report->source);
  if (check)
    text = arena_printf(arena, "%s, %llu command%s, %llu generation%s", text,
                        (unsigned long long)check->commands,
                        check->commands == 1 ? "" : "s",
                        (unsigned long long)check->generations,
                        check->generations == 1 ? "" : "s");
  return arena_printf(arena, "%s, %.2f s", text, report->seconds);
}

Diagnosis *diagnose_barriers(Arena *arena, const ReportStyle *style,
                             const BarriersReport *report) {
  Diagnosis *diagnosis = NEW(arena, Diagnosis);
  Teller teller = {arena, report, diagnosis,
                   report->proof ? "named barriers: " : ""};
  bool is_enough =
      report->kind == VERDICT_VERIFIED ||
      (report->kind == VERDICT_ONE_BLOCK && style->is_one_block_enough);
  *diagnosis = (Diagnosis){.file = report->file,
                           .kernel = report->kernel,
                           .source = report->source,
                           .loc = report->loc,
                           .verdict = verdict_name(report->kind),
                           .level = tell_level(report->kind),
                           .is_confirmed = is_confirmed(report),
                           .is_silent = style->quiet && is_enough,
                           .reason = report->reason,
                           .reason_where = report->where,
                           .seconds = report->seconds,
                           .only_warned = style->only_warned,
                           .answer = report,
                           .json = json_barriers};
  fill_assumptions(&teller);
  for (size_t i = 0; report->check && i < report->check->findings.count; i++)
    tell_finding(&teller, &report->check->findings.at[i]);
  tell_verdict(&teller, is_enough);
  diagnosis->detail = detail(&teller);
  return diagnosis;
}
