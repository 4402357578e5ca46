// Intrinsics of mbarriers and asynchronous copies, as calls of ours.
//
// The name of an intrinsic such as llvm.nvvm.mbarrier.arrive says what the
// functions of mbarriers.c and copies.c take as arguments.

#include "runtime/jit/assembly.h"
#include "runtime/machine/copies.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ARGUMENTS = 6, NONE = -1 };

// Behind its pointers and numbers go up to two numbers more; a copy has its
// size there, and what it takes of that.
typedef struct Row {
  const char *name, *ours;
  int first; // number before the arguments, or NONE
  int more[2];
  unsigned copied; // bytes
} Row;

static const Row rows[] = {
    {"mbarrier.init", "mbarrier_init", NONE, {NONE, NONE}, 0},
    {"mbarrier.inval", "mbarrier_inval", NONE, {NONE, NONE}, 0},
    {"mbarrier.arrive", "mbarrier_arrive", NONE, {1, 0}, 0},
    {"mbarrier.arrive.noComplete",
     "mbarrier_arrive",
     NONE,
     {ARRIVE_NO_COMPLETE, NONE},
     0},
    {"mbarrier.arrive.drop", "mbarrier_arrive", NONE, {1, ARRIVE_DROP}, 0},
    {"mbarrier.arrive.drop.noComplete",
     "mbarrier_arrive",
     NONE,
     {ARRIVE_DROP | ARRIVE_NO_COMPLETE, NONE},
     0},
    {"mbarrier.test.wait", "mbarrier_wait", NONE, {0, NONE}, 0},
    {"mbarrier.pending.count", "mbarrier_pending", NONE, {NONE, NONE}, 0},
    {"cp.async.mbarrier.arrive",
     "mbarrier_after_copies",
     NONE,
     {false, NONE},
     0},
    {"cp.async.mbarrier.arrive.noinc",
     "mbarrier_after_copies",
     NONE,
     {true, NONE},
     0},
    {"cp.async.commit.group", "copies_commit", COPY_PLAIN, {NONE, NONE}, 0},
    {"cp.async.wait.group", "copies_wait", COPY_PLAIN, {0, NONE}, 0},
    {"cp.async.wait.all", "copies_wait_all", NONE, {NONE, NONE}, 0},
    {"cp.async.bulk.commit.group", "copies_commit", COPY_BULK, {NONE, NONE}, 0},
    {"cp.async.bulk.wait.group", "copies_wait", COPY_BULK, {0, NONE}, 0},
    {"cp.async.bulk.wait.group.read", "copies_wait", COPY_BULK, {1, NONE}, 0},
    {"cp.async.ca.shared.global.4", "copy", NONE, {NONE, NONE}, 4},
    {"cp.async.ca.shared.global.8", "copy", NONE, {NONE, NONE}, 8},
    {"cp.async.ca.shared.global.16", "copy", NONE, {NONE, NONE}, 16},
    {"cp.async.cg.shared.global.16", "copy", NONE, {NONE, NONE}, 16},
};

// Of the name the ends ".shared" and ".s" say nothing.
static const Row *find_row(const char *name) {
  static const char head[] = "llvm.nvvm.";
  if (strncmp(name, head, sizeof head - 1) != 0)
    return NULL;
  name += sizeof head - 1;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t length = strlen(rows[i].name);
    if (!strncmp(name, rows[i].name, length) &&
        (!name[length] || !strcmp(name + length, ".shared") ||
         !strcmp(name + length, ".s")))
      return &rows[i];
  }
  return NULL;
}

typedef struct Call {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMTypeRef i32;
  LLVMValueRef arguments[MOST_ARGUMENTS];
  LLVMTypeRef types[MOST_ARGUMENTS];
  unsigned count;
} Call;

static void add(Call *c, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    value = LLVMBuildAddrSpaceCast(
        c->builder, value,
        LLVMPointerTypeInContext(LLVMGetTypeContext(type), 0), "");
  assert(c->count < MOST_ARGUMENTS);
  c->types[c->count] = LLVMTypeOf(value);
  c->arguments[c->count++] = value;
}

static void add_number(Call *c, int number) {
  if (number != NONE)
    add(c, LLVMConstInt(c->i32, (unsigned)number, false));
}

static void add_copied(Call *c, const Row *row, LLVMValueRef call) {
  LLVMValueRef size = LLVMConstInt(c->i32, row->copied, false);
  assert(LLVMGetNumArgOperands(call) >= 2);
  add(c, LLVMGetOperand(call, 0));
  add(c, LLVMGetOperand(call, 1));
  add(c, size);
  add(c, LLVMGetNumArgOperands(call) > 2 ? LLVMGetOperand(call, 2) : size);
}

// Returns what is called in its place.
static LLVMValueRef make(Call *c, const Row *row, LLVMValueRef call) {
  LLVMContextRef context = LLVMGetModuleContext(c->module);
  LLVMTypeRef result = LLVMTypeOf(call);
  char name[64];
  if (LLVMGetTypeKind(result) == LLVMIntegerTypeKind &&
      LLVMGetIntTypeWidth(result) == 1)
    result = LLVMInt8TypeInContext(context);
  assert(strlen("__gpuverify_") + strlen(row->ours) < sizeof name);
  snprintf(name, sizeof name, "__gpuverify_%s", row->ours);
  LLVMTypeRef type = LLVMFunctionType(result, c->types, c->count, false);
  LLVMValueRef function = LLVMGetNamedFunction(c->module, name);
  if (!function)
    function = LLVMAddFunction(c->module, name, type);
  return LLVMBuildCall2(c->builder, type, function, c->arguments, c->count, "");
}

static void replace(Call *c, const Row *row, LLVMValueRef call) {
  c->count = 0;
  LLVMPositionBuilderBefore(c->builder, call);
  LLVMSetCurrentDebugLocation2(c->builder, LLVMInstructionGetDebugLoc(call));
  add_number(c, row->first);
  if (row->copied)
    add_copied(c, row, call);
  for (unsigned i = 0; !row->copied && i < LLVMGetNumArgOperands(call); i++)
    add(c, LLVMGetOperand(call, i));
  add_number(c, row->more[0]);
  add_number(c, row->more[1]);
  LLVMValueRef made = make(c, row, call);
  if (LLVMTypeOf(made) != LLVMTypeOf(call))
    made = LLVMBuildTrunc(c->builder, made, LLVMTypeOf(call), "");
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
}

void jit_change_arrivals(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  Call c = {.module = module,
            .builder = LLVMCreateBuilderInContext(context),
            .i32 = LLVMInt32TypeInContext(context)};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    size_t length = 0;
    const Row *row =
        LLVMIsDeclaration(f) ? find_row(LLVMGetValueName2(f, &length)) : NULL;
    LLVMUseRef use = row ? LLVMGetFirstUse(f) : NULL;
    for (LLVMUseRef next; use; use = next) {
      next = LLVMGetNextUse(use);
      if (LLVMIsACallInst(LLVMGetUser(use)))
        replace(&c, row, LLVMGetUser(use));
    }
  }
  LLVMDisposeBuilder(c.builder);
}
