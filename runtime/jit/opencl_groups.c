// OpenCL's functions of a work-group or sub-group as calls of collect.c.
//
// The mangled name says what a function does and the type of its value, or the
// size of the elements of an asynchronous copy; the value is passed as its
// bits.  Halves are not known, nor further functions of the extensions of
// sub-groups (shuffles, votes of some).

#include "runtime/jit/jit.h"
#include "runtime/machine/collect.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

typedef struct Lowering {
  Task *task;
  LLVMValueRef call;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  const char *plain; // name
} Lowering;

// ------------------------------------------------------------------- names ---

static const char *behind(const char *name, const char *start) {
  size_t length = strlen(start);
  return strncmp(name, start, length) ? NULL : name + length;
}

static bool read_operation(const char *word, Collection *how) {
  static const char *const words[] = {"add", "min", "max"};
  for (unsigned i = 0; i < 3; i++)
    if (!strcmp(word, words[i])) {
      how->operation = (uint8_t)i;
      return true;
    }
  return false;
}

// "work_group_scan_inclusive_add"
static bool read_collection(const char *name, Collection *how) {
  static const struct {
    const char *word;
    CollectKind kind;
    bool has_operation;
  } rows[] = {{"all", COLLECT_ALL, false},
              {"any", COLLECT_ANY, false},
              {"broadcast", COLLECT_BROADCAST, false},
              {"reduce_", COLLECT_REDUCE, true},
              {"scan_inclusive_", COLLECT_INCLUSIVE, true},
              {"scan_exclusive_", COLLECT_EXCLUSIVE, true}};
  const char *rest = behind(name, "work_group_");
  how->is_sub = !rest;
  rest = rest ? rest : behind(name, "sub_group_");
  for (size_t i = 0; rest && i < sizeof rows / sizeof *rows; i++) {
    const char *end = behind(rest, rows[i].word);
    how->kind = (uint8_t)rows[i].kind;
    if (end && (rows[i].has_operation ? read_operation(end, how) : !*end))
      return true;
  }
  return false;
}

// The letter behind the name: "_Z21work_group_reduce_addi".
static bool read_type(const char *mangled, const char *plain, Collection *how) {
  static const char letters[] = "ijlmfd"; // as CollectType has them
  const char *at = strstr(mangled, plain);
  const char *letter =
      at && at[strlen(plain)] ? strchr(letters, at[strlen(plain)]) : NULL;
  how->type = letter ? (uint8_t)(letter - letters) : COLLECT_S32;
  return letter;
}

static bool is_event(const char *plain) {
  return !strcmp(plain, "async_work_group_copy") ||
         !strcmp(plain, "async_work_group_strided_copy") ||
         !strcmp(plain, "wait_group_events");
}

bool jit_is_of_group(Task *task, const char *name) {
  Collection how;
  const char *plain = plain_name(task, name);
  return is_event(plain) || !strcmp(plain, "sub_group_barrier") ||
         (read_collection(plain, &how) && read_type(name, plain, &how));
}

// ------------------------------------------------------------------- calls ---

static LLVMTypeRef int_type(const Lowering *l, unsigned bits) {
  return LLVMIntTypeInContext(l->context, bits);
}

static LLVMValueRef number(const Lowering *l, unsigned bits, uint64_t value) {
  return LLVMConstInt(int_type(l, bits), value, false);
}

static LLVMValueRef wide(const Lowering *l, LLVMValueRef value) {
  return LLVMBuildIntCast2(l->builder, value, int_type(l, 64), false, "");
}

static LLVMValueRef flat(const Lowering *l, unsigned operand) {
  return LLVMBuildAddrSpaceCast(l->builder, LLVMGetOperand(l->call, operand),
                                LLVMPointerTypeInContext(l->context, 0), "");
}

static LLVMValueRef make_call(const Lowering *l, const char *name,
                              LLVMTypeRef result, LLVMValueRef *arguments,
                              unsigned count) {
  LLVMTypeRef types[8];
  assert(count <= sizeof types / sizeof *types);
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(l->module, name);
  if (!function)
    function = LLVMAddFunction(l->module, name, type);
  return LLVMBuildCall2(l->builder, type, function, arguments, count, "");
}

static unsigned bits_of(CollectType type) {
  return type == COLLECT_S32 || type == COLLECT_U32 || type == COLLECT_F32 ? 32
                                                                           : 64;
}

static LLVMValueRef make_collect(const Lowering *l, Collection how) {
  uint32_t bits = 0;
  _Static_assert(sizeof how == sizeof bits, "a collection is one number");
  memcpy(&bits, &how, sizeof bits);
  LLVMTypeRef own = int_type(l, bits_of((CollectType)how.type)),
              type = LLVMTypeOf(l->call);
  LLVMValueRef in[] = {
      wide(l,
           LLVMBuildBitCast(l->builder, LLVMGetOperand(l->call, 0), own, "")),
      number(l, 64, 0), number(l, 64, 0), number(l, 64, 0),
      number(l, 32, bits)};
  for (unsigned i = 1; i < LLVMGetNumArgOperands(l->call) && i < 4; i++)
    in[i] = wide(l, LLVMGetOperand(l->call, i));
  LLVMValueRef result =
      make_call(l, "__gpuverify_collect", int_type(l, 64), in, 5);
  result = LLVMBuildIntCast2(l->builder, result, own, false, "");
  return LLVMBuildBitCast(l->builder, result, type, "");
}

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static void refuse_event(const Lowering *l) {
  unsupported(l->task, llvm_location(l->task, l->call),
              "an event that is not kept in a variable is not executed");
}

// An event as a number.  Where it has a type of its own, it is looked at in
// memory only, as a number of the same size.
static LLVMValueRef event_number(const Lowering *l, LLVMValueRef event) {
  if (is_pointer(event))
    return LLVMBuildPtrToInt(l->builder, event, int_type(l, 64), "");
  if (LLVMIsNull(event))
    return number(l, 64, 0);
  if (!LLVMIsALoadInst(event))
    refuse_event(l);
  return LLVMBuildLoad2(l->builder, int_type(l, 64), LLVMGetOperand(event, 0),
                        "");
}

// Other uses find it in a variable of its own.
static LLVMValueRef event_slot(const Lowering *l, LLVMValueRef event) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(l->context);
  LLVMPositionBuilderBefore(
      builder,
      LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(
          LLVMGetBasicBlockParent(LLVMGetInstructionParent(l->call)))));
  LLVMValueRef slot = LLVMBuildAlloca(builder, int_type(l, 64), "");
  LLVMDisposeBuilder(builder);
  LLVMBuildStore(l->builder, event, slot);
  return slot;
}

static LLVMValueRef find_store(LLVMValueRef event) {
  for (LLVMUseRef use = LLVMGetFirstUse(event); use; use = LLVMGetNextUse(use))
    if (LLVMIsAStoreInst(LLVMGetUser(use)))
      return LLVMGetUser(use);
  return NULL;
}

// Returns what takes the place of the call.
static LLVMValueRef keep_event(const Lowering *l, LLVMValueRef event) {
  LLVMTypeRef type = LLVMTypeOf(l->call);
  if (is_pointer(l->call))
    return LLVMBuildIntToPtr(l->builder, event, type, "");
  for (LLVMValueRef store; (store = find_store(l->call));) {
    LLVMPositionBuilderBefore(l->builder, store);
    LLVMBuildStore(l->builder, event, LLVMGetOperand(store, 1));
    LLVMInstructionEraseFromParent(store);
  }
  if (!LLVMGetFirstUse(l->call))
    return NULL;
  LLVMPositionBuilderBefore(l->builder, l->call);
  return LLVMBuildLoad2(l->builder, type, event_slot(l, event), "");
}

// The stride is that of global memory, which is address space 1.
static LLVMValueRef make_copy(const Lowering *l) {
  unsigned last = LLVMGetNumArgOperands(l->call) - 1;
  bool has_stride = last == 4;
  LLVMTypeRef to = LLVMTypeOf(LLVMGetOperand(l->call, 0));
  bool is_to_global = LLVMGetPointerAddressSpace(to) == 1;
  LLVMValueRef one = number(l, 64, 1);
  LLVMValueRef stride = has_stride ? wide(l, LLVMGetOperand(l->call, 3)) : one;
  unsigned bytes = llvm_copied_bytes(l->call);
  if (!bytes)
    unsupported(l->task, llvm_location(l->task, l->call),
                "an asynchronous copy of elements of unknown size is not "
                "executed");
  LLVMValueRef in[] = {flat(l, 0),
                       flat(l, 1),
                       wide(l, LLVMGetOperand(l->call, 2)),
                       is_to_global ? stride : one,
                       is_to_global ? one : stride,
                       number(l, 32, bytes),
                       event_number(l, LLVMGetOperand(l->call, last))};
  LLVMValueRef event =
      make_call(l, "__gpuverify_event_copy", int_type(l, 64), in, 7);
  return keep_event(l, event);
}

static LLVMValueRef make(const Lowering *l, const char *name) {
  LLVMTypeRef none = LLVMVoidTypeInContext(l->context);
  Collection how = {COLLECT_ALL, COLLECT_ADD, COLLECT_S32, false};
  if (!strcmp(l->plain, "sub_group_barrier")) {
    LLVMValueRef all = number(l, 32, UINT32_MAX);
    return make_call(l, "llvm.nvvm.bar.warp.sync", none, &all, 1);
  }
  if (!strcmp(l->plain, "wait_group_events")) {
    LLVMValueRef in[] = {LLVMGetOperand(l->call, 0), flat(l, 1)};
    return make_call(l, "__gpuverify_event_wait", none, in, 2);
  }
  if (is_event(l->plain))
    return make_copy(l);
  read_collection(l->plain, &how);
  read_type(name, l->plain, &how);
  return make_collect(l, how);
}

// A program may declare something else of that name.
static bool has_arguments(const char *plain, LLVMValueRef call) {
  unsigned count = LLVMGetNumArgOperands(call);
  if (!strcmp(plain, "sub_group_barrier"))
    return true;
  if (!strcmp(plain, "wait_group_events"))
    return count == 2 && is_pointer(LLVMGetOperand(call, 1));
  if (is_event(plain))
    return count == (strstr(plain, "strided") ? 5 : 4) &&
           is_pointer(LLVMGetOperand(call, 0)) &&
           is_pointer(LLVMGetOperand(call, 1));
  return count > 0;
}

// False: it is none of these, and nothing has changed.
static bool lower(Task *task, LLVMValueRef call) {
  const char *name = jit_declared(call);
  if (!name || strncmp(name, "_Z", 2) != 0 || !jit_is_of_group(task, name) ||
      !has_arguments(plain_name(task, name), call))
    return false;
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  Lowering l = {.task = task,
                .call = call,
                .context = LLVMGetTypeContext(LLVMTypeOf(call)),
                .module = LLVMGetGlobalParent(function),
                .plain = plain_name(task, name)};
  l.builder = LLVMCreateBuilderInContext(l.context);
  LLVMPositionBuilderBefore(l.builder, call);
  LLVMSetCurrentDebugLocation2(l.builder, LLVMInstructionGetDebugLoc(call));
  LLVMValueRef value = make(&l, name);
  LLVMDisposeBuilder(l.builder);
  if (value && LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    LLVMReplaceAllUsesWith(call, value);
  LLVMInstructionEraseFromParent(call);
  return true;
}

// `event_t none = 0;`: this machine has no such constant.
static bool lower_no_event(LLVMValueRef store) {
  LLVMValueRef none = LLVMGetOperand(store, 0);
  LLVMTypeRef type = LLVMTypeOf(none);
  LLVMContextRef context = LLVMGetTypeContext(type);
  if (LLVMGetTypeKind(type) != LLVMTargetExtTypeKind || !LLVMIsNull(none))
    return false;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, store);
  LLVMBuildStore(builder, LLVMConstInt(LLVMInt64TypeInContext(context), 0, 0),
                 LLVMGetOperand(store, 1));
  LLVMDisposeBuilder(builder);
  LLVMInstructionEraseFromParent(store);
  return true;
}

static bool lower_instruction(Task *task, LLVMValueRef i) {
  return LLVMIsACallInst(i) ? lower(task, i)
                            : LLVMIsAStoreInst(i) && lower_no_event(i);
}

void jit_lower_opencl_groups(Task *task, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;)
      i = lower_instruction(task, i)
              ? LLVMGetFirstInstruction(block) // some are gone
              : LLVMGetNextInstruction(i);
}
