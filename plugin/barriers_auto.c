// From a proof that does not know to the check of named barriers.
//
// The proof has no words for barriers by name and count, mbarriers and
// asynchronous copies.  A kernel that uses them and is `unknown` goes on to
// what `gpuverify barriers` does, as a copy, for its module belongs to others.
// The answer is about one block and its shared memory.  It counts for the
// kernel where the block's place in the grid decides nothing, or each was
// looked at, and where nothing is written to global memory; else it is a
// verdict of its own. The proof's reason stays with it.
//
// Not with --only-divergence, for the check cannot leave races away, nor with
// --assert-false, which is about the proof.

#include "barriers/barriers.h"
#include "plugin/plugin.h"

#include <string.h>

typedef struct Handover {
  const Options *options;
  const KernelReport *proof;
  const KernelEntry *entry;
  const Launches *launches;
  Settings settings;
  const char *text; // PTX
  BarriersQuestion question;
  BarriersReport *report;
} Handover;

bool barriers_are_wanted(const Options *options) {
  return options->barriers && !strcmp(options->barriers, "auto") &&
         !options->only_divergence && !options->assert_false;
}

// What means another thing here than there: --dump is of the proof, and
// --kernel-args has gone into the launches.
static void fill_settings(Handover *handover) {
  Settings *settings = &handover->settings;
  settings->options = *handover->options;
  settings->options.dump = NULL;
  settings->options.kernel_args.count = 0;
  settings->lock_step = settings->options.warp_sync == WARP;
  handover->question.settings = settings;
}

static bool names(const KernelValues *values, const KernelEntry *entry) {
  return !strcmp(values->kernel, entry->name) ||
         !strcmp(values->kernel, entry->source);
}

// Without launches in the file there is one, the options'.
static void give_launches(Task *task, Handover *handover) {
  const Launches *launches = handover->launches;
  const Options *options = handover->options;
  const char *reason = NULL;
  for (size_t i = 0; i < launches->count; i++) {
    Launch launch = launches->at[i];
    for (size_t k = 0; k < options->kernel_args.count; k++)
      if (names(&options->kernel_args.at[k], handover->entry) &&
          !llvm_give_arguments(task, handover->entry,
                               &options->kernel_args.at[k], &launch, &reason))
        unsupported(task, handover->entry->loc, "%s", reason);
    push(&task->arena, &handover->question.launches, launch);
  }
}

static const PtxKernel *find_kernel(Task *task, const Handover *handover) {
  const char *reason = NULL;
  Loc where = {0};
  Ptx *ptx = NULL;
  const char *name =
      arena_printf(&task->arena, "PTX of %s", handover->proof->file);
  if (!ptx_parse(task, name, handover->text, &ptx, &reason, &where))
    unsupported(task, where, "%s", reason);
  for (size_t i = 0; i < ptx_kernel_count(ptx); i++)
    if (!strcmp(ptx_kernel_name(ptx_kernel(ptx, i)), handover->entry->name))
      return ptx_kernel(ptx, i);
  unsupported(task, handover->entry->loc, "its PTX has no such kernel");
}

static void prepare(Task *task, void *data) {
  Handover *handover = data;
  const char *reason = NULL;
  fill_settings(handover);
  give_launches(task, handover);
  handover->text = llvm_kernel_to_ptx(task, handover->entry, &reason);
  if (!handover->text)
    unsupported(task, handover->entry->loc, "%s", reason);
  handover->question.kernel = find_kernel(task, handover);
}

// Nobody has proved anything of global memory; without writes there are no
// races in it.  Bounds the check knows nothing of.
static bool is_for_all(const Handover *handover) {
  const BarriersReport *report = handover->report;
  return report->kind == VERDICT_ONE_BLOCK &&
         report->blocks.coverage != COVERAGE_SOME && !report->writes_global &&
         !handover->options->check_array_bounds;
}

// A kernel that cannot be looked at is nobody's mistake here.
static void finish(Handover *handover) {
  const KernelReport *proof = handover->proof;
  BarriersReport *report = handover->report;
  report->kernel = proof->name;
  report->source = proof->source;
  report->loc = proof->loc;
  report->proof = proof->verdict;
  if (report->kind == VERDICT_ERROR)
    report->kind = VERDICT_UNKNOWN;
  if (is_for_all(handover))
    report->kind = VERDICT_VERIFIED;
}

static BarriersReport *without_check(Task *task, const Handover *handover) {
  BarriersReport *report = NEW(&task->arena, BarriersReport);
  *report = (BarriersReport){.file = handover->proof->file,
                             .kind = VERDICT_UNKNOWN,
                             .reason = task->reason,
                             .where = task->where};
  return report;
}

const BarriersReport *barriers_after_proof(Task *task, const Options *options,
                                           const KernelReport *proof,
                                           const KernelEntry *entry,
                                           struct LLVMOpaqueModule *as_written,
                                           const Launches *launches,
                                           double deadline) {
  if (proof->verdict->kind != VERDICT_UNKNOWN ||
      !barriers_are_wanted(options) || !llvm_uses_barriers(task, entry))
    return NULL;
  KernelEntry *own = NEW(&task->arena, KernelEntry);
  *own = as_written ? llvm_entry_in(as_written, entry) : *entry;
  Handover *handover = NEW(&task->arena, Handover);
  *handover =
      (Handover){.options = options,
                 .proof = proof,
                 .entry = own,
                 .launches = launches,
                 .question = {.file = proof->file, .deadline = deadline}};
  handover->report = task_run(task, prepare, handover)
                         ? barriers_check(task, &handover->question)
                         : without_check(task, handover);
  finish(handover);
  return handover->report;
}
