// From the IR of a program to code of this process.
//
// Local variables that need no memory get none first, which moves no access of
// shared memory; then come the calls of the machine, and only then LLVM's
// optimisations, which have to keep the accesses between two calls where they
// are.  So each access of the source is one of the code.

#define _GNU_SOURCE

#include "runtime/threads/ir.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <string.h>
#include <sys/mman.h>

typedef struct Making {
  Task *task;
  LLVMModuleRef module;
  ProgramImage *image;
  LLVMOrcLLJITRef jit;
  const char *report; // of the JIT; or NULL
} Making;

static const char *take_message(Task *task, LLVMErrorRef error) {
  char *message = LLVMGetErrorMessage(error);
  const char *text = arena_copy(&task->arena, message);
  LLVMDisposeErrorMessage(message);
  return text;
}

static void stop_on(Task *task, LLVMErrorRef error) {
  if (error)
    unsupported(task, (Loc){0}, "%s", take_message(task, error));
}

// What a session reports beside the error that a look-up gives: which names
// machine code needs that nobody has.
static void keep_report(void *data, LLVMErrorRef error) {
  Making *making = data;
  making->report = take_message(making->task, error);
}

// What nobody needs goes, whatever it would call.
static void make_internal(LLVMModuleRef module) {
  size_t length = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && strcmp(LLVMGetValueName2(f, &length), "main"))
      LLVMSetLinkage(f, LLVMInternalLinkage);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) &&
        strncmp(LLVMGetValueName2(g, &length), "llvm.", 5) != 0)
      LLVMSetLinkage(g, LLVMInternalLinkage);
}

// Another name of something is that.
static void resolve_aliases(LLVMModuleRef module) {
  for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(module); alias;
       alias = LLVMGetNextGlobalAlias(alias)) {
    LLVMReplaceAllUsesWith(alias, LLVMAliasGetAliasee(alias));
    LLVMSetLinkage(alias, LLVMInternalLinkage);
  }
}

static void forget_weak(LLVMValueRef value, bool is_known) {
  if (LLVMGetLinkage(value) == LLVMExternalWeakLinkage && !is_known)
    LLVMReplaceAllUsesWith(value, LLVMConstPointerNull(LLVMTypeOf(value)));
}

// What may be there or not, and is not, has no address.
static void resolve_weak(LLVMModuleRef module) {
  size_t length = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    forget_weak(f, posix_call(LLVMGetValueName2(f, &length)));
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    forget_weak(g, posix_variable(LLVMGetValueName2(g, &length)));
}

// Of a function, or of a call: of itself and of its arguments.
static void forget_of_all(LLVMValueRef value, unsigned count, unsigned kind) {
  bool is_function = LLVMIsAFunction(value);
  for (unsigned i = 0; i <= count + 1; i++) {
    LLVMAttributeIndex at =
        i ? i - 1 : (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    if (is_function)
      LLVMRemoveEnumAttributeAtIndex(value, at, kind);
    else
      LLVMRemoveCallSiteEnumAttribute(value, at, kind);
  }
}

static void forget_attribute(LLVMModuleRef module, unsigned kind) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    size_t length = 0;
    if (strncmp(LLVMGetValueName2(f, &length), "llvm.", 5) != 0)
      forget_of_all(f, LLVMCountParams(f), kind);
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
           i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i))
          forget_of_all(i, LLVMGetNumArgOperands(i), kind);
  }
}

// That a function leaves memory alone was true before it had calls of the
// machine.
static void forget_effects(LLVMModuleRef module) {
  static const char *const names[] = {
      "memory",     "nosync",       "willreturn", "nofree",
      "norecurse",  "readnone",     "readonly",   "writeonly",
      "argmemonly", "speculatable", "nocallback", "mustprogress"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    unsigned kind = LLVMGetEnumAttributeKindForName(names[i], strlen(names[i]));
    if (kind)
      forget_attribute(module, kind);
  }
}

static void add_to_all(LLVMModuleRef module, const char *key,
                       const char *value) {
  LLVMAttributeRef attribute = LLVMCreateStringAttribute(
      LLVMGetModuleContext(module), key, (unsigned)strlen(key), value,
      (unsigned)strlen(value));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            attribute);
}

// What is between two calls of the machine stays there, and no call of the
// library becomes one of another function.
static void forbid_builtins(LLVMModuleRef module) {
  add_to_all(module, "no-builtins", "");
}

// A frame larger than the page that guards a stack touches each of its pages,
// lest it begin behind that page, in another thread's stack.
static void probe_stacks(LLVMModuleRef module) {
  add_to_all(module, "probe-stack", "inline-asm");
}

static void run_passes(Making *making, const char *passes) {
  const char *reason = NULL;
  if (!llvm_run_passes(making->task, making->module, NULL, passes, &reason))
    unsupported(making->task, (Loc){0}, "%s", reason);
}

static uint64_t hash_of(LLVMModuleRef module) {
  LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(module);
  const char *at = LLVMGetBufferStart(buffer);
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < LLVMGetBufferSize(buffer); i++)
    hash = (hash ^ (unsigned char)at[i]) * UINT64_C(1099511628211);
  LLVMDisposeMemoryBuffer(buffer);
  return hash;
}

// ------------------------------------------------------------------- JIT ---

static void define(Making *making, const char *name, const void *code) {
  LLVMOrcCSymbolMapPair pair = {LLVMOrcLLJITMangleAndIntern(making->jit, name),
                                {(LLVMOrcExecutorAddress)(uintptr_t)code,
                                 {LLVMJITSymbolGenericFlagsExported, 0}}};
  stop_on(making->task,
          LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(making->jit),
                                LLVMOrcAbsoluteSymbols(&pair, 1)));
}

// What instructions become calls of when they become machine code; which
// accesses they make, the calls before them have told.
static void define_machine_code(Making *making) {
  define(making, "memcpy", (const void *)(uintptr_t)memcpy);
  define(making, "memmove", (const void *)(uintptr_t)memmove);
  define(making, "memset", (const void *)(uintptr_t)memset);
  for (const PosixCall *call = math_calls; call->name; call++)
    define(making, call->name, call->code);
  for (const PosixCall *call = wide_calls; call->name; call++)
    define(making, call->name, call->code);
}

// Under another name than the C library's, which the JIT may have itself.
static void define_called(Making *making, LLVMValueRef function) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  const PosixCall *known =
      LLVMIsDeclaration(function) ? posix_call(name) : NULL;
  if (!known)
    return;
  code_own_address(function);
  const char *other = arena_printf(&making->task->arena, "posix.%s", name);
  LLVMSetValueName2(function, other, strlen(other));
  define(making, other, known->code);
}

// What the program calls.  Machine code may also find functions of numbers that
// this process has.
static void define_all(Making *making) {
#define HOOK(name) define(making, #name, (const void *)(uintptr_t)name)
  HOOK(threads_read);
  HOOK(threads_write);
  HOOK(threads_atomic);
  HOOK(threads_copy);
  HOOK(threads_fill);
  HOOK(threads_fence);
  HOOK(threads_changed);
  HOOK(threads_publish);
  HOOK(threads_meet);
  HOOK(threads_library_enter);
  HOOK(threads_library_access);
  HOOK(threads_enter);
  HOOK(threads_leave);
  HOOK(threads_saved);
  HOOK(threads_scopes);
  HOOK(threads_scopes_left);
  HOOK(threads_scope_begins);
  HOOK(threads_scope_ends);
#undef HOOK
  define_machine_code(making);
  for (LLVMValueRef f = LLVMGetFirstFunction(making->module); f;
       f = LLVMGetNextFunction(f))
    define_called(making, f);
}

static uint64_t look_up(Making *making, const char *name) {
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef error = LLVMOrcLLJITLookup(making->jit, &address, name);
  if (error && making->report)
    unsupported(making->task, (Loc){0},
                "the machine code of this program calls what gpuverify has "
                "not: %s",
                making->report);
  stop_on(making->task, error);
  return address;
}

static void map(Task *task, uint64_t at, uint64_t bytes) {
  void *wanted = (void *)(uintptr_t)at;
  if (mmap(wanted, bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
           -1, 0) != wanted)
    unsupported(task, (Loc){0},
                "there is no memory at the addresses that the program needs");
}

static void open_jit(Making *making) {
  map(making->task, CODE_AT, CODE_BYTES + DATA_BYTES);
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, code_linker, NULL);
  stop_on(making->task, LLVMOrcCreateLLJIT(&making->jit, builder));
  LLVMOrcExecutionSessionSetErrorReporter(
      LLVMOrcLLJITGetExecutionSession(making->jit), keep_report, making);
  LLVMSetTarget(making->module, LLVMOrcLLJITGetTripleString(making->jit));
  LLVMSetDataLayout(making->module, LLVMOrcLLJITGetDataLayoutStr(making->jit));
}

static void compile(Making *making) {
  define_all(making);
  LLVMOrcThreadSafeContextRef context =
      LLVMOrcCreateNewThreadSafeContextFromLLVMContext(
          LLVMGetModuleContext(making->module));
  stop_on(making->task,
          LLVMOrcLLJITAddLLVMIRModule(
              making->jit, LLVMOrcLLJITGetMainJITDylib(making->jit),
              LLVMOrcCreateNewThreadSafeModule(making->module, context)));
  uint64_t main = look_up(making, "main");
  making->image->main = (int (*)(int, char **, char **))(uintptr_t)main;
}

// ---------------------------------------------------------------- memory ---

static void fill_memory(Making *making) {
  const uint64_t *row =
      (const uint64_t *)(uintptr_t)look_up(making, STARTS_NAME);
  for (; row[2]; row += 3) {
    char *to = row[0] < MOST_TLS ? world.tls_image + row[0]
                                 : (char *)(uintptr_t)row[0];
    memcpy(to, (const void *)(uintptr_t)row[1], row[2]);
  }
  if (world.constants_bytes)
    mprotect((void *)(uintptr_t)CONSTANTS_AT, CONSTANTS_BYTES, PROT_READ);
}

// ------------------------------------------------------------------- all ---

// For who makes other code of it.
static void keep_bitcode(Making *making) {
  if (!making->image->is_kept)
    return;
  LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(making->module);
  size_t bytes = LLVMGetBufferSize(buffer);
  char *copy = arena_alloc(&making->task->arena, bytes);
  memcpy(copy, LLVMGetBufferStart(buffer), bytes);
  LLVMDisposeMemoryBuffer(buffer);
  making->image->instrumented = copy;
  making->image->instrumented_bytes = bytes;
}

static void make(Task *task, void *data) {
  Making *making = data;
  ProgramImage *image = making->image;
  making->task = task;
  program_library_add(making->module);
  image->text = hash_of(making->module);
  open_jit(making);
  ir_constructors(task, making->module);
  resolve_aliases(making->module);
  resolve_weak(making->module);
  make_internal(making->module);
  ir_jumps_keep(making->module);
  run_passes(making, "function(sroa),globaldce");
  ir_refuse(task, making->module);
  ir_widen_locals(making->module);
  ir_place_globals(task, making->module, image);
  ir_instrument(task, making->module, image);
  ir_scopes(task, making->module, image);
  if (!image->is_kept)
    ir_callers(task, making->module, image);
  ir_jumps(making->module);
  if (image->is_kept)
    ir_fill_locals(making->module);
  forget_effects(making->module);
  forbid_builtins(making->module);
  probe_stacks(making->module);
  keep_bitcode(making);
  run_passes(making, "default<O2>");
  map(task, GLOBALS_AT, GLOBALS_BYTES);
  map(task, CONSTANTS_AT, CONSTANTS_BYTES);
  map(task, HEAP_AT, END_OF_WORLD - HEAP_AT);
  compile(making);
  fill_memory(making);
}

bool program_image_make(Task *task, struct LLVMOpaqueModule *module,
                        ProgramImage *image, const char **reason, Loc *where) {
  Making making = {.module = module, .image = image};
  if (task_run(task, make, &making))
    return true;
  *reason = task->reason;
  *where = task->where;
  return false;
}
