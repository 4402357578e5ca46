// OpenCL 2's atomic functions as LLVM's atomic instructions.
//
// Their order and scope are arguments, numbered as clang's headers do; after
// the passes of llvm_prepare these are constants, or we do not execute the
// kernel.  Without them an operation is seq_cst for the whole device (OpenCL C
// 3.0, 6.15.12).  The instruction keeps the scope.

#include "runtime/jit/jit.h"

#include <assert.h>
#include <string.h>

typedef enum Shape {
  SHAPE_LOAD,    // (at, order, scope)
  SHAPE_STORE,   // (at, value, order, scope)
  SHAPE_INIT,    // (at, value), no atomic
  SHAPE_FETCH,   // the same, with the old value as its result
  SHAPE_COMPARE, // (at, expected, value, order, order if it fails, scope)
  SHAPE_SET,     // (at, order, scope) of a flag
  SHAPE_CLEAR,
} Shape;

typedef struct Row {
  const char *name;
  Shape shape;
  LLVMAtomicRMWBinOp of_signed, of_unsigned, of_float;
} Row;

#define ALL(op) LLVMAtomicRMWBinOp##op
#define BITS(op) ALL(op), ALL(op), ALL(Xchg) // not of floating point

static const Row rows[] = {
    {"atomic_load", SHAPE_LOAD, BITS(Xchg)},
    {"atomic_store", SHAPE_STORE, BITS(Xchg)},
    {"atomic_init", SHAPE_INIT, BITS(Xchg)},
    {"atomic_exchange", SHAPE_FETCH, BITS(Xchg)},
    {"atomic_fetch_add", SHAPE_FETCH, ALL(Add), ALL(Add), ALL(FAdd)},
    {"atomic_fetch_sub", SHAPE_FETCH, ALL(Sub), ALL(Sub), ALL(FSub)},
    {"atomic_fetch_min", SHAPE_FETCH, ALL(Min), ALL(UMin), ALL(FMin)},
    {"atomic_fetch_max", SHAPE_FETCH, ALL(Max), ALL(UMax), ALL(FMax)},
    {"atomic_fetch_and", SHAPE_FETCH, BITS(And)},
    {"atomic_fetch_or", SHAPE_FETCH, BITS(Or)},
    {"atomic_fetch_xor", SHAPE_FETCH, BITS(Xor)},
    {"atomic_compare_exchange_strong", SHAPE_COMPARE, BITS(Xchg)},
    {"atomic_compare_exchange_weak", SHAPE_COMPARE, BITS(Xchg)},
    {"atomic_flag_test_and_set", SHAPE_SET, BITS(Xchg)},
    {"atomic_flag_clear", SHAPE_CLEAR, BITS(Xchg)},
};

#undef BITS
#undef ALL

static const Row *row_of(Task *task, const char *name, bool *is_explicit) {
  static const char suffix[] = "_explicit";
  const char *plain = plain_name(task, name);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t length = strlen(rows[i].name);
    if (strncmp(plain, rows[i].name, length) != 0)
      continue;
    *is_explicit = !strcmp(plain + length, suffix);
    if (*is_explicit || !plain[length])
      return &rows[i];
  }
  return NULL;
}

bool code_has_own(Task *task, const char *name) {
  bool is_explicit, is_mangled = !strncmp(name, "_Z", 2);
  return builtin_find(task, name) ||
         (is_mangled &&
          (row_of(task, name, &is_explicit) || jit_is_of_group(task, name)));
}

// ------------------------------------------------------------- arguments ---

typedef struct Atomic {
  Task *task;
  const Row *row;
  LLVMValueRef call, at;
  LLVMBuilderRef builder;
  LLVMAtomicOrdering order, if_it_fails;
  unsigned scope; // LLVM's number
} Atomic;

static uint64_t constant(const Atomic *a, unsigned index) {
  assert(index < LLVMGetNumArgOperands(a->call));
  LLVMValueRef value = LLVMGetOperand(a->call, index);
  if (!LLVMIsAConstantInt(value))
    unsupported(a->task, llvm_location(a->task, a->call),
                "an atomic whose order or scope is computed is not executed");
  return LLVMConstIntGetZExtValue(value);
}

static LLVMAtomicOrdering order_at(const Atomic *a, unsigned index) {
  static const LLVMAtomicOrdering orders[] = {
      LLVMAtomicOrderingMonotonic,
      LLVMAtomicOrderingAcquire, // consume
      LLVMAtomicOrderingAcquire,
      LLVMAtomicOrderingRelease,
      LLVMAtomicOrderingAcquireRelease,
      LLVMAtomicOrderingSequentiallyConsistent};
  uint64_t order = constant(a, index);
  if (order >= sizeof orders / sizeof *orders)
    unsupported(a->task, llvm_location(a->task, a->call),
                "an atomic of unknown order is not executed");
  return orders[order];
}

static unsigned scope_named(const Atomic *a, const char *name) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(a->call));
  return LLVMGetSyncScopeID(context, name, strlen(name));
}

static unsigned scope_at(const Atomic *a, unsigned index) {
  static const char *const names[] = {"singlethread", "workgroup", "device", "",
                                      "sub_group"};
  uint64_t scope = constant(a, index);
  if (scope >= sizeof names / sizeof *names)
    unsupported(a->task, llvm_location(a->task, a->call),
                "an atomic of unknown scope is not executed");
  return scope_named(a, names[scope]);
}

// Behind the first `operands` may be the order, and behind that the scope.
static void read_order(Atomic *a, bool is_explicit, unsigned operands) {
  unsigned count = LLVMGetNumArgOperands(a->call);
  unsigned scope = operands + (a->row->shape == SHAPE_COMPARE ? 2 : 1);
  a->order = a->if_it_fails = LLVMAtomicOrderingSequentiallyConsistent;
  a->scope = scope_named(a, "device");
  if (!is_explicit || count <= operands)
    return;
  a->order = a->if_it_fails = order_at(a, operands);
  if (a->row->shape == SHAPE_COMPARE)
    a->if_it_fails = order_at(a, operands + 1);
  if (count > scope)
    a->scope = scope_at(a, scope);
}

// ------------------------------------------------------------ operations ---

// The type behind the pointer stands in the name: "VU7_Atomici".
static LLVMAtomicRMWBinOp operation(const Atomic *a, const char *name) {
  const char *type = strstr(name, "U7_Atomic");
  switch (type ? type[strlen("U7_Atomic")] : 'i') {
  case 'j':
  case 'm':
    return a->row->of_unsigned;
  case 'f':
  case 'd':
    return a->row->of_float;
  default:
    return a->row->of_signed;
  }
}

static void strengthen(const Atomic *a, LLVMValueRef access, LLVMTypeRef type) {
  LLVMModuleRef module = LLVMGetGlobalParent(
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(a->call)));
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMSetOrdering(access, a->order);
  LLVMSetAtomicSyncScopeID(access, a->scope);
  LLVMSetAlignment(access, (unsigned)LLVMStoreSizeOfType(layout, type));
}

static LLVMValueRef make_load(const Atomic *a) {
  LLVMTypeRef type = LLVMTypeOf(a->call);
  LLVMValueRef load = LLVMBuildLoad2(a->builder, type, a->at, "");
  strengthen(a, load, type);
  return load;
}

static void make_store(const Atomic *a, LLVMValueRef value) {
  LLVMValueRef store = LLVMBuildStore(a->builder, value, a->at);
  strengthen(a, store, LLVMTypeOf(value));
}

static LLVMValueRef make_fetch(const Atomic *a, LLVMAtomicRMWBinOp operation,
                               LLVMValueRef value) {
  return LLVMBuildAtomicRMWSyncScope(a->builder, operation, a->at, value,
                                     a->order, a->scope);
}

// What was there goes to `expected`, also where it is what is there already.
static LLVMValueRef make_compare(const Atomic *a) {
  LLVMValueRef value = LLVMGetOperand(a->call, 2);
  LLVMValueRef expected_at = LLVMGetOperand(a->call, 1);
  LLVMValueRef expected =
      LLVMBuildLoad2(a->builder, LLVMTypeOf(value), expected_at, "");
  LLVMValueRef made = LLVMBuildAtomicCmpXchgSyncScope(
      a->builder, a->at, expected, value, a->order, a->if_it_fails, a->scope);
  LLVMValueRef old = LLVMBuildExtractValue(a->builder, made, 0, "");
  LLVMBuildStore(a->builder, old, expected_at);
  return LLVMBuildExtractValue(a->builder, made, 1, "");
}

static LLVMValueRef make_set(const Atomic *a) {
  LLVMTypeRef i32 =
      LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(a->call)));
  LLVMValueRef old =
      make_fetch(a, LLVMAtomicRMWBinOpXchg, LLVMConstInt(i32, 1, false));
  return LLVMBuildICmp(a->builder, LLVMIntNE, old, LLVMConstNull(i32), "");
}

static LLVMValueRef make(const Atomic *a, const char *name) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(a->call));
  switch (a->row->shape) {
  case SHAPE_LOAD:
    return make_load(a);
  case SHAPE_STORE:
    make_store(a, LLVMGetOperand(a->call, 1));
    return NULL;
  case SHAPE_INIT:
    LLVMBuildStore(a->builder, LLVMGetOperand(a->call, 1), a->at);
    return NULL;
  case SHAPE_FETCH:
    return make_fetch(a, operation(a, name), LLVMGetOperand(a->call, 1));
  case SHAPE_COMPARE:
    return make_compare(a);
  case SHAPE_SET:
    return make_set(a);
  case SHAPE_CLEAR:
    make_store(a, LLVMConstNull(LLVMInt32TypeInContext(context)));
    return NULL;
  }
  return NULL;
}

static unsigned operands(Shape shape) {
  switch (shape) {
  case SHAPE_LOAD:
  case SHAPE_SET:
  case SHAPE_CLEAR:
    return 1;
  case SHAPE_STORE:
  case SHAPE_INIT:
  case SHAPE_FETCH:
    return 2;
  case SHAPE_COMPARE:
    return 3;
  }
  return 0;
}

// A comparison of floating point numbers is left alone.
static void lower(Task *task, LLVMValueRef call) {
  const char *name = jit_declared(call);
  bool is_explicit;
  const Row *row =
      name && !strncmp(name, "_Z", 2) ? row_of(task, name, &is_explicit) : NULL;
  if (!row || LLVMGetNumArgOperands(call) < operands(row->shape))
    return;
  if (row->shape == SHAPE_COMPARE &&
      LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 2))) !=
          LLVMIntegerTypeKind)
    return;
  Atomic a = {
      .task = task, .row = row, .call = call, .at = LLVMGetOperand(call, 0)};
  read_order(&a, is_explicit, operands(row->shape));
  a.builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
  LLVMPositionBuilderBefore(a.builder, call);
  LLVMValueRef value = make(&a, name);
  LLVMDisposeBuilder(a.builder);
  if (value)
    LLVMReplaceAllUsesWith(call, value);
  LLVMInstructionEraseFromParent(call);
}

void jit_lower_opencl_atomics(Task *task, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      if (LLVMIsACallInst(i))
        lower(task, i);
    }
}
