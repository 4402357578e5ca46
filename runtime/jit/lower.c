// Device IR as host IR, in place.
//
// Pointers need no change: to the host's back ends all address spaces in use
// are flat.  The shared memory of a block always lies at one address, where the
// scheduler puts the bytes of the block that runs.  Functions that only the
// device has become calls of our own, by their address in this process.  Before
// each instruction that the machine is told of comes a call, its hook.

#include "runtime/jit/jit.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { VARIABLE_GAP = 1 << 14 };

typedef struct Lowering {
  Task *task;
  const Run *run;
  Image *image;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  LLVMBuilderRef builder;
  LLVMTypeRef i32, i64, pointer, none;
  bool has_marks; // of shared memory
} Lowering;

LLVMValueRef jit_address(LLVMModuleRef module, uintptr_t at) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  return LLVMConstIntToPtr(
      LLVMConstInt(LLVMInt64TypeInContext(context), at, false),
      LLVMPointerTypeInContext(context, 0));
}

static LLVMValueRef address(const Lowering *l, uintptr_t at) {
  return jit_address(l->module, at);
}

static LLVMValueRef flat(const Lowering *l, LLVMValueRef pointer) {
  if (LLVMGetTypeKind(LLVMTypeOf(pointer)) == LLVMIntegerTypeKind) // assembly
    return LLVMBuildIntToPtr(l->builder, pointer, l->pointer, "");
  return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))
             ? LLVMBuildAddrSpaceCast(l->builder, pointer, l->pointer, "")
             : pointer;
}

// ---------------------------------------------------------------- thread ---

LLVMValueRef jit_load_invariant(LLVMBuilderRef builder, LLVMTypeRef type,
                                LLVMValueRef base, size_t offset) {
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMValueRef index =
      LLVMConstInt(LLVMInt64TypeInContext(context), offset, false);
  LLVMValueRef at = LLVMBuildGEP2(builder, LLVMInt8TypeInContext(context), base,
                                  &index, 1, "");
  LLVMValueRef load = LLVMBuildLoad2(builder, type, at, "");
  LLVMSetMetadata(
      load, LLVMGetMDKindIDInContext(context, "invariant.load", 14),
      LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
  return load;
}

static LLVMValueRef load_invariant(const Lowering *l, LLVMTypeRef type,
                                   LLVMValueRef base, size_t offset) {
  return jit_load_invariant(l->builder, type, base, offset);
}

static LLVMValueRef origin(const Lowering *l, Origin origin) {
  uintptr_t slot =
      origin == ORIGIN_RUN ? (uintptr_t)&machine.run : (uintptr_t)&machine.self;
  LLVMValueRef at = load_invariant(l, l->pointer, address(l, slot), 0);
  return origin == ORIGIN_GROUP
             ? load_invariant(l, l->pointer, at, offsetof(Thread, group))
             : at;
}

// In a loop over threads the kernel is given what depends on the thread; what
// it calls reads that, as it stands when it is called.
static bool is_in_kernel(const Lowering *l) {
  LLVMBasicBlockRef block = LLVMGetInsertBlock(l->builder);
  return LLVMGetBasicBlockParent(block) == l->run->code->function;
}

static LLVMValueRef running_thread(const Lowering *l) {
  return LLVMBuildLoad2(l->builder, l->pointer,
                        address(l, (uintptr_t)&machine.self), "");
}

static LLVMValueRef field_of_thread(const Lowering *l, LLVMTypeRef type,
                                    const Builtin *builtin) {
  unsigned word = jit_word_of(builtin);
  if (is_in_kernel(l) && word < WORDS)
    return jit_word(l->builder, l->module, word);
  LLVMValueRef self = running_thread(l);
  if (builtin->origin == ORIGIN_GROUP)
    self = load_invariant(l, l->pointer, self, offsetof(Thread, group));
  return load_invariant(l, type, self, builtin->offset);
}

static LLVMValueRef thread_number(const Lowering *l) {
  if (l->image->is_block && is_in_kernel(l))
    return jit_word(l->builder, l->module, WORD_NUMBER);
  LLVMValueRef self =
      l->image->is_block ? running_thread(l) : origin(l, ORIGIN_SELF);
  return load_invariant(l, l->i32, self, offsetof(Thread, index));
}

// ----------------------------------------------------------------- hooks ---

static void hook_site(const Lowering *l, void (*hook)(uint32_t),
                      uint32_t site) {
  LLVMTypeRef type = LLVMFunctionType(l->none, (LLVMTypeRef[]){l->i32}, 1, 0);
  LLVMValueRef number = LLVMConstInt(l->i32, site, false);
  LLVMBuildCall2(l->builder, type, address(l, (uintptr_t)hook), &number, 1, "");
}

static void hook_step(const Lowering *l, uint32_t site) {
  LLVMValueRef number = LLVMConstInt(l->i32, site, false);
  if (l->run->watch != WATCH_NOTHING && !l->image->is_block) {
    hook_site(l, machine_step, site);
    return;
  }
  LLVMValueRef step = jit_step_function(l->module);
  LLVMBuildCall2(l->builder, LLVMGlobalGetValueType(step), step, &number, 1,
                 "");
}

static void hook_access(const Lowering *l, uintptr_t hook, LLVMValueRef at,
                        LLVMValueRef bytes, uint32_t site) {
  LLVMTypeRef types[] = {l->pointer, l->i64, l->i32};
  LLVMTypeRef type = LLVMFunctionType(l->none, types, 3, 0);
  LLVMValueRef arguments[] = {flat(l, at), bytes,
                              LLVMConstInt(l->i32, site, false)};
  if (l->run->watch != WATCH_NOTHING)
    LLVMBuildCall2(l->builder, type, address(l, hook), arguments, 3, "");
}

static void hook_fence(const Lowering *l, uint32_t site) {
  if (l->run->watch >= WATCH_RACES)
    hook_site(l, causality_fence, site);
}

// Whether a compare-and-swap fails is known before it: it tells what it wants.
static void hook_expected(const Lowering *l, LLVMValueRef at,
                          LLVMValueRef expected) {
  LLVMTypeRef types[] = {l->pointer, l->i64, l->i64};
  LLVMTypeRef type = LLVMFunctionType(l->none, types, 3, 0);
  uint64_t bytes = LLVMStoreSizeOfType(l->layout, LLVMTypeOf(expected));
  if (l->run->watch < WATCH_RACES || bytes > sizeof(uint64_t))
    return;
  if (LLVMGetTypeKind(LLVMTypeOf(expected)) == LLVMPointerTypeKind)
    expected = LLVMBuildPtrToInt(l->builder, expected, l->i64, "");
  LLVMValueRef arguments[] = {
      flat(l, at), LLVMConstInt(l->i64, bytes, false),
      LLVMBuildIntCast2(l->builder, expected, l->i64, false, "")};
  LLVMBuildCall2(l->builder, type,
                 address(l, (uintptr_t)access_hooks(l->run)->expect), arguments,
                 3, "");
}

unsigned jit_power_of(const Site *site) {
  return site->alignment ? (unsigned)__builtin_ctz(site->alignment) : 0;
}

static void hook_spot(const Lowering *l, SpotCase which, LLVMValueRef at,
                      uint64_t bytes, uint32_t site) {
  LLVMValueRef function = jit_spot_function(l->module, which);
  LLVMValueRef arguments[] = {
      flat(l, at),
      LLVMConstInt(l->i64, bytes, false),
      LLVMConstInt(l->i32, site, false),
      address(l, (uintptr_t)spot_at(l->image->spots, site)),
      thread_number(l),
      LLVMConstInt(l->i64, jit_power_of(&l->run->code->sites.at[site]), false)};
  LLVMBuildCall2(l->builder, LLVMGlobalGetValueType(function), function,
                 arguments, 6, "");
}

// Of an access of a word.
static SpotCase word_case(const Lowering *l, LLVMValueRef at, SiteKind kind) {
  bool has_mark = l->has_marks && jit_is_of_block(at);
  if (kind == SITE_READ)
    return has_mark ? SPOT_READ_MARK : SPOT_READ_WORD;
  return has_mark ? SPOT_WRITE_MARK : SPOT_WRITE_WORD;
}

static void hook_typed(const Lowering *l, LLVMValueRef at, LLVMTypeRef type,
                       uint32_t number) {
  assert(number < l->run->code->sites.count);
  const Site *site = &l->run->code->sites.at[number];
  uint64_t bytes = LLVMStoreSizeOfType(l->layout, type);
  bool is_race = l->run->watch == WATCH_RACES;
  Hook *hook = is_race ? spot_hook(site) : access_hooks(l->run)->access;
  if (l->run->watch == WATCH_ACCESSES)
    hook_spot(l, SPOT_BOUNDS, at, bytes, number);
  else if (is_race && hook != region_access && bytes == sizeof(uint32_t))
    hook_spot(l, word_case(l, at, site->kind), at, bytes, number);
  else
    hook_access(l, (uintptr_t)hook, at, LLVMConstInt(l->i64, bytes, 0), number);
}

// Nobody else sees what is the thread's own.
static void hook_plain(const Lowering *l, LLVMValueRef at, LLVMTypeRef type,
                       uint32_t site) {
  if (!jit_is_own(at))
    hook_typed(l, at, type, site);
  else if (l->run->watch != WATCH_NOTHING)
    jit_watch_own(l->builder, l->module, l->layout, at,
                  LLVMStoreSizeOfType(l->layout, type), site);
}

// The write is told last: the next hook finds it made.  What is read has the
// next site.
static void hook_transfer(const Lowering *l, LLVMValueRef call, uint32_t site) {
  assert(site != NO_SITE && LLVMGetNumArgOperands(call) >= 3);
  LLVMValueRef bytes =
      LLVMBuildIntCast2(l->builder, LLVMGetOperand(call, 2), l->i64, false, "");
  if (llvm_transfer(call) == TRANSFER_COPY)
    hook_access(l, (uintptr_t)access_hooks(l->run)->fetch,
                LLVMGetOperand(call, 1), bytes, site + 1);
  hook_access(l, (uintptr_t)access_hooks(l->run)->fill, LLVMGetOperand(call, 0),
              bytes, site);
}

// ----------------------------------------------------------------- calls ---

static void remove_call(LLVMValueRef call) {
  if (LLVMGetFirstUse(call))
    LLVMReplaceAllUsesWith(call, LLVMConstNull(LLVMTypeOf(call)));
  LLVMInstructionEraseFromParent(call);
}

static void become_load(const Lowering *l, LLVMValueRef call) {
  LLVMValueRef load =
      LLVMBuildLoad2(l->builder, LLVMTypeOf(call), LLVMGetOperand(call, 0), "");
  LLVMReplaceAllUsesWith(call, load);
  LLVMInstructionEraseFromParent(call);
}

// The index counts vectors of which the elements lie side by side, three too.
static LLVMValueRef vector_at(const Lowering *l, LLVMValueRef pointer,
                              LLVMValueRef index, LLVMTypeRef vector) {
  assert(LLVMGetTypeKind(vector) == LLVMVectorTypeKind);
  LLVMTypeRef packed =
      LLVMArrayType2(LLVMGetElementType(vector), LLVMGetVectorSize(vector));
  return LLVMBuildGEP2(l->builder, packed, pointer, &index, 1, "");
}

static unsigned element_bytes(const Lowering *l, LLVMTypeRef vector) {
  return (unsigned)LLVMStoreSizeOfType(l->layout, LLVMGetElementType(vector));
}

static void become_vector_load(const Lowering *l, LLVMValueRef call,
                               uint32_t site) {
  LLVMTypeRef vector = LLVMTypeOf(call);
  LLVMValueRef at =
      vector_at(l, LLVMGetOperand(call, 1), LLVMGetOperand(call, 0), vector);
  hook_typed(l, at, vector, site);
  LLVMValueRef load = LLVMBuildLoad2(l->builder, vector, at, "");
  LLVMSetAlignment(load, element_bytes(l, vector));
  LLVMReplaceAllUsesWith(call, load);
  LLVMInstructionEraseFromParent(call);
}

static void become_vector_store(const Lowering *l, LLVMValueRef call,
                                uint32_t site) {
  LLVMTypeRef vector = LLVMTypeOf(LLVMGetOperand(call, 0));
  LLVMValueRef at =
      vector_at(l, LLVMGetOperand(call, 2), LLVMGetOperand(call, 1), vector);
  hook_typed(l, at, vector, site);
  LLVMValueRef store = LLVMBuildStore(l->builder, LLVMGetOperand(call, 0), at);
  LLVMSetAlignment(store, element_bytes(l, vector));
  LLVMInstructionEraseFromParent(call);
}

static void become_field(const Lowering *l, LLVMValueRef call,
                         const Builtin *builtin) {
  bool is_given = l->image->is_block && builtin->origin != ORIGIN_RUN;
  LLVMValueRef value =
      is_given ? field_of_thread(l, LLVMTypeOf(call), builtin)
               : load_invariant(l, LLVMTypeOf(call), origin(l, builtin->origin),
                                builtin->offset);
  LLVMReplaceAllUsesWith(call, value);
  LLVMInstructionEraseFromParent(call);
}

void jit_add_attribute(LLVMValueRef function, const char *name,
                       uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  assert(kind); // LLVM knows the name
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAddAttributeAtIndex(function,
                          (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, value));
}

void jit_make_pure(LLVMContextRef context, LLVMValueRef call) {
  static const char *const names[] = {"memory", "nounwind", "willreturn"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
    LLVMAddCallSiteAttribute(call,
                             (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                             LLVMCreateEnumAttribute(context, kind, 0));
  }
}

static void lower_builtin(const Lowering *l, LLVMValueRef call,
                          const Builtin *builtin) {
  uint32_t site = jit_site(call);
  switch (builtin->how) {
  case HOW_PLAIN:
  case HOW_CALL:
  case HOW_UNKNOWN:
    break;
  case HOW_PURE:
    if (!llvm_become_operation(l->builder, call))
      jit_make_pure(l->context, call);
    break;
  case HOW_OWN:
    if (l->image->is_block)
      jit_become_word(l->builder, call, builtin);
    else
      jit_make_pure(l->context, call);
    break;
  case HOW_BARRIER:
  case HOW_VOTE:
    if (l->image->is_block) {
      jit_become_barrier(l->builder, call, builtin, site);
      break;
    }
    hook_site(l, builtin_at, site);
    break;
  case HOW_WORD:
  case HOW_PEEK:
  case HOW_MAKE:
    hook_typed(l, LLVMGetOperand(call, 0), l->i64, site);
    hook_site(l, builtin_at, site);
    break;
  case HOW_AT:
  case HOW_CHECK:
  case HOW_FREE:
  case HOW_COPY:
  case HOW_GATHER:
  case HOW_SCATTER:
    hook_site(l, builtin_at, site);
    break;
  case HOW_ATOMIC:
    if (jit_is_compare(call))
      hook_expected(l, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1));
    hook_typed(l, LLVMGetOperand(call, 0), jit_atomic_type(call), site);
    break;
  case HOW_LOAD:
    hook_typed(l, LLVMGetOperand(call, 0), LLVMTypeOf(call), site);
    become_load(l, call);
    break;
  case HOW_VLOAD:
    become_vector_load(l, call, site);
    break;
  case HOW_VSTORE:
    become_vector_store(l, call, site);
    break;
  case HOW_FIELD:
    become_field(l, call, builtin);
    break;
  case HOW_FENCE:
    hook_fence(l, site);
    remove_call(call);
    break;
  case HOW_NOTHING:
    remove_call(call);
    break;
  }
}

// Assembly becomes a call of what does the same.
static void replace_assembly(const Lowering *l, LLVMValueRef call,
                             const Builtin *builtin) {
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef *arguments =
      arena_alloc(&l->task->arena, count * sizeof *arguments);
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(call, i);
  LLVMValueRef made = LLVMBuildCall2(
      l->builder, LLVMGetCalledFunctionType(call),
      address(l, (uintptr_t)builtin->function), arguments, count, "");
  LLVMReplaceAllUsesWith(call, made);
  LLVMInstructionEraseFromParent(call);
}

static void lower_call(const Lowering *l, LLVMValueRef call) {
  const char *name = jit_declared(call);
  LLVMSetInstructionCallConv(call, LLVMCCallConv);
  if (!name)
    hook_site(l, builtin_at, jit_site(call));
  else if (llvm_transfer(call))
    hook_transfer(l, call, jit_site(call));
  else {
    const Builtin *builtin = builtin_find(l->task, name);
    assert(builtin); // the survey refuses others
    bool is_assembly = LLVMIsAInlineAsm(LLVMGetCalledValue(call));
    bool is_word = builtin->how == HOW_OWN && l->image->is_block;
    lower_builtin(l, call, builtin);
    if (is_assembly && !is_word)
      replace_assembly(l, call, builtin);
  }
}

static void lower_atomic(const Lowering *l, LLVMValueRef i, uint32_t site) {
  LLVMValueRef at = LLVMGetOperand(i, 0);
  if (LLVMIsAAtomicCmpXchgInst(i))
    hook_expected(l, at, LLVMGetOperand(i, 1));
  hook_typed(l, at, LLVMTypeOf(LLVMGetOperand(i, 1)), site);
  if (l->image->is_block)
    l->image->has_single |= jit_become_single(l->builder, i);
}

static void lower_instruction(const Lowering *l, LLVMValueRef i) {
  uint32_t site = jit_site(i);
  LLVMPositionBuilderBefore(l->builder, i);
  if (LLVMIsACallInst(i))
    lower_call(l, i);
  else if (jit_lower_arithmetic(l->builder, i))
    LLVMInstructionEraseFromParent(i);
  else if (site == NO_SITE)
    return;
  else if (LLVMIsALoadInst(i))
    hook_plain(l, LLVMGetOperand(i, 0), LLVMTypeOf(i), site);
  else if (LLVMIsAStoreInst(i))
    hook_plain(l, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)), site);
  else if (LLVMIsATerminatorInst(i))
    hook_step(l, site);
  else if (LLVMIsAFenceInst(i))
    hook_fence(l, site);
  else
    lower_atomic(l, i, site);
}

// ------------------------------------------------------------- functions ---

static void forget_target(LLVMValueRef function) {
  static const char *const names[] = {"target-cpu", "target-features",
                                      "tune-cpu", "frame-pointer"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    LLVMRemoveStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, names[i],
        (unsigned)strlen(names[i]));
  LLVMSetFunctionCallConv(function, LLVMCCallConv);
}

static void lower_function(const Lowering *l, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      lower_instruction(l, i);
    }
}

// Declarations of what we have become the address of ours.
static void lower_functions(const Lowering *l) {
  LLVMValueRef last = LLVMGetLastFunction(l->module); // but for new ones
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module), next; f; f = next) {
    next = f == last ? NULL : LLVMGetNextFunction(f);
    if (jit_is_ours(l->run->code, f))
      lower_function(l, f);
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(l->module), next; f; f = next) {
    size_t length = 0;
    next = LLVMGetNextFunction(f);
    if (f == LLVMGetNamedFunction(l->module, STEP_NAME))
      continue;
    const Builtin *builtin =
        LLVMIsDeclaration(f)
            ? builtin_find(l->task, LLVMGetValueName2(f, &length))
            : NULL;
    if (builtin && builtin->function)
      LLVMReplaceAllUsesWith(f, address(l, (uintptr_t)builtin->function));
    bool is_left_out = !LLVMIsDeclaration(f) && !jit_is_ours(l->run->code, f);
    forget_target(f);
    if (is_left_out)
      LLVMSetLinkage(f, LLVMInternalLinkage);
  }
}

// ------------------------------------------------------------- variables ---

// With bytes behind it that belong to nobody, so that an index that is wrong
// does not lead into the next variable.  Names stay with the old one.
static LLVMValueRef set_apart(const Lowering *l, LLVMValueRef global) {
  LLVMTypeRef parts[] = {
      LLVMGlobalGetValueType(global),
      LLVMArrayType2(LLVMInt8TypeInContext(l->context), VARIABLE_GAP)};
  if (LLVMIsDeclaration(global))
    return global;
  LLVMTypeRef type = LLVMStructTypeInContext(l->context, parts, 2, false);
  LLVMValueRef values[] = {LLVMGetInitializer(global), LLVMConstNull(parts[1])};
  LLVMValueRef apart = LLVMAddGlobalInAddressSpace(
      l->module, type, "", LLVMGetPointerAddressSpace(LLVMTypeOf(global)));
  LLVMSetInitializer(apart,
                     LLVMConstStructInContext(l->context, values, 2, false));
  LLVMSetAlignment(apart, LLVMGetAlignment(global));
  LLVMSetGlobalConstant(apart, LLVMIsGlobalConstant(global));
  LLVMSetLinkage(apart, LLVMInternalLinkage);
  LLVMReplaceAllUsesWith(global, apart);
  return apart;
}

static LLVMValueRef variable_address(const Lowering *l, LLVMValueRef global,
                                     const Variable *variable) {
  uint64_t offset =
      variable->is_dynamic ? l->run->code->shared_bytes : variable->offset;
  if (variable->is_note)
    return LLVMConstNull(l->pointer);
  if (variable->space != SPACE_SHARED && !variable->at)
    return LLVMConstAddrSpaceCast(set_apart(l, global), l->pointer);
  char *at = variable->at ? variable->at : l->image->shared + offset;
  LLVMReplaceAllUsesWith(
      global, LLVMConstIntToPtr(LLVMConstInt(l->i64, (uintptr_t)at, false),
                                LLVMTypeOf(global)));
  return address(l, (uintptr_t)at);
}

static void lower_variables(const Lowering *l) {
  const Code *code = l->run->code;
  Vec(LLVMValueRef) table = {0};
  LLVMValueRef global = LLVMGetFirstGlobal(l->module);
  size_t count = 0;
  for (LLVMValueRef g = global; g; g = LLVMGetNextGlobal(g))
    count++;
  assert(count <= code->variables.count); // behind them those of the launch
  for (size_t i = 0; i < count; i++, global = LLVMGetNextGlobal(global))
    push(&l->task->arena, &table,
         variable_address(l, global, &code->variables.at[i]));
  LLVMTypeRef type = LLVMArrayType2(l->pointer, table.count);
  LLVMSetInitializer(
      LLVMAddGlobal(l->module, type, TABLE_NAME),
      LLVMConstArray2(l->pointer, table.at, (uint64_t)table.count));
}

// ----------------------------------------------------------------- entry ---

// A struct that is passed by value is each thread's own.
static LLVMValueRef argument(const Lowering *l, LLVMValueRef function,
                             LLVMValueRef addresses, unsigned index,
                             unsigned place) {
  LLVMTypeRef by_value = jit_by_value(function, index);
  LLVMValueRef number = LLVMConstInt(l->i64, place, false);
  LLVMValueRef slot =
      LLVMBuildGEP2(l->builder, l->pointer, addresses, &number, 1, "");
  LLVMValueRef at = LLVMBuildLoad2(l->builder, l->pointer, slot, "");
  LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, index));
  if (!by_value)
    return LLVMBuildLoad2(l->builder, type, at, "");
  LLVMValueRef own = LLVMBuildAlloca(l->builder, by_value, "");
  LLVMBuildStore(l->builder, LLVMBuildLoad2(l->builder, by_value, at, ""), own);
  return own;
}

static void forget_by_value(LLVMValueRef function, unsigned index) {
  LLVMRemoveEnumAttributeAtIndex(function, index + 1,
                                 LLVMGetEnumAttributeKindForName("byval", 5));
}

static void add_entry(const Lowering *l, LLVMValueRef function,
                      const char *name, const unsigned *places) {
  unsigned count = LLVMCountParams(function);
  LLVMTypeRef type =
      LLVMFunctionType(l->none, (LLVMTypeRef[]){l->pointer}, 1, false);
  LLVMValueRef entry = LLVMAddFunction(l->module, name, type);
  LLVMValueRef *values =
      arena_alloc(&l->task->arena, (count + 1) * sizeof *values);
  LLVMPositionBuilderAtEnd(
      l->builder, LLVMAppendBasicBlockInContext(l->context, entry, ""));
  for (unsigned i = 0; i < count; i++)
    values[i] = argument(l, function, LLVMGetParam(entry, 0), i,
                         places ? places[i] : i);
  for (unsigned i = 0; i < count; i++)
    forget_by_value(function, i);
  LLVMBuildCall2(l->builder, LLVMGlobalGetValueType(function), function, values,
                 count, "");
  LLVMBuildRetVoid(l->builder);
  LLVMSetLinkage(function, LLVMInternalLinkage);
}

// Each thread changes its own copy, if it does.
static void copy_by_value(const Lowering *l, LLVMValueRef function) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    LLVMTypeRef type = jit_by_value(function, i);
    LLVMValueRef given = LLVMGetParam(function, i);
    if (!type)
      continue;
    LLVMPositionBuilderBefore(l->builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef own = LLVMBuildAlloca(l->builder, type, "");
    LLVMReplaceAllUsesWith(given, own);
    LLVMBuildStore(l->builder, LLVMBuildLoad2(l->builder, type, given, ""),
                   own);
    forget_by_value(function, i);
  }
  LLVMSetLinkage(function, LLVMExternalLinkage);
}

void jit_lower(Task *task, const Run *run, Image *image) {
  LLVMModuleRef module = run->code->module;
  LLVMContextRef context = LLVMGetModuleContext(module);
  Lowering lowering = {.task = task,
                       .run = run,
                       .image = image,
                       .module = module,
                       .context = context,
                       .layout = LLVMGetModuleDataLayout(module),
                       .builder = LLVMCreateBuilderInContext(context),
                       .i32 = LLVMInt32TypeInContext(context),
                       .i64 = LLVMInt64TypeInContext(context),
                       .pointer = LLVMPointerTypeInContext(context, 0),
                       .none = LLVMVoidTypeInContext(context),
                       .has_marks = marks_suffice(run->code)};
  LLVMStripModuleDebugInfo(module);
  lower_variables(&lowering);
  lower_functions(&lowering);
  if (image->is_block)
    copy_by_value(&lowering, run->code->function);
  else if (run->code->function)
    add_entry(&lowering, run->code->function, ENTRY_NAME, NULL);
  if (run->code->also)
    add_entry(&lowering, run->code->also, ALSO_NAME,
              run->code->also_parameters.at);
  LLVMDisposeBuilder(lowering.builder);
}
