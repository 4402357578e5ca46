// What the prover says of a changed source.
//
// The changed text itself is compiled and verified, with the options of the
// user and the launches of its own host code.  A trial is of one kernel.  A
// proposal has to stand more: every kernel of the file that was verified still
// is, no kernel is worse than it was, none rests on a premise of the ladder
// that it did not rest on, and the repaired kernel comes to its end (else a
// proof is of nothing).

#include "plugin/repair.h"

#include <math.h>
#include <string.h>

typedef struct Listening {
  const Repairing *repairing;
  const RepairQuestion *question;
  KernelStates *states;
} Listening;

// -------------------------------------------------------------- listening ---

static bool find_end(const Listening *to, const Stmt *statement,
                     Failure *failure, unsigned end) {
  const Repairing *repairing = to->repairing;
  const Places *places =
      to->question->places ? to->question->places : &repairing->places;
  return statement &&
         places_find(&repairing->task->arena, places, to->question->edits,
                     statement->loc, &failure->file[end], &failure->at[end]);
}

static bool in_one_warp(const Problem *problem) {
  enum { WARP = 32 };
  const Witness *w = &problem->witness;
  uint32_t number[2];
  for (unsigned i = 0; i < 2; i++)
    number[i] = w->thread[i][0] +
                w->block_size[0] *
                    (w->thread[i][1] + w->block_size[1] * w->thread[i][2]);
  return problem->has_witness && problem->obligation->same_block &&
         number[0] / WARP == number[1] / WARP;
}

static FailureKind failure_kind(VerdictKind kind) {
  if (kind == VERDICT_RACY)
    return FAILURE_RACE;
  return kind == VERDICT_DIVERGENT ? FAILURE_DIVERGENCE : FAILURE_OTHER;
}

static Failure failure_of(const Listening *to, const Problem *problem) {
  const Obligation *obligation = problem->obligation;
  Failure failure = {.kind = failure_kind(problem->kind)};
  failure.is_placed[0] = find_end(to, obligation->first, &failure, 0);
  failure.is_placed[1] = find_end(to, obligation->second, &failure, 1);
  if (failure.kind != FAILURE_RACE)
    return failure;
  const Array *array = obligation->first->access.array;
  failure.is_global = array && array->space == SPACE_GLOBAL;
  failure.is_between_blocks = !obligation->same_block;
  failure.is_in_warp = in_one_warp(problem);
  return failure;
}

static void keep_report(const Listening *to, const KernelReport *report,
                        KernelState *state) {
  const Settings *settings = to->repairing->settings;
  Arena *arena = &to->repairing->task->arena;
  ReportStyle style = settings_style(settings);
  const Diagnosis *diagnosis = diagnose_kernel(arena, &style, report);
  state->text = report_kept_text(arena, diagnosis);
  state->record = report_keep_record(arena, diagnosis);
}

static void listen(void *data, const KernelReport *report) {
  Listening *to = data;
  Arena *arena = &to->repairing->task->arena;
  const Verdict *verdict = report->verdict;
  KernelState state = {.name = arena_copy(arena, report->name),
                       .source = arena_copy(arena, report->source),
                       .kind = report->barriers ? report->barriers->kind
                                                : verdict->kind};
  for (size_t i = 0; i < verdict->assumptions.count; i++)
    push(arena, &state.assumptions,
         arena_copy(arena, verdict->assumptions.at[i]));
  for (size_t i = 0; i < verdict->problems.count; i++)
    push(arena, &state.failures, failure_of(to, &verdict->problems.at[i]));
  if (to->question->is_told)
    keep_report(to, report, &state);
  push(arena, to->states, state);
}

// The time of the file is used up.
static void left_out(void *data, const KernelsLeft *left) {
  const Listening *to = data;
  Verdict verdict = {.kind = VERDICT_UNKNOWN, .reason = FILE_TIME_IS_OVER};
  for (size_t i = 0; i < left->count; i++) {
    const KernelEntry *entry = &left->at[i];
    KernelReport one = {.file = left->file,
                        .name = entry->name,
                        .source = entry->source,
                        .loc = entry->loc,
                        .launch = &to->repairing->settings->options.launch,
                        .verdict = &verdict};
    listen(data, &one);
  }
}

// ---------------------------------------------------------------- asking ---

// Nothing but verdicts: no dumps, and no executions of alarms that nobody sees.
static Settings settings_for(const Repairing *repairing,
                             const RepairQuestion *question) {
  Settings settings = *repairing->settings;
  Options *options = &settings.options;
  if (question->kernel)
    options->kernel = question->kernel;
  if (question->timeout &&
      (!options->timeout || question->timeout < options->timeout))
    options->timeout = question->timeout;
  options->assert_false |= question->is_for_vacuity;
  options->confirm &= question->is_told;
  options->dump = options->boogie = options->program = NULL;
  return settings;
}

// All of its launches that are seen are, and there are some.
static bool is_launched_so(const HostLaunches *launches, const char *kernel) {
  size_t count = 0;
  for (size_t i = 0; i < launches->count; i++) {
    if (strcmp(launches->at[i].kernel, kernel) != 0)
      continue;
    if (!launches->at[i].is_cooperative)
      return false;
    count++;
  }
  return count > 0;
}

static void mark_cooperative(const Settings *settings,
                             const HostLaunches *launches, Places *places) {
  for (size_t i = 0; i < places->kernels.count; i++) {
    PlacedKernel *kernel = &places->kernels.at[i];
    kernel->is_cooperative =
        settings->is_cooperative || is_launched_so(launches, kernel->name);
  }
}

bool repair_verify(const Repairing *repairing, const RepairQuestion *question,
                   KernelStates *states) {
  Settings settings = settings_for(repairing, question);
  Listening listening = {repairing, question, states};
  Reporter reporter = {
      .kernel = listen, .left_out = left_out, .data = &listening, .workers = 1};
  ChangedSource changed = {.texts = &repairing->places.texts,
                           .edits = question->edits,
                           .is_quiet = !question->is_told,
                           .places = question->places};
  HostLaunches launches = {0};
  struct LLVMOpaqueModule *module = frontend_compile_changed(
      repairing->task, &settings, repairing->file, &changed, &launches);
  if (!module)
    return false;
  if (question->places)
    mark_cooperative(&settings, &launches, question->places);
  verify_module(&settings.options, repairing->file, module, &launches,
                &reporter);
  llvm_free_module(module);
  return true;
}

static const KernelState *state_of(const KernelStates *states,
                                   const char *kernel) {
  for (size_t i = 0; i < states->count; i++)
    if (!strcmp(states->at[i].name, kernel))
      return &states->at[i];
  return NULL;
}

// Of the ladder, and so not what every proof may rest on, as the limits of a
// launch.
static bool is_of_ladder(const char *name) {
  PremiseKind kind;
  return premise_find(name, strlen(name), &kind);
}

// A premise on which `after` rests and `before` does not; NULL: there is none.
static const char *new_assumption(const KernelState *before,
                                  const KernelState *after) {
  for (size_t i = 0; i < after->assumptions.count; i++) {
    bool is_old = !is_of_ladder(after->assumptions.at[i]);
    for (size_t j = 0; j < before->assumptions.count; j++)
      is_old |= !strcmp(before->assumptions.at[j], after->assumptions.at[i]);
    if (!is_old)
      return after->assumptions.at[i];
  }
  return NULL;
}

static Edits all_edits(const Repairing *repairing, const Edits *more) {
  Edits all = {0};
  edits_add(&repairing->task->arena, &all, &repairing->accepted);
  edits_add(&repairing->task->arena, &all, more);
  edits_sort(&all);
  return all;
}

// ------------------------------------------------------------------ trials ---

static double seconds_left(const Repairing *repairing) {
  unsigned limit = repairing->settings->repair_timeout;
  return limit ? repairing->start + limit - work_seconds() : INFINITY;
}

static bool is_over(void *data) { return seconds_left(data) <= 0; }

static unsigned trial_timeout(const Repairing *repairing) {
  double left = seconds_left(repairing);
  return left > 1e6 ? 0 : left < 1 ? 1 : (unsigned)ceil(left);
}

static ChangeResult trial_of(const Repairing *repairing,
                             const KernelState *after) {
  ChangeResult result = {.kind = CHANGE_INVALID};
  if (!after)
    return result;
  result.failures = after->failures;
  result.name = new_assumption(repairing->kernel, after);
  if (after->kind == VERDICT_VERIFIED)
    result.kind = result.name ? CHANGE_RESTS : CHANGE_VERIFIED;
  else if (after->failures.count)
    result.kind = CHANGE_FAILS;
  else
    result.kind = CHANGE_UNDECIDED;
  return result;
}

static ChangeResult ask(void *data, const Edits *edits) {
  const Repairing *repairing = data;
  KernelStates states = {0};
  Edits all = all_edits(repairing, edits);
  RepairQuestion question = {.edits = &all,
                             .kernel = repairing->kernel->name,
                             .timeout = trial_timeout(repairing)};
  if (edits_collide(&all) || !repair_verify(repairing, &question, &states))
    return (ChangeResult){.kind = CHANGE_INVALID};
  return trial_of(repairing, state_of(&states, repairing->kernel->name));
}

// --------------------------------------------------------------- proposals ---

static const char *what_is_worse(const Repairing *repairing,
                                 const KernelState *before,
                                 const KernelState *after) {
  Arena *arena = &repairing->task->arena;
  bool is_it = before == repairing->kernel;
  if (!after)
    return arena_printf(arena, "with it there is no kernel '%s'",
                        before->source);
  if (is_it ? after->kind != VERDICT_VERIFIED
            : verdict_is_worse(after->kind, before->kind))
    return arena_printf(arena, "a change that was tried makes kernel '%s' %s",
                        before->source, verdict_name(after->kind));
  const char *name =
      after->kind == VERDICT_VERIFIED ? new_assumption(before, after) : NULL;
  if (name && (is_it || before->kind == VERDICT_VERIFIED))
    return arena_printf(arena,
                        "with a change that was tried kernel '%s' is verified "
                        "only if '%s' is assumed",
                        before->source, name);
  return NULL;
}

static bool comes_to_end(const Repairing *repairing, const Edits *all) {
  KernelStates states = {0};
  RepairQuestion question = {
      .edits = all, .kernel = repairing->kernel->name, .is_for_vacuity = true};
  if (!repair_verify(repairing, &question, &states))
    return false;
  const KernelState *state = state_of(&states, repairing->kernel->name);
  return state && state->kind == VERDICT_ASSERTION;
}

static const char *refuse(void *data, const Edits *edits) {
  const Repairing *repairing = data;
  KernelStates states = {0};
  Edits all = all_edits(repairing, edits);
  RepairQuestion question = {.edits = &all};
  if (!repair_verify(repairing, &question, &states))
    return "a change that was tried does not compile";
  for (size_t i = 0; i < repairing->kernels.count; i++) {
    const KernelState *before = &repairing->kernels.at[i];
    const char *why =
        what_is_worse(repairing, before, state_of(&states, before->name));
    if (why)
      return why;
  }
  return comes_to_end(repairing, &all)
             ? NULL
             : "with a change that was tried it is not certain that a thread "
               "comes to the kernel's end, and a proof would be of nothing";
}

bool repair_is_proof(const Repairing *repairing, const KernelState *state) {
  return state->kind == VERDICT_VERIFIED ||
         (repairing->is_ptx && state->kind == VERDICT_ONE_BLOCK);
}

bool repair_was_proved(void *data, const char *kernel) {
  const Repairing *repairing = data;
  const KernelState *state = state_of(&repairing->kernels, kernel);
  return !state || repair_is_proof(repairing, state);
}

Prover repair_prover(Repairing *repairing) {
  return (Prover){.ask = ask,
                  .refuse = refuse,
                  .is_over = is_over,
                  .is_proved = repair_was_proved,
                  .data = repairing};
}
