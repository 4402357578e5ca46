// Asynchronous copies of a kernel that is cut (cp.async), which come when their
// thread waits for them: async.cu has a list of those on their way, in the
// frame of the thread.
//
// Each access of such a kernel is held against the list before it is made, and
// in each region that a barrier begins the copies on their way are made again.
// Bulk copies, and those that an mbarrier waits for, are refused.

#include "runtime/values/cutting.h"

#include <string.h>

enum { ALIGNMENT = 16 };

// ----------------------------------------------------------------- survey ---

static bool is_plain_kind(LLVMValueRef kind) {
  return LLVMIsAConstantInt(kind) && LLVMConstIntGetZExtValue(kind) == 0;
}

bool cutting_survey_async(Cutting *c, LLVMValueRef call, const char *name) {
  static const char *const names[] = {
      "__gpuverify_copy", "__gpuverify_copies_commit",
      "__gpuverify_copies_wait", "__gpuverify_copies_wait_all"};
  bool is_one = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    is_one |= !strcmp(name, names[i]);
  if (!is_one)
    return false;
  bool has_kind = !strcmp(name, names[1]) || !strcmp(name, names[2]);
  if (has_kind && !is_plain_kind(LLVMGetOperand(call, 0)))
    REFUSE(c, call, "a bulk copy is not executed twice");
  push(&c->task->arena, &c->async, call);
  return true;
}

// ---------------------------------------------------------------- redirect ---

static void redirect(Cutting *c, LLVMValueRef call) {
  const char *name = jit_declared(call);
  bool waits_for_all = !strcmp(name, "__gpuverify_copies_wait_all");
  LLVMPositionBuilderBefore(c->builder, call);
  if (!strcmp(name, "__gpuverify_copy")) {
    LLVMValueRef bytes = LLVMGetOperand(call, 2);
    uint64_t width =
        LLVMIsAConstantInt(bytes) ? LLVMConstIntGetZExtValue(bytes) : 1;
    int site = cutting_add_site(c, call, SITE_WRITE, width);
    cutting_add_site(c, call, SITE_READ, width);
    LLVMValueRef in[] = {c->thread,
                         c->flights,
                         cutting_flat(c, LLVMGetOperand(call, 0)),
                         cutting_flat(c, LLVMGetOperand(call, 1)),
                         bytes,
                         LLVMGetOperand(call, 3),
                         cutting_number(c, site)};
    cutting_call(c, c->none, "start_copy", in, 7);
  }
  if (waits_for_all || !strcmp(name, "__gpuverify_copies_commit"))
    cutting_call(c, c->none, "commit_copies", &c->flights, 1);
  if (waits_for_all || !strcmp(name, "__gpuverify_copies_wait")) {
    LLVMValueRef most =
        waits_for_all ? cutting_number(c, 0) : LLVMGetOperand(call, 1);
    cutting_call(c, c->none, "wait_for_copies",
                 (LLVMValueRef[]){c->flights, most}, 2);
  }
  LLVMInstructionEraseFromParent(call);
}

// ------------------------------------------------------------------- watch ---

// Here, where the builder is.
static void watch(Cutting *c, LLVMValueRef access, LLVMValueRef pointer,
                  LLVMValueRef bytes, uint64_t width, LLVMValueRef is_write) {
  SiteKind kind = LLVMIsNull(is_write) ? SITE_READ : SITE_WRITE;
  LLVMValueRef in[] = {
      c->thread,
      c->flights,
      cutting_flat(c, pointer),
      LLVMBuildIntCast2(c->builder, bytes, c->i64, false, ""),
      cutting_number(c, cutting_add_site(c, access, kind, width)),
      is_write};
  cutting_call(c, c->none, "watch", in, 6);
}

static void watch_transfer(Cutting *c, LLVMValueRef call) {
  LLVMPositionBuilderBefore(c->builder, call);
  for (unsigned end = 0; end < 2; end++) {
    LLVMValueRef pointer = LLVMGetOperand(call, end);
    if (end && llvm_transfer(call) != TRANSFER_COPY)
      return;
    if (cutting_points_to(c, call, pointer) != POINTS_OWN)
      watch(c, call, pointer, LLVMGetOperand(call, 2), 1,
            cutting_number(c, !end));
  }
}

// What is compared is written if it was equal, so the builder is behind it.
static LLVMValueRef has_written(Cutting *c, LLVMValueRef i) {
  LLVMPositionBuilderBefore(c->builder, LLVMGetNextInstruction(i));
  LLVMValueRef is_equal =
      LLVMIsACallInst(i)
          ? LLVMBuildICmp(c->builder, LLVMIntEQ, i, LLVMGetOperand(i, 1), "")
          : LLVMBuildExtractValue(c->builder, i, 1, "");
  return LLVMBuildZExt(c->builder, is_equal, c->i32, "");
}

static void watch_access(Cutting *c, LLVMValueRef i) {
  bool is_store = LLVMIsAStoreInst(i), is_load = LLVMIsALoadInst(i);
  LLVMTypeRef type =
      is_load ? LLVMTypeOf(i) : LLVMTypeOf(LLVMGetOperand(i, is_store ? 0 : 1));
  uint64_t bytes = LLVMStoreSizeOfType(c->layout, type);
  LLVMValueRef is_write = cutting_number(c, !is_load);
  LLVMPositionBuilderBefore(c->builder, i);
  if (LLVMIsAAtomicCmpXchgInst(i) || (LLVMIsACallInst(i) && jit_is_compare(i)))
    is_write = has_written(c, i);
  watch(c, i, LLVMGetOperand(i, is_store ? 1 : 0),
        LLVMConstInt(c->i64, bytes, false), bytes, is_write);
}

void cutting_redirect_async(Cutting *c) {
  if (!c->async.count)
    return;
  c->flights = cutting_place(c, VALUES_FLIGHTS_BYTES, ALIGNMENT);
  for (size_t i = 0; i < c->accesses.count; i++)
    if (LLVMIsACallInst(c->accesses.at[i]))
      watch_transfer(c, c->accesses.at[i]);
    else
      watch_access(c, c->accesses.at[i]);
  for (size_t i = 0; i < c->atomics.count; i++)
    watch_access(c, c->atomics.at[i]);
  for (size_t i = 0; i < c->async.count; i++)
    redirect(c, c->async.at[i]);
}

void cutting_begin_async(Cutting *c) {
  if (c->flights)
    cutting_call(c, c->none, "fly", (LLVMValueRef[]){c->thread, c->flights}, 2);
}
