// A module before its kernels are looked at.
//
// The pipeline is short on purpose: every pass that runs must keep every
// access to memory that threads share.  always-inline and globaldce move and
// drop whole functions; sroa touches allocas only, which are private unless
// their address escapes, and then it leaves them alone; lower-switch changes
// branches.  No pass that merges, hoists or deletes loads and stores runs,
// and none that draws conclusions from undefined behaviour.

#include "llvm/core.h"

#include <assert.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>

enum {
  PTX_KERNEL = 71,
  SPIR_KERNEL = 76,
  AMDGPU_KERNEL = 91,
  WRAPPER_MAGIC = 0x0b17c0de,
  WRAPPER_BYTES = 20,
};

bool llvm_is_kernel(LLVMValueRef function) {
  unsigned convention = LLVMGetFunctionCallConv(function);
  return !LLVMIsDeclaration(function) &&
         (convention == PTX_KERNEL || convention == SPIR_KERNEL ||
          convention == AMDGPU_KERNEL);
}

static bool is_call_by_kernel(LLVMValueRef user, LLVMValueRef function) {
  return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function &&
         llvm_is_kernel(
             LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
}

bool llvm_is_kernel_body(LLVMValueRef function) {
  static const char body[] = "__clang_ocl_kern_imp_";
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  LLVMUseRef use = LLVMGetFirstUse(function);
  if (llvm_is_kernel(function))
    return true;
  return !LLVMIsDeclaration(function) && use && !LLVMGetNextUse(use) &&
         !strncmp(name, body, sizeof body - 1) &&
         is_call_by_kernel(LLVMGetUser(use), function);
}

static void remove_attribute(LLVMValueRef function, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMRemoveEnumAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

static void add_attribute(LLVMValueRef function, const char *name) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function,
                          (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

// noinline on a call, too, would keep its callee out.
static void open_calls(LLVMValueRef function) {
  unsigned kind = LLVMGetEnumAttributeKindForName("noinline", 8);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i))
        LLVMRemoveCallSiteEnumAttribute(
            i, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

static void make_inlinable(LLVMModuleRef module) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function))
      continue;
    remove_attribute(function, "optnone");
    remove_attribute(function, "noinline");
    open_calls(function);
    if (llvm_is_kernel(function) || llvm_is_replaceable(function))
      continue;
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMSetComdat(function, NULL);
    add_attribute(function, "alwaysinline");
  }
}

const char *llvm_take_message(Task *task, char *message) {
  const char *copy = arena_copy(&task->arena, message);
  LLVMDisposeMessage(message);
  return copy;
}

bool llvm_run_passes(Task *task, LLVMModuleRef module,
                     LLVMTargetMachineRef machine, const char *passes,
                     const char **reason) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  *reason = arena_copy(&task->arena, message);
  LLVMDisposeErrorMessage(message);
  return false;
}

static void run_on_function(LLVMValueRef function, const char *pass) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPassesOnFunction(function, pass, NULL, options);
  LLVMDisposePassBuilderOptions(options);
  assert(!error);
}

void llvm_lower_atomics(LLVMValueRef function) {
  run_on_function(function, "lower-atomic");
}

void llvm_fold_branches(LLVMValueRef function) {
  run_on_function(function, "sccp");
}

void llvm_make_kernel(Task *task, LLVMModuleRef module, const char *name) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    size_t length = 0;
    bool is_named = !LLVMIsDeclaration(function) &&
                    (!strcmp(LLVMGetValueName2(function, &length), name) ||
                     !strcmp(llvm_source_name(task, function), name));
    if (is_named && !llvm_is_kernel(function))
      LLVMSetFunctionCallConv(function, llvm_is_amdgcn(module) ? AMDGPU_KERNEL
                                                               : PTX_KERNEL);
  }
}

// ------------------------------------------------ cooperative groups ---

// Behind _ZN, or _ZNK, if it is of CUDA's namespace, and of none of that name
// in another one.
static const char *in_cooperative_groups(const char *name) {
  static const char space[] = "18cooperative_groups";
  size_t start = strncmp(name, "_ZNK", 4) ? strlen("_ZN") : strlen("_ZNK");
  bool is_member = !strncmp(name, "_ZN", 3) &&
                   !strncmp(name + start, space, sizeof space - 1);
  return is_member ? name + start : NULL;
}

// grid_group::sync, and what the older sync(grid) comes to.
static bool is_grid_sync(LLVMValueRef function) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  const char *space = in_cooperative_groups(name);
  const char *grid = space ? strstr(space, "7details4grid") : NULL;
  return !LLVMIsDeclaration(function) && space &&
         (strstr(space, "10grid_group4syncEv") ||
          (grid && strstr(grid, "4syncE")));
}

static LLVMMetadataRef some_place(LLVMValueRef function) {
  LLVMMetadataRef place = NULL;
  for (LLVMValueRef i =
           LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(function));
       i && !place; i = LLVMGetNextInstruction(i))
    place = LLVMInstructionGetDebugLoc(i);
  return place;
}

static void call_instead(LLVMModuleRef module, LLVMValueRef function) {
  static const char name[] = "__gpuverify_grid_sync";
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
  LLVMValueRef callee = LLVMGetNamedFunction(module, name);
  if (!callee)
    callee = LLVMAddFunction(module, name, type);
  LLVMBasicBlockRef first = LLVMGetFirstBasicBlock(function);
  LLVMMetadataRef place = some_place(function);
  LLVMBasicBlockRef body =
      LLVMInsertBasicBlockInContext(context, first, "entry");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, body);
  LLVMSetCurrentDebugLocation2(builder, place);
  LLVMBuildCall2(builder, type, callee, NULL, 0, "");
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
}

// The SDK's is a protocol of atomics on memory that the driver provides.
void llvm_name_grid_barrier(LLVMModuleRef module) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    if (is_grid_sync(function))
      call_instead(module, function);
}

// -------------------------------------------------------------- pipeline ---

static bool calls_definition(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMValueRef called =
          LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
      if (called && !LLVMIsDeclaration(called))
        return true;
    }
  return false;
}

static bool has_open_call(LLVMModuleRef module) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    if (llvm_is_kernel(function) && calls_definition(function))
      return true;
  return false;
}

bool llvm_inline_once(Task *task, LLVMModuleRef module, const char **reason) {
  if (!llvm_run_passes(task, module, NULL, "globaldce,always-inline,globaldce",
                       reason))
    return false;
  llvm_replace_tables(task, module);
  llvm_start_locals(module);
  if (!llvm_run_passes(task, module, NULL,
                       "function(sroa<preserve-cfg>,lower-switch)", reason))
    return false;
  llvm_replace_tables(task, module);
  llvm_drop_unused_starts(module);
  return true;
}

// Who is called through a variable, sroa finds out: then once more.  What is
// still there after a few rounds is recursive.
static bool inline_all(Task *task, LLVMModuleRef module, const char **reason) {
  enum { ROUNDS = 4 };
  for (int round = 0; !round || (round < ROUNDS && has_open_call(module));
       round++) {
    task_check_time(task, (Loc){0});
    llvm_put_callers_first(task, module);
    if (!llvm_inline_once(task, module, reason))
      return false;
  }
  return true;
}

static bool make_values_of_arguments(Task *task, LLVMModuleRef module,
                                     const char **reason) {
  if (!llvm_copy_arguments(module))
    return true;
  llvm_start_locals(module);
  if (!llvm_run_passes(task, module, NULL, "function(sroa<preserve-cfg>)",
                       reason))
    return false;
  llvm_drop_unused_starts(module);
  return true;
}

bool llvm_prepare(Task *task, LLVMModuleRef module, const char **reason) {
  char *message = NULL;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    *reason = arena_printf(&task->arena, "malformed LLVM IR: %s",
                           llvm_take_message(task, message));
    return false;
  }
  LLVMDisposeMessage(message);
  llvm_require_axioms(module);
  llvm_move_postconditions(task, module);
  llvm_mark_elsewhere(task, module);
  make_inlinable(module);
  return inline_all(task, module, reason) &&
         make_values_of_arguments(task, module, reason);
}

// What is called may itself call through a pointer, or be recursive; if it goes
// on for long it is recursive through pointers.  Loops that have come by then
// have function-wide invariants, too.
bool llvm_follow_calls(Task *task, LLVMModuleRef module, const char **reason) {
  enum { ROUNDS = 4 };
  bool is_changed = true;
  for (int round = 0; is_changed && round < ROUNDS; round++) {
    bool is_split = llvm_split_pointed_calls(task, module);
    if ((is_split && !inline_all(task, module, reason)) ||
        !llvm_unfold_recursion(task, module, &is_changed, reason))
      return false;
    is_changed |= is_split;
  }
  if (llvm_unroll_loops(task, module) &&
      !llvm_inline_once(task, module, reason))
    return false;
  llvm_return_at_exits(task, module);
  llvm_spread_invariants(task, module);
  return true;
}

static const char *proved_of(Arena *arena, LLVMValueRef function) {
  LLVMAttributeRef known = LLVMGetStringAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LLVM_PROVED,
      sizeof LLVM_PROVED - 1);
  unsigned length = 0;
  const char *text = known ? LLVMGetStringAttributeValue(known, &length) : NULL;
  return text ? arena_printf(arena, "%.*s", (int)length, text) : NULL;
}

void llvm_find_kernels(Task *task, LLVMModuleRef module,
                       KernelEntries *kernels) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    if (!llvm_is_kernel(function))
      continue;
    size_t length = 0;
    KernelEntry entry = {
        .function = function,
        .name = arena_copy(&task->arena, LLVMGetValueName2(function, &length)),
        .source = llvm_source_name(task, function),
        .loc = llvm_function_location(task, function),
        .proved = proved_of(&task->arena, function)};
    push(&task->arena, kernels, entry);
  }
}

// Variables may have become values in a file, but where no optimiser may look.
static void note_rewritten(LLVMModuleRef module) {
  unsigned optnone = LLVMGetEnumAttributeKindForName("optnone", 7);
  LLVMAttributeRef mark =
      LLVMCreateStringAttribute(LLVMGetModuleContext(module), LLVM_REWRITTEN,
                                sizeof LLVM_REWRITTEN - 1, "", 0);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    if (!LLVMGetEnumAttributeAtIndex(
            function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, optnone))
      LLVMAddAttributeAtIndex(
          function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark);
}

// The buffer becomes the parser's, whatever happens.
LLVMModuleRef llvm_read_file(Task *task, const char *file,
                             const char **reason) {
  LLVMMemoryBufferRef buffer = NULL;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message)) {
    *reason = llvm_take_message(task, message);
    return NULL;
  }
  LLVMContextRef context = LLVMContextCreate();
  if (!LLVMParseIRInContext(context, buffer, &module, &message)) {
    note_rewritten(module);
    return module;
  }
  *reason = llvm_take_message(task, message);
  LLVMContextDispose(context);
  return NULL;
}

// The header that LLVM knows for bitcode in other files: it says how long it
// is.
bool llvm_is_managed(LLVMValueRef global) {
  const char *section = LLVMGetSection(global);
  return section && !strcmp(section, MANAGED_SECTION);
}

static uint32_t module_marks(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (llvm_is_managed(g))
      return HAS_MANAGED;
  return 0;
}

bool llvm_write_file(LLVMModuleRef module, const char *file) {
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
  size_t bytes = LLVMGetBufferSize(bitcode);
  uint32_t header[] = {WRAPPER_MAGIC, 0, WRAPPER_BYTES, (uint32_t)bytes,
                       module_marks(module)};
  FILE *out = fopen(file, "wb");
  bool is_written = out && fwrite(header, WRAPPER_BYTES, 1, out) == 1 &&
                    fwrite(LLVMGetBufferStart(bitcode), bytes, 1, out) == 1;
  if (out && fclose(out))
    is_written = false;
  LLVMDisposeMemoryBuffer(bitcode);
  return is_written;
}

LLVMModuleRef llvm_copy_module(LLVMModuleRef module) {
  return LLVMCloneModule(module);
}

void llvm_drop_copy(LLVMModuleRef copy) { LLVMDisposeModule(copy); }

void llvm_free_module(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
}
