// A kernel becomes one that is executed region by region, each region twice.
//
// All ways lead to one block, the dispatch, where values.cu says which region
// comes next: the one whose first execution is over once more, or the one that
// begins at the barrier to which the thread has come.  So a barrier is where
// its block is cut in two, the first half goes to the dispatch, and the second
// half is the beginning of a region.  A thread that returns goes to the
// dispatch as well, for its block needs it to look through the copies.

#include "runtime/values/cutting.h"

#include "llvm/keep.h"

#include <string.h>

enum { ALIGNMENT = 16 };

// ----------------------------------------------------------------- entry ---

static LLVMValueRef reserve(Cutting *c, uint64_t bytes) {
  LLVMTypeRef type = LLVMArrayType2(c->i8, bytes);
  LLVMValueRef made = LLVMBuildAlloca(c->builder, type, "");
  LLVMSetAlignment(made, ALIGNMENT);
  return made;
}

static LLVMValueRef reserve_zeros(Cutting *c, uint64_t bytes) {
  LLVMValueRef made = reserve(c, bytes);
  LLVMBuildMemSet(c->builder, made, LLVMConstNull(c->i8),
                  LLVMConstInt(c->i64, bytes, false), ALIGNMENT);
  return made;
}

// Frames get their size when all that is to be kept is known.
static void begin(Cutting *c) {
  LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(c->kernel);
  push(&c->task->arena, &c->regions, first);
  c->entry = LLVMInsertBasicBlockInContext(c->context, first, "");
  c->dispatch = LLVMAppendBasicBlockInContext(c->context, c->kernel, "");
  LLVMPositionBuilderAtEnd(c->builder, c->entry);
  c->thread = reserve_zeros(c, VALUES_THREAD_BYTES);
  for (unsigned i = 0; i < FRAMES; i++)
    c->frames[i] = reserve(c, 1);
  LLVMBuildBr(c->builder, c->dispatch);
}

static void end_at_dispatch(Cutting *c, LLVMBasicBlockRef block, int next,
                            int place, LLVMValueRef vote) {
  LLVMPositionBuilderAtEnd(c->builder, block);
  LLVMValueRef arguments[] = {c->thread, cutting_number(c, next),
                              cutting_number(c, place), vote};
  cutting_call(c, c->none, "arrive", arguments, 4);
  LLVMBuildBr(c->builder, c->dispatch);
}

// ---------------------------------------------------------------- barriers ---

static LLVMBasicBlockRef split_before(Cutting *c, LLVMValueRef instruction) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  LLVMBasicBlockRef head = llvm_split_before(instruction);
  for (size_t i = 0; i < c->regions.count; i++)
    if (c->regions.at[i] == block)
      c->regions.at[i] = head;
  return head;
}

static int vote_of(const char *name) {
  return strstr(name, ".popc.")  ? VALUES_COUNT
         : strstr(name, ".and.") ? VALUES_AND
         : strstr(name, ".or.")  ? VALUES_OR
                                 : VALUES_NO_VOTE;
}

static void answer(Cutting *c, LLVMValueRef barrier, int kind) {
  LLVMPositionBuilderBefore(c->builder, barrier);
  LLVMValueRef arguments[] = {c->thread, cutting_number(c, kind)};
  LLVMValueRef result = cutting_call(c, c->i32, "vote", arguments, 2);
  LLVMReplaceAllUsesWith(
      barrier,
      LLVMBuildIntCast2(c->builder, result, LLVMTypeOf(barrier), false, ""));
}

static LLVMValueRef word_of(Cutting *c, LLVMValueRef vote) {
  return LLVMBuildZExt(c->builder,
                       LLVMBuildICmp(c->builder, LLVMIntNE, vote,
                                     LLVMConstNull(LLVMTypeOf(vote)), ""),
                       c->i32, "");
}

// A function with a barrier that is inlined twice has one all the same.
static int place_of(Cutting *c, LLVMValueRef barrier) {
  Loc loc = llvm_location(c->task, barrier);
  for (size_t i = 0; i < c->places.count && loc.line; i++)
    if (c->places.at[i].line == loc.line &&
        c->places.at[i].column == loc.column)
      return (int)i;
  push(&c->task->arena, &c->places, loc);
  return (int)c->places.count - 1;
}

static void cut_at(Cutting *c, LLVMValueRef barrier) {
  int kind = vote_of(jit_declared(barrier));
  unsigned operands = LLVMGetNumArgOperands(barrier);
  LLVMBasicBlockRef head = split_before(c, barrier);
  LLVMValueRef vote = LLVMConstNull(c->i32);
  LLVMPositionBuilderAtEnd(c->builder, head);
  if (kind != VALUES_NO_VOTE)
    vote = word_of(c, LLVMGetOperand(barrier, operands - 1));
  end_at_dispatch(c, head, (int)c->regions.count, place_of(c, barrier), vote);
  push(&c->task->arena, &c->regions, LLVMGetInstructionParent(barrier));
  if (kind != VALUES_NO_VOTE)
    answer(c, barrier, kind);
  LLVMPositionBuilderBefore(c->builder, barrier);
  cutting_begin_async(c);
  LLVMInstructionEraseFromParent(barrier);
}

static void end_threads(Cutting *c) {
  for (size_t i = 0; i < c->returns.count; i++) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(c->returns.at[i]);
    LLVMInstructionEraseFromParent(c->returns.at[i]);
    end_at_dispatch(c, block, VALUES_IDLE, 0, LLVMConstNull(c->i32));
  }
}

// --------------------------------------------------------------- dispatch ---

static LLVMValueRef call_next(Cutting *c) {
  int flags = (c->has_warps ? 0 : VALUES_ALONE) |
              (c->has_records ? VALUES_RECORDED : 0);
  LLVMValueRef arguments[] = {
      c->thread,    c->frames[0],         c->frames[1],
      c->frames[2], cutting_number(c, 0), cutting_number(c, flags)};
  return cutting_call(c, c->i32, "next", arguments, 6);
}

static LLVMValueRef dispatch(Cutting *c) {
  LLVMBasicBlockRef end =
      LLVMAppendBasicBlockInContext(c->context, c->kernel, "");
  LLVMPositionBuilderAtEnd(c->builder, end);
  LLVMBuildRetVoid(c->builder);
  LLVMPositionBuilderAtEnd(c->builder, c->dispatch);
  LLVMValueRef next = call_next(c);
  LLVMValueRef jump = LLVMBuildSwitch(c->builder, next, c->dispatch,
                                      (unsigned)c->regions.count + 1);
  LLVMAddCase(jump, cutting_number(c, VALUES_DONE), end);
  for (size_t i = 0; i < c->regions.count; i++)
    LLVMAddCase(jump, cutting_number(c, (int)i), c->regions.at[i]);
  return next;
}

static void give_frames_room(Cutting *c, LLVMValueRef next) {
  enum { SIZE = 4 }; // which operand of the call it is
  uint64_t bytes = (c->frame_bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
  for (unsigned i = 0; i < FRAMES; i++) {
    LLVMPositionBuilderBefore(c->builder, c->frames[i]);
    LLVMValueRef frame = i ? reserve(c, bytes) : reserve_zeros(c, bytes);
    LLVMReplaceAllUsesWith(c->frames[i], frame);
    LLVMInstructionEraseFromParent(c->frames[i]);
    c->frames[i] = frame;
  }
  LLVMSetOperand(next, SIZE, cutting_number(c, (int)bytes));
}

static void align_operand(LLVMValueRef call, unsigned operand) {
  static const char name[] = "align";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMAttributeRef known = LLVMGetCallSiteEnumAttribute(call, operand, kind);
  if (!known || LLVMGetEnumAttributeValue(known) <= ALIGNMENT)
    return;
  LLVMRemoveCallSiteEnumAttribute(call, operand, kind);
  LLVMSetInstrParamAlignment(call, operand, ALIGNMENT);
}

static void align_access(LLVMValueRef i) {
  bool is_plain = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
  if (is_plain && LLVMGetAlignment(i) > ALIGNMENT)
    LLVMSetAlignment(i, ALIGNMENT);
  if (LLVMIsACallInst(i) && llvm_transfer(i))
    for (unsigned operand = 1; operand <= 2; operand++)
      align_operand(i, operand);
}

// What is in a frame has no stricter alignment than the frame.
static void align_as_frames(Cutting *c) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(c->kernel); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      align_access(i);
}

// -------------------------------------------------------------------- all ---

static Cutting open(Task *task, LLVMModuleRef module, const KernelEntry *entry,
                    Sites *sites) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  return (Cutting){.task = task,
                   .module = module,
                   .context = context,
                   .kernel = entry->function,
                   .layout = LLVMGetModuleDataLayout(module),
                   .builder = LLVMCreateBuilderInContext(context),
                   .none = LLVMVoidTypeInContext(context),
                   .i8 = LLVMInt8TypeInContext(context),
                   .i32 = LLVMInt32TypeInContext(context),
                   .i64 = LLVMInt64TypeInContext(context),
                   .pointer = LLVMPointerTypeInContext(context, 0),
                   .sites = sites};
}

static void refuse_opencl(Task *task, LLVMModuleRef module,
                          const KernelEntry *entry) {
  if (strncmp(LLVMGetTarget(module), "nvptx64", 7) != 0)
    unsupported(task, entry->loc,
                "--detect=values: only those of CUDA are cut");
}

// What they find is what others have left first.
static void refuse_first_come(Cutting *c) {
  if (c->atomics.count)
    REFUSE(c, c->atomics.at[0],
           "an atomic operation or volatile access finds what came before");
}

typedef struct Survey {
  Cutting *cutting;
  const KernelEntry *entry;
  const Cut *cut;
} Survey;

static void refuse_for_device(Cutting *c) {
  if (c->async.count)
    REFUSE(c, c->async.at[0], "'%s' is not executed twice on a device",
           jit_declared(c->async.at[0]));
}

// On its copy a thread would wait for ever for what another one writes.
static bool may_wait(const Cutting *c) {
  Code code = {.function = c->kernel};
  return jit_may_spin(c->task, &code, c->kernel) ||
         jit_may_wait(c->task, c->kernel);
}

// Of these more is seen if they are not cut, or what nothing orders but what a
// thread has found.
static const char *why_in_order(Cutting *c, const Cut *cut) {
  if (may_wait(c))
    return "a thread may wait for another one in a loop";
  if (cut->wants_copies && !cut->is_deterministic)
    return NULL;
  if (c->has_warps)
    return "threads of a warp do something together";
  if (c->has_widths)
    return "strong accesses have several widths";
  if (cutting_may_come_last(c))
    return "a thread may find that it comes last";
  return NULL;
}

static void leave_in_order(Cutting *c, const KernelEntry *entry,
                           const Cut *cut) {
  const char *why = why_in_order(c, cut);
  if (why)
    unsupported(c->task, entry->loc, "--detect=values: %s", why);
}

static void survey(Task *task, void *data) {
  const Survey *survey = data;
  Cutting *c = survey->cutting;
  refuse_opencl(task, c->module, survey->entry);
  cutting_survey(c);
  if (survey->cut->is_deterministic)
    refuse_first_come(c);
  if (survey->cut->is_for_device)
    refuse_for_device(c);
  else
    leave_in_order(c, survey->entry, survey->cut);
}

// This machine executes the others in an order of its own, which a device has
// not.
static bool can_be_cut(Task *task, Survey *what, Cut *cut) {
  static const char prefix[] = "--detect=values: ";
  const size_t length = sizeof prefix - 1;
  if (task_try(task, survey, what))
    return true;
  if (cut->is_for_device)
    unsupported(task, task->where, "%s", task->reason);
  cut->reason =
      task->reason + (strncmp(task->reason, prefix, length) ? 0 : length);
  if (cut->is_deterministic)
    unsupported(task, task->where, "--deterministic: %s", cut->reason);
  cut->where = task->where;
  return false;
}

void values_cut(Task *task, LLVMModuleRef module, const KernelEntry *entry,
                Cut *cut) {
  Cutting c = open(task, module, entry, &cut->sites);
  c.has_warps = cut->has_warps;
  c.are_apart = cut->are_apart;
  Survey what = {&c, entry, cut};
  if (!can_be_cut(task, &what, cut)) {
    cutting_clear_locals(&c);
    LLVMDisposeBuilder(c.builder);
    return;
  }
  cutting_link(module, cut->is_for_device);
  begin(&c);
  cutting_redirect_async(&c);
  cutting_redirect(&c);
  cutting_remove_fences(&c);
  cutting_redirect_atomics(&c);
  cutting_keep_locals(&c);
  for (size_t i = 0; i < c.barriers.count; i++)
    cut_at(&c, c.barriers.at[i]);
  end_threads(&c);
  LLVMValueRef next = dispatch(&c);
  cutting_keep_values(&c);
  give_frames_room(&c, next);
  align_as_frames(&c);
  LLVMDisposeBuilder(c.builder);
  cut->has_warps = c.has_warps;
  cut->calm = cutting_calm_names(&c);
}

void values_tell(Task *task, Code *code, const Cut *cut) {
  code->is_cut = !cut->reason;
  code->is_repeated = cut->reason;
  code->uncut = cut->reason;
  code->uncut_at = cut->where;
  code->has_warp_units = cut->has_warps;
  code->calm = cut->calm;
  code->cut_sites = (uint32_t)code->sites.count;
  for (size_t i = 0; i < cut->sites.count; i++)
    push(&task->arena, &code->sites, cut->sites.at[i]);
}

const Cutter values_cutter = {values_cut, values_tell};
