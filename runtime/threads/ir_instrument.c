// Calls of the machine before what other threads can see.
//
// Before each access of memory that is not private to its function stands a
// call that may stop the thread; before each call of a function of ours, which
// may be one that waits, the number of the site is written down.  Behind an
// atomic operation that may have changed nothing stands whether it has, by
// which spinning is told from work.

#include "runtime/threads/ir.h"

#include <assert.h>
#include <string.h>

typedef struct Instrumenting {
  Task *task;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  LLVMBuilderRef builder;
  ProgramImage *image;
  Privates privates;
  bool is_library; // the function
} Instrumenting;

static LLVMTypeRef pointer_type(const Instrumenting *in) {
  return LLVMPointerTypeInContext(in->context, 0);
}

static LLVMTypeRef int_type(const Instrumenting *in, unsigned bits) {
  return LLVMIntTypeInContext(in->context, bits);
}

static void call(Instrumenting *in, const char *name, LLVMValueRef *arguments,
                 unsigned count) {
  LLVMTypeRef types[4];
  assert(count <= 4);
  for (unsigned i = 0; i < count; i++)
    types[i] = LLVMTypeOf(arguments[i]);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(in->context), types, count, false);
  LLVMValueRef function = LLVMGetNamedFunction(in->module, name);
  if (!function)
    function = LLVMAddFunction(in->module, name, type);
  LLVMBuildCall2(in->builder, type, function, arguments, count, "");
}

uint32_t ir_add_site(Task *task, ProgramImage *image, LLVMValueRef instruction,
                     DeedKind kind, unsigned bytes) {
  DeedSite site = {.kind = kind, .bytes = bytes};
  site.loc = ir_location(task, instruction, &site.is_inner);
  push(&task->arena, &image->sites, site);
  return (uint32_t)image->sites.count - 1;
}

// Whether it exchanges anything is not known before, so the stronger one of a
// comparison's orders holds.
static void note_order(DeedSite *site, LLVMValueRef atomic) {
  bool compares = LLVMIsAAtomicCmpXchgInst(atomic);
  LLVMAtomicOrdering order = compares ? LLVMGetCmpXchgSuccessOrdering(atomic)
                                      : LLVMGetOrdering(atomic);
  site->acquires =
      llvm_acquires(order) ||
      (compares && llvm_acquires(LLVMGetCmpXchgFailureOrdering(atomic)));
  site->releases = llvm_releases(order);
  site->exchanges = compares || LLVMIsAAtomicRMWInst(atomic);
}

static LLVMValueRef add_site(Instrumenting *in, LLVMValueRef instruction,
                             DeedKind kind, unsigned bytes) {
  return LLVMConstInt(
      int_type(in, 32),
      ir_add_site(in->task, in->image, instruction, kind, bytes), false);
}

static unsigned bytes_of(const Instrumenting *in, LLVMTypeRef type) {
  return (unsigned)LLVMStoreSizeOfType(in->layout, type);
}

// A constant of the program.
static bool is_constant(LLVMValueRef pointer) {
  LLVMValueRef root = ir_root(pointer);
  return LLVMIsAConstantExpr(root) &&
         LLVMGetConstOpcode(root) == LLVMIntToPtr &&
         LLVMConstIntGetZExtValue(LLVMGetOperand(root, 0)) - CONSTANTS_AT <
             CONSTANTS_BYTES;
}

// Where the machine keeps what it has for the running thread: that is no memory
// of the program.
static bool is_of_machine(LLVMValueRef pointer) {
  return LLVMIsAConstantExpr(pointer) &&
         LLVMGetConstOpcode(pointer) == LLVMIntToPtr &&
         LLVMConstIntGetZExtValue(LLVMGetOperand(pointer, 0)) ==
             (uint64_t)(uintptr_t)&world.tls;
}

static void access_in_library(Instrumenting *in, LLVMValueRef pointer,
                              LLVMValueRef bytes, bool writes) {
  LLVMValueRef arguments[] = {pointer, bytes,
                              LLVMConstInt(int_type(in, 1), writes, false)};
  call(in, "threads_library_access", arguments, 3);
}

static void before_access(Instrumenting *in, LLVMValueRef instruction,
                          LLVMValueRef pointer, LLVMTypeRef type, bool writes,
                          bool is_atomic) {
  DeedKind kind = is_atomic ? writes ? DEED_ATOMIC_WRITE : DEED_ATOMIC_READ
                  : writes  ? DEED_WRITE
                            : DEED_READ;
  if (ir_is_private(&in->privates, pointer) || is_constant(pointer) ||
      is_of_machine(pointer))
    return;
  LLVMPositionBuilderBefore(in->builder, instruction);
  if (in->is_library) {
    access_in_library(in, pointer,
                      LLVMConstInt(int_type(in, 64), bytes_of(in, type), false),
                      writes);
    return;
  }
  LLVMValueRef arguments[] = {
      pointer, add_site(in, instruction, kind, bytes_of(in, type))};
  if (is_atomic)
    note_order(&in->image->sites.at[in->image->sites.count - 1], instruction);
  call(in,
       is_atomic ? "threads_atomic"
       : writes  ? "threads_write"
                 : "threads_read",
       arguments, 2);
}

// A pointer that goes where others may find it.
static void publish(Instrumenting *in, LLVMValueRef instruction,
                    LLVMValueRef value) {
  LLVMValueRef root = ir_root(value);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind ||
      LLVMIsAConstant(root))
    return;
  LLVMPositionBuilderBefore(in->builder, instruction);
  call(in, "threads_publish", &value, 1);
}

static void tell_change(Instrumenting *in, LLVMValueRef is_changed) {
  call(in, "threads_changed", &is_changed, 1);
}

// It is no step: nobody sees it but by operations beside it.
static void at_fence(Instrumenting *in, LLVMValueRef fence) {
  LLVMAtomicOrdering order = LLVMGetOrdering(fence);
  LLVMTypeRef bit = int_type(in, 1);
  LLVMValueRef arguments[] = {LLVMConstInt(bit, llvm_acquires(order), false),
                              LLVMConstInt(bit, llvm_releases(order), false)};
  if (LLVMIsAtomicSingleThread(fence))
    return;
  LLVMPositionBuilderBefore(in->builder, fence);
  call(in, "threads_fence", arguments, 2);
}

static bool is_compared(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ||
         LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

// A thread that stores again what is there may be one that waits.
static void tell_store(Instrumenting *in, LLVMValueRef store,
                       LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMPositionBuilderBefore(in->builder, store);
  tell_change(in,
              is_compared(type)
                  ? LLVMBuildICmp(in->builder, LLVMIntNE,
                                  LLVMBuildLoad2(in->builder, type,
                                                 LLVMGetOperand(store, 1), ""),
                                  value, "")
                  : LLVMConstInt(int_type(in, 1), 1, false));
}

static void before_store(Instrumenting *in, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  bool is_atomic = LLVMGetOrdering(store) != LLVMAtomicOrderingNotAtomic;
  publish(in, store, value);
  before_access(in, store, LLVMGetOperand(store, 1), LLVMTypeOf(value), true,
                is_atomic);
  if (is_atomic && !ir_is_private(&in->privates, LLVMGetOperand(store, 1)))
    tell_store(in, store, value);
}

static void at_exchange(Instrumenting *in, LLVMValueRef rmw) {
  LLVMValueRef value = LLVMGetOperand(rmw, 1);
  LLVMTypeRef type = LLVMTypeOf(value);
  before_access(in, rmw, LLVMGetOperand(rmw, 0), type, true, true);
  publish(in, rmw, value);
  LLVMPositionBuilderBefore(in->builder, LLVMGetNextInstruction(rmw));
  bool may_stay = LLVMGetAtomicRMWBinOp(rmw) == LLVMAtomicRMWBinOpXchg &&
                  LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
  tell_change(in, may_stay
                      ? LLVMBuildICmp(in->builder, LLVMIntNE, rmw, value, "")
                      : LLVMConstInt(int_type(in, 1), 1, false));
}

static void at_compare(Instrumenting *in, LLVMValueRef exchange) {
  LLVMValueRef value = LLVMGetOperand(exchange, 2);
  before_access(in, exchange, LLVMGetOperand(exchange, 0), LLVMTypeOf(value),
                true, true);
  publish(in, exchange, value);
  LLVMPositionBuilderBefore(in->builder, LLVMGetNextInstruction(exchange));
  tell_change(in, LLVMBuildExtractValue(in->builder, exchange, 1, ""));
}

static void before_transfer(Instrumenting *in, LLVMValueRef transfer) {
  LLVMValueRef to = LLVMGetOperand(transfer, 0),
               from = LLVMGetOperand(transfer, 1);
  bool copies = llvm_transfer(transfer) == TRANSFER_COPY;
  bool is_private = ir_is_private(&in->privates, to) &&
                    (!copies || ir_is_private(&in->privates, from));
  if (is_private)
    return;
  LLVMPositionBuilderBefore(in->builder, transfer);
  LLVMValueRef bytes = LLVMBuildIntCast2(
      in->builder, LLVMGetOperand(transfer, 2), int_type(in, 64), false, "");
  if (in->is_library) {
    if (copies)
      access_in_library(in, from, bytes, false);
    access_in_library(in, to, bytes, true);
    return;
  }
  LLVMValueRef site = add_site(in, transfer, DEED_WRITE, 0);
  if (copies)
    call(in, "threads_copy", (LLVMValueRef[]){to, from, bytes, site}, 4);
  else
    call(in, "threads_fill", (LLVMValueRef[]){to, bytes, site}, 3);
}

static void keep_site(Instrumenting *in, LLVMValueRef site) {
  LLVMValueRef place = LLVMConstIntToPtr(
      LLVMConstInt(int_type(in, 64), (uint64_t)(uintptr_t)&world.site, false),
      pointer_type(in));
  LLVMBuildStore(in->builder, site, place);
}

// What a function of ours is called at.
static void note_site(Instrumenting *in, LLVMValueRef instruction,
                      const char *callee) {
  LLVMPositionBuilderBefore(in->builder, instruction);
  LLVMValueRef site = add_site(in, instruction, DEED_CALL, 0);
  in->image->sites.at[in->image->sites.count - 1].callee = callee;
  keep_site(in, site);
}

// Where a function of the program begins: one that goes on or calls itself for
// ever may have no other place.
static void note_entry(Instrumenting *in, LLVMValueRef function) {
  size_t length = 0;
  if (in->is_library ||
      ir_is_of_namespace_std(LLVMGetValueName2(function, &length)))
    return;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  LLVMValueRef each = LLVMGetFirstInstruction(entry);
  LLVMPositionBuilderBefore(in->builder, each);
  while (each &&
         (llvm_is_lifetime(each) || !llvm_location(in->task, each).line))
    each = LLVMGetNextInstruction(each);
  if (each && loc_is_in_users_code(llvm_location(in->task, each)))
    keep_site(in, add_site(in, each, DEED_CALL, 0));
}

// Before a function of the library: what it does is one step, which is another
// thread's business unless the table says that it is not.  A call by address
// may be of any whose address is taken.
static void before_library(Instrumenting *in, LLVMValueRef instruction,
                           const PosixCall *known) {
  if (!known || !(known->traits & APART))
    call(in, "threads_meet", NULL, 0);
  if (!known || known->traits & LEAVES)
    for (unsigned i = 0; i < LLVMGetNumArgOperands(instruction); i++)
      publish(in, instruction, LLVMGetOperand(instruction, i));
}

// Copied at the call, wherever it is.
static void read_struct(Instrumenting *in, LLVMValueRef instruction,
                        unsigned argument) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", strlen("byval"));
  LLVMAttributeRef attribute =
      LLVMGetCallSiteEnumAttribute(instruction, argument + 1, kind);
  LLVMValueRef pointer = LLVMGetOperand(instruction, argument);
  if (!attribute)
    return;
  before_access(in, instruction, pointer, LLVMGetTypeAttributeValue(attribute),
                false, false);
  publish(in, instruction, pointer);
}

// va_start leaves an address of the stack in the list, and no store shows it.
static bool starts_arguments(LLVMValueRef callee) {
  static const char name[] = "llvm.va_start";
  size_t length = 0;
  return LLVMIsAFunction(callee) &&
         !strncmp(LLVMGetValueName2(callee, &length), name, sizeof name - 1);
}

// Registers go into the buffer of setjmp.
static void before_saving(Instrumenting *in, LLVMValueRef saving) {
  LLVMPositionBuilderBefore(in->builder, saving);
  LLVMValueRef arguments[] = {LLVMGetOperand(saving, 0),
                              LLVMConstInt(int_type(in, 64), JUMP_BYTES, false),
                              add_site(in, saving, DEED_WRITE, 0)};
  call(in, "threads_fill", arguments, 3);
}

// It does nothing at all.
static bool is_empty(LLVMValueRef function) {
  return LLVMGetInstructionOpcode(LLVMGetFirstInstruction(
             LLVMGetEntryBasicBlock(function))) == LLVMRet;
}

static LLVMValueRef pointer_argument(const Instrumenting *in,
                                     LLVMValueRef instruction, unsigned i) {
  LLVMValueRef argument = i < LLVMGetNumArgOperands(instruction)
                              ? LLVMGetOperand(instruction, i)
                              : NULL;
  return argument &&
                 LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind
             ? argument
             : LLVMConstPointerNull(pointer_type(in));
}

// The program calls what is the library's: its place is the program's.
static void before_marked(Instrumenting *in, LLVMValueRef instruction,
                          LLVMValueRef callee) {
  size_t length = 0;
  if (is_empty(callee))
    return;
  note_site(in, instruction,
            ir_told_name(in->task, LLVMGetValueName2(callee, &length)));
  LLVMValueRef arguments[] = {pointer_argument(in, instruction, 0),
                              pointer_argument(in, instruction, 1)};
  call(in, "threads_library_enter", arguments, 2);
}

static void at_call(Instrumenting *in, LLVMValueRef instruction) {
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  size_t length = 0;
  if (LLVMIsAInlineAsm(callee))
    return;
  if (starts_arguments(callee))
    publish(in, instruction, LLVMGetOperand(instruction, 0));
  for (unsigned i = 0; i < LLVMGetNumArgOperands(instruction); i++)
    read_struct(in, instruction, i);
  if (llvm_transfer(instruction) != TRANSFER_NONE) {
    before_transfer(in, instruction);
    return;
  }
  if (in->is_library)
    return;
  if (LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee) &&
      ir_is_of_library(callee)) {
    before_marked(in, instruction, callee);
    return;
  }
  if (!LLVMIsAFunction(callee)) {
    note_site(in, instruction, NULL);
    if (in->image->takes_addresses)
      before_library(in, instruction, NULL);
    return;
  }
  const char *name = LLVMGetValueName2(callee, &length);
  if (!LLVMIsDeclaration(callee) || !strncmp(name, "llvm.", 5))
    return;
  if (ir_is_setjmp(callee))
    before_saving(in, instruction);
  note_site(in, instruction, ir_told_name(in->task, name));
  before_library(in, instruction, posix_call(name));
}

static void at_instruction(Instrumenting *in, LLVMValueRef instruction) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad:
    before_access(in, instruction, LLVMGetOperand(instruction, 0),
                  LLVMTypeOf(instruction), false,
                  LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic);
    break;
  case LLVMStore:
    before_store(in, instruction);
    break;
  case LLVMAtomicRMW:
    at_exchange(in, instruction);
    break;
  case LLVMAtomicCmpXchg:
    at_compare(in, instruction);
    break;
  case LLVMFence:
    at_fence(in, instruction);
    break;
  case LLVMPtrToInt:
    publish(in, instruction, LLVMGetOperand(instruction, 0));
    break;
  case LLVMCall:
    at_call(in, instruction);
    break;
  default:
    break;
  }
}

static void instrument_function(Instrumenting *in, LLVMValueRef function) {
  Vec(LLVMValueRef) instructions = {0};
  in->privates.table = (ValueTable){0};
  in->is_library = ir_is_of_library(function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
         each = LLVMGetNextInstruction(each))
      push(&in->task->arena, &instructions, each);
  note_entry(in, function);
  for (size_t i = 0; i < instructions.count; i++)
    at_instruction(in, instructions.at[i]);
}

bool ir_is_taken(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
      return true;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
      if (LLVMGetOperand(user, i) == function)
        return true;
  }
  return false;
}

static bool takes_addresses(LLVMModuleRef module) {
  bool takes = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    size_t length = 0;
    takes |= LLVMIsDeclaration(f) &&
             posix_call(LLVMGetValueName2(f, &length)) && ir_is_taken(f);
  }
  return takes;
}

void ir_instrument(Task *task, LLVMModuleRef module, ProgramImage *image) {
  Instrumenting in = {.task = task,
                      .module = module,
                      .context = LLVMGetModuleContext(module),
                      .layout = LLVMGetModuleDataLayout(module),
                      .image = image,
                      .privates = {.task = task}};
  in.builder = LLVMCreateBuilderInContext(in.context);
  push(&task->arena, &image->sites,
       (DeedSite){.kind = DEED_CALL}); // 0: nowhere
  image->takes_addresses = takes_addresses(module);
  image->asks_for_ends = LLVMGetNamedFunction(module, "pthread_tryjoin_np");
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      instrument_function(&in, f);
  LLVMDisposeBuilder(in.builder);
}
