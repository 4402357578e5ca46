// From what one execution has shown to a diagnosis.
//
// It speaks of this run only, so the good case is called "passed".

#include "report/runs.h"
#include "report/tell.h"

#include <inttypes.h>

enum { SHOWN_ELEMENTS = 64 };

// ----------------------------------------------------------------- words ---

// What ended the run goes before races, which do not; but a bug goes before
// what is not known.
static const Incident *worst(const Outcome *outcome) {
  for (unsigned i = outcome->count; i-- > 0;)
    if (incident_is_bug(outcome->incidents[i].kind))
      return &outcome->incidents[i];
  return outcome->count ? &outcome->incidents[outcome->count - 1] : NULL;
}

const char *run_verdict(const RunReport *report) {
  const Incident *incident = worst(report->outcome);
  if (incident)
    return incident_kind(incident->kind);
  if (!report->outcome->is_done)
    return "unknown";
  return report->differences ? "wrong-result" : "passed";
}

static Level level(const RunReport *report) {
  const Incident *incident = worst(report->outcome);
  if (incident)
    return incident_is_bug(incident->kind) ? LEVEL_WARNING : LEVEL_DOUBT;
  if (!report->outcome->is_done)
    return LEVEL_DOUBT;
  return report->differences ? LEVEL_WARNING : LEVEL_REMARK;
}

// -------------------------------------------------------------- sighting ---

static Loc loc_of(const SightingPlace *place) {
  return (Loc){place->file, place->line, place->column};
}

static void tell_note(Arena *arena, Remark *remark, const Sighting *sighting,
                      unsigned number) {
  bool is_end = number < sighting->count;
  Sheet sheet;
  sheet_open(&sheet);
  sighting_note(sheet.out, sighting, number);
  const char *text = sheet_close(arena, &sheet);
  Note note = {.line = text};
  if (is_end) {
    note.there = text;
    note.where = loc_of(&sighting->ends[number].where);
  }
  note_add(arena, remark, note);
}

// The end that is not where the sighting is said to be.
static Loc other_place(const Sighting *sighting) {
  for (unsigned i = 0; i < sighting->count; i++) {
    Loc end = loc_of(&sighting->ends[i].where);
    if (end.line && !report_is_same_place(end, loc_of(&sighting->where)))
      return end;
  }
  return (Loc){0};
}

void tell_sighting(Arena *arena, Diagnosis *diagnosis,
                   const Sighting *sighting) {
  Remark *remark = remark_add(
      arena, diagnosis,
      (Remark){.level = incident_is_bug(sighting->kind) ? LEVEL_WARNING
                                                        : LEVEL_DOUBT,
               .kind = incident_kind(sighting->kind),
               .naming = sighting->where.file[0] ? NAMES_PLACE : NAMES_NOTHING,
               .where = loc_of(&sighting->where),
               .other = other_place(sighting),
               .array = sighting->count && sighting->ends[0].array[0]
                            ? sighting->ends[0].array
                            : NULL,
               .of = sighting->kernel[0] ? sighting->kernel : NULL,
               .is_quoted = true,
               .sentence = sighting->sentence,
               .there = sighting->sentence,
               .is_confirmed = true});
  for (unsigned i = 0; i < sighting_notes(sighting); i++)
    tell_note(arena, remark, sighting, i);
}

void tell_incident(Task *task, Diagnosis *diagnosis, const RunReport *report,
                   const Incident *incident) {
  Sighting *sighting = NEW(&task->arena, Sighting);
  *sighting = sighting_of(task, report, incident);
  tell_sighting(&task->arena, diagnosis, sighting);
}

// ---------------------------------------------------------------- values ---

static const char *value_at(Task *task, const Range *range, const char *from,
                            uint64_t i) {
  return element_text(task, range->element, from + i * range->element->bytes);
}

// "a[4..] = 1 2 3"
static const char *range_text(Task *task, const RunReport *report,
                              const Range *range) {
  const Buffer *buffer = &report->run->buffers.at[range->buffer];
  const char *from = buffer->at + range->from * range->element->bytes;
  Sheet sheet;
  sheet_open(&sheet);
  fprintf(sheet.out, "%s", buffer->name);
  if (range->from)
    fprintf(sheet.out, "[%" PRIu64 "..]", range->from);
  fputs(" =", sheet.out);
  for (uint64_t i = 0; i < range->count && i < SHOWN_ELEMENTS; i++)
    fprintf(sheet.out, " %s", value_at(task, range, from, i));
  if (range->count > SHOWN_ELEMENTS)
    fputs(" ..", sheet.out);
  return sheet_close(&task->arena, &sheet);
}

// Where the kernel was not cut into regions, why.
static void tell_order(Task *task, Diagnosis *diagnosis, const Code *code) {
  const char *text =
      arena_printf(&task->arena,
                   "executed twice in one order, not by regions: "
                   "%s",
                   code->uncut);
  remark_add(
      &task->arena, diagnosis,
      (Remark){.level = LEVEL_REMARK,
               .naming = code->uncut_at.line ? NAMES_PLACE : NAMES_NOTHING,
               .where = code->uncut_at,
               .sentence = text,
               .there = text});
}

Explanations explanations_of_run(Arena *arena, const RunReport *report) {
  Explanations explained = {0};
  Explanation explanation = {report->entry->loc, report->proof};
  if (report->is_explained && report->proof)
    push(arena, &explained, explanation);
  explanation.sentence =
      arena_printf(arena, "reads of %s are not looked at: nobody writes there",
                   report->code->calm);
  if (report->is_explained && report->code->calm)
    push(arena, &explained, explanation);
  return explained;
}

void tell_explanations(Arena *arena, Diagnosis *diagnosis,
                       const Explanations *explained) {
  for (size_t i = 0; i < explained->count; i++)
    remark_add(arena, diagnosis,
               (Remark){.level = LEVEL_REMARK,
                        .naming = NAMES_PLACE,
                        .where = explained->at[i].where,
                        .sentence = explained->at[i].sentence,
                        .there = explained->at[i].sentence});
}

static void tell_range(Task *task, Diagnosis *diagnosis,
                       const RunReport *report, const Range *range) {
  const char *text = range_text(task, report, range);
  remark_add(&task->arena, diagnosis,
             (Remark){.level = LEVEL_REMARK,
                      .naming = NAMES_NOTHING,
                      .sentence = text,
                      .there = text});
}

static void tell_difference(Task *task, Diagnosis *diagnosis,
                            const RunReport *report, const Range *range) {
  uint64_t i = range_difference(range, report->run);
  const Buffer *buffer = &report->run->buffers.at[range->buffer];
  const char *from = buffer->at + range->from * range->element->bytes;
  if (i == range->count)
    return;
  const char *text =
      arena_printf(&task->arena, "%s[%" PRIu64 "] is %s, not %s", buffer->name,
                   range->from + i, value_at(task, range, from, i),
                   value_at(task, range, range->expected, i));
  remark_add(&task->arena, diagnosis,
             (Remark){.level = LEVEL_WARNING,
                      .kind = "wrong-result",
                      .where = {.file = report->launch->name},
                      .sentence = text,
                      .there = text});
}

// --------------------------------------------------------------- verdict ---

Diagnosis *diagnosis_of_run(Task *task, const RunReport *report) {
  Diagnosis *diagnosis = NEW(&task->arena, Diagnosis);
  *diagnosis = (Diagnosis){.file = report->file,
                           .kernel = report->entry->name,
                           .source = report->entry->source,
                           .loc = report->entry->loc};
  return diagnosis;
}

// Less is seen than by looking at each access: the verdict says so.
static const char *by_what(const RunReport *report) {
  const Code *code = report->code;
  static const char *const names[2][2] = {
      {" by values", " by values of warps"},
      {" by values in order", " by values of warps in order"}};
  if (report->is_proved)
    return " by values, proved";
  return code->is_cut || code->is_repeated
             ? names[code->is_repeated][code->has_warp_units]
             : "";
}

const char *pairs_text(Arena *arena, double share) {
  int percent = (int)(100 * share + 0.5);
  if (percent == 100 && share < 1)
    percent = 99; // not all of them
  return arena_printf(arena, "%d %% of the pairs of blocks", percent);
}

// How blocks were compared, if they have shared copies.
static const char *by_copies(Arena *arena, const Sharing *sharing) {
  return !sharing->copies
             ? ""
             : arena_printf(arena,
                            ", %u pass%s with %u copies for each line: %s",
                            sharing->passes, sharing->passes == 1 ? "" : "es",
                            sharing->copies, pairs_text(arena, sharing->apart));
}

static const char *detail(Task *task, const RunReport *report) {
  const Run *run = report->run;
  const char *where = report->device
                          ? arena_printf(&task->arena, " on %s", report->device)
                          : "";
  return arena_printf(
      &task->arena, "this run%s%s%s%s, kernel '%s', grid %s, block %s, %.2f s",
      by_what(report), by_copies(&task->arena, &report->outcome->sharing),
      run->is_deterministic ? ", deterministic" : "", where,
      report->entry->source, tell_ids(&task->arena, run->grid),
      tell_ids(&task->arena, run->block), report->outcome->seconds);
}

Diagnosis *diagnose_run(Task *task, const RunReport *report) {
  const LaunchFile *launch = report->launch;
  const Outcome *outcome = report->outcome;
  Diagnosis *diagnosis = diagnosis_of_run(task, report);
  if (report->code->is_repeated)
    tell_order(task, diagnosis, report->code);
  Explanations explained = explanations_of_run(&task->arena, report);
  tell_explanations(&task->arena, diagnosis, &explained);
  for (unsigned i = 0; i < outcome->count; i++)
    tell_incident(task, diagnosis, report, &outcome->incidents[i]);
  for (size_t i = 0; i < launch->prints.count; i++)
    tell_range(task, diagnosis, report, &launch->prints.at[i]);
  for (size_t i = 0; outcome->is_done && i < launch->expectations.count; i++)
    tell_difference(task, diagnosis, report, &launch->expectations.at[i]);
  diagnosis->verdict = run_verdict(report);
  diagnosis->level = level(report);
  diagnosis->detail = detail(task, report);
  diagnosis->seconds = outcome->seconds;
  diagnosis->answer = report;
  diagnosis->json = json_run;
  return diagnosis;
}
