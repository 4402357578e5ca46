// Atomic operations of a kernel that is cut, and volatile accesses, which are
// as strong as relaxed atomic ones.
//
// values.cu puts what an operation finds into bytes of the thread's own; there
// the operation is executed as a plain one, and values.cu is told of what it
// has left.  Whether it orders other accesses, order.c says.

#include "runtime/values/cutting.h"

#include <string.h>

enum { WIDEST = 8 };

static unsigned address_operand(LLVMValueRef i) {
  return LLVMIsAStoreInst(i) ? 1 : 0;
}

static LLVMTypeRef accessed_type(LLVMValueRef i) {
  if (LLVMIsALoadInst(i))
    return LLVMTypeOf(i);
  return LLVMTypeOf(LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 0 : 1));
}

static uint64_t accessed_bytes(const Cutting *c, LLVMValueRef i) {
  return LLVMStoreSizeOfType(c->layout, accessed_type(i));
}

static Site site_of(const Cutting *c, LLVMValueRef i) {
  bool is_plain = !LLVMIsACallInst(i) && !LLVMGetOrdering(i);
  bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
  Site site = {.kind = is_access && is_plain ? SITE_READ : SITE_ATOMIC,
               .loc = llvm_location(c->task, i),
               .scope = SCOPE_SYSTEM};
  jit_fill_order(c->task, i, &site);
  return site;
}

// ------------------------------------------------------------ instructions ---

// llvm.nvvm.atomic.add.gen.i.cta.i32.p0, __gpuverify_atomic_umax.cta.i32
static LLVMAtomicRMWBinOp operation_of(const char *name) {
  static const struct {
    const char *part;
    LLVMAtomicRMWBinOp operation;
  } rows[] = {{".add.gen.f.", LLVMAtomicRMWBinOpFAdd},
              {".add.", LLVMAtomicRMWBinOpAdd},
              {".exch.", LLVMAtomicRMWBinOpXchg},
              {".and.", LLVMAtomicRMWBinOpAnd},
              {".or.", LLVMAtomicRMWBinOpOr},
              {".xor.", LLVMAtomicRMWBinOpXor},
              {".max.", LLVMAtomicRMWBinOpMax},
              {".min.", LLVMAtomicRMWBinOpMin},
              {"_umax.", LLVMAtomicRMWBinOpUMax},
              {"_umin.", LLVMAtomicRMWBinOpUMin},
              {".inc.", LLVMAtomicRMWBinOpUIncWrap},
              {".dec.", LLVMAtomicRMWBinOpUDecWrap}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strstr(name, rows[i].part))
      return rows[i].operation;
  return LLVMAtomicRMWBinOpNand; // which no call is
}

static bool is_understood(LLVMValueRef call) {
  return jit_is_compare(call) ||
         operation_of(jit_declared(call)) != LLVMAtomicRMWBinOpNand;
}

static LLVMValueRef compare(Cutting *c, LLVMValueRef call) {
  LLVMAtomicOrdering order = LLVMAtomicOrderingMonotonic;
  LLVMValueRef pair = LLVMBuildAtomicCmpXchg(
      c->builder, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1),
      LLVMGetOperand(call, 2), order, order, false);
  LLVMReplaceAllUsesWith(call, LLVMBuildExtractValue(c->builder, pair, 0, ""));
  return pair;
}

// An intrinsic becomes an instruction.
static LLVMValueRef instruction_of(Cutting *c, LLVMValueRef call) {
  LLVMPositionBuilderBefore(c->builder, call);
  LLVMValueRef made;
  if (jit_is_compare(call)) {
    made = compare(c, call);
  } else {
    made = LLVMBuildAtomicRMW(c->builder, operation_of(jit_declared(call)),
                              LLVMGetOperand(call, 0), LLVMGetOperand(call, 1),
                              LLVMAtomicOrderingMonotonic, false);
    LLVMReplaceAllUsesWith(call, made);
  }
  LLVMInstructionEraseFromParent(call);
  return made;
}

// What was to be compared was equal, for that alone writes.
static LLVMValueRef has_written(Cutting *c, LLVMValueRef compare) {
  LLVMValueRef is_equal = LLVMBuildExtractValue(c->builder, compare, 1, "");
  LLVMValueRef written = cutting_number(c, VALUES_WRITES);
  return LLVMBuildSelect(c->builder, is_equal, written, cutting_number(c, 0),
                         "");
}

// ------------------------------------------------------------------ survey ---

void cutting_survey_atomic(Cutting *c, LLVMValueRef i) {
  uint64_t bytes = accessed_bytes(c, i);
  LLVMValueRef address = LLVMGetOperand(i, address_operand(i));
  Site site = site_of(c, i);
  if (site.kind == SITE_READ && !site.is_volatile)
    REFUSE(c, i, "a volatile access of several parts is not executed twice");
  if (site.scope != SCOPE_BLOCK && site.scope != SCOPE_GRID &&
      site.scope != SCOPE_SYSTEM)
    REFUSE(c, i, "an atomic of this scope is not executed twice");
  if (bytes > WIDEST || (bytes & (bytes - 1)))
    REFUSE(c, i, "an atomic of this width is not executed twice");
  if (cutting_points_to(c, i, address) != POINTS_OTHER)
    REFUSE(c, i, "an atomic on a variable of the thread's own");
  if (LLVMIsACallInst(i) && !is_understood(i))
    REFUSE(c, i, "'%s' is not executed twice",
           plain_name(c->task, jit_declared(i)));
  push(&c->task->arena, &c->atomics, i);
  c->has_widths |= c->width && c->width != bytes;
  c->width = bytes;
  if (site.acquires || site.acquires_if_it_fails)
    push(&c->task->arena, &c->acquiring, i);
  if (site.releases)
    push(&c->task->arena, &c->releasing, i);
  c->has_records = true;
}

// ---------------------------------------------------------------- redirect ---

static SiteKind kind_of(LLVMValueRef i, const Site *site) {
  if (site->kind == SITE_ATOMIC)
    return SITE_ATOMIC;
  return LLVMIsAStoreInst(i) ? SITE_WRITE : SITE_READ;
}

static void redirect(Cutting *c, LLVMValueRef i) {
  Site site = site_of(c, i);
  uint64_t bytes = accessed_bytes(c, i);
  int number = cutting_add_site(c, i, kind_of(i, &site), bytes);
  if (LLVMIsACallInst(i))
    i = instruction_of(c, i);
  unsigned operand = address_operand(i);
  int flags = (site.scope == SCOPE_BLOCK ? VALUES_NARROW : 0) |
              (LLVMIsALoadInst(i) ? VALUES_READS : 0);
  LLVMPositionBuilderBefore(c->builder, i);
  LLVMValueRef address = cutting_flat(c, LLVMGetOperand(i, operand));
  LLVMValueRef own = cutting_place(c, bytes, WIDEST);
  LLVMValueRef width = cutting_number(c, (int)bytes);
  LLVMValueRef found[] = {c->thread, address, width, cutting_number(c, flags),
                          own};
  cutting_call(c, c->none, "find", found, 5);
  LLVMSetOperand(i, operand, own);
  if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
    LLVMSetVolatile(i, false);
  LLVMPositionBuilderBefore(c->builder, LLVMGetNextInstruction(i));
  LLVMValueRef all =
      cutting_number(c, flags | (LLVMIsALoadInst(i) ? 0 : VALUES_WRITES));
  if (LLVMIsAAtomicCmpXchgInst(i))
    all = LLVMBuildOr(c->builder, has_written(c, i), cutting_number(c, flags),
                      "");
  LLVMValueRef left[] = {c->thread, address, width, cutting_number(c, number),
                         all,       own};
  cutting_call(c, c->none, "update", left, 6);
}

void cutting_redirect_atomics(Cutting *c) {
  for (size_t i = 0; i < c->atomics.count; i++)
    redirect(c, c->atomics.at[i]);
  if (c->atomics.count)
    llvm_lower_atomics(c->kernel);
}
