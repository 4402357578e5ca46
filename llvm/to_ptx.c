// A module as PTX text, for the check of named barriers.
//
// LLVM's own back end prints it, in a copy of this process, so that nobody
// needs NVIDIA's compiler.  Lines of the source are in the text (.loc).  No
// access to shared memory may get lost on the way.  In this order run
//
//   the passes of module.c, which keep every access;
//   infer-address-spaces: it says of a pointer that it points to shared, global
//     or constant memory, and leaves the access as it is;
//   instsimplify and simplifycfg, for what the arguments do not decide after
//     all: `n > 5 && false`, `n % 1 == 0`;
//   the back end, without its optimisations: from -O1 on, early-cse and the
//     load-store-vectorizer drop and merge accesses.
//
// From instsimplify on, a load that nobody uses would still be dropped, and a
// store of what was just loaded, but never a volatile one.  So before it all
// loads and stores that may be of shared memory are made volatile, and in the
// text they are plain ones again, as those of CUDA C++'s volatile are to us; of
// inline assembly the text stays as it is.  simplifycfg takes
// __builtin_unreachable at its word.

#define _POSIX_C_SOURCE 200809L

#include "llvm/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GENERIC = 0, GLOBAL = 1, SHARED = 3 }; // address spaces
enum { NEWEST_PTX = 90 };

// --------------------------------------------------------- target machine ---

// "" if the function has no such attribute.
static const char *attribute_text(Task *task, LLVMValueRef function,
                                  const char *key) {
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, key,
      (unsigned)strlen(key));
  unsigned length = 0;
  const char *text =
      attribute ? LLVMGetStringAttributeValue(attribute, &length) : "";
  return arena_printf(&task->arena, "%.*s", (int)length, text);
}

// What clang compiled for, if all functions say the same; else sm_80.
static const char *processor_of(Task *task, LLVMModuleRef module) {
  static const char otherwise[] = "sm_80";
  const char *processor = NULL;
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    if (LLVMIsDeclaration(function))
      continue;
    const char *own = attribute_text(task, function, "target-cpu");
    if (!*own || (processor && strcmp(own, processor) != 0))
      return otherwise;
    processor = own;
  }
  return processor ? processor : otherwise;
}

static void initialise_target(void) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

// NULL: *reason says why.  The newest PTX that LLVM 22 knows has every
// instruction.  Clang's "target-features" name the one of the SDK it found and,
// without an SDK, 4.2, with which the back end refuses most processors.
static LLVMTargetMachineRef machine_for(Task *task, LLVMModuleRef module,
                                        const char *processor, unsigned version,
                                        LLVMCodeGenOptLevel level,
                                        const char **reason) {
  const char *triple = LLVMGetTarget(module);
  LLVMTargetRef target = NULL;
  char *message = NULL;
  initialise_target();
  if (strncmp(triple, "nvptx", 5) != 0) {
    *reason = "this is no code for NVIDIA's devices";
    return NULL;
  }
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    *reason = llvm_take_message(task, message);
    return NULL;
  }
  return LLVMCreateTargetMachine(target, triple, processor,
                                 arena_printf(&task->arena, "+ptx%u", version),
                                 level, LLVMRelocDefault, LLVMCodeModelDefault);
}

// --------------------------------------------------------------- accesses ---

static void for_each_instruction(LLVMModuleRef module,
                                 void (*change)(LLVMValueRef function,
                                                LLVMValueRef instruction)) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
           i = LLVMGetNextInstruction(i))
        change(function, i);
}

// The argument, a struct, that it points into, or NULL.
static LLVMValueRef argument_of(LLVMValueRef function, LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (LLVMGetParam(function, i) == pointer)
      return llvm_is_by_value(function, i) ? pointer : NULL;
  return NULL;
}

static bool is_only_read(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsALoadInst(user) &&
        (!LLVMIsAGetElementPtrInst(user) || !is_only_read(user)))
      return false;
  }
  return true;
}

// A pointer in such a struct is one of the host's, unless the kernel puts
// another one there, so it points to global memory
// (SOUND(arguments-are-not-shared)).
static void note_global(LLVMValueRef function, LLVMValueRef load) {
  LLVMTypeRef type = LLVMTypeOf(load);
  if (!LLVMIsALoadInst(load) || LLVMGetTypeKind(type) != LLVMPointerTypeKind)
    return;
  LLVMValueRef argument = argument_of(function, LLVMGetOperand(load, 0));
  if (!argument || !is_only_read(argument))
    return;
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(load));
  LLVMValueRef global = LLVMBuildAddrSpaceCast(
      builder, load, LLVMPointerTypeInContext(context, GLOBAL), "");
  LLVMValueRef generic = LLVMBuildAddrSpaceCast(builder, global, type, "");
  LLVMReplaceAllUsesWith(load, generic);
  LLVMSetOperand(global, 0, load);
  LLVMDisposeBuilder(builder);
}

// What it points into, as far as can be seen.
static LLVMValueRef base_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer) ||
         LLVMIsAAddrSpaceCastInst(pointer) || LLVMIsAConstantExpr(pointer))
    pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

static bool may_be_shared(LLVMValueRef function, LLVMValueRef pointer) {
  unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
  if (space != GENERIC)
    return space == SHARED;
  LLVMValueRef base = base_of(pointer);
  if (LLVMIsAGlobalVariable(base))
    return LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == SHARED;
  return !LLVMIsAAllocaInst(base) && !argument_of(function, pointer);
}

static void make_volatile(LLVMValueRef function, LLVMValueRef instruction) {
  bool is_load = LLVMIsALoadInst(instruction);
  if ((!is_load && !LLVMIsAStoreInst(instruction)) ||
      LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic)
    return;
  LLVMValueRef pointer = LLVMGetOperand(instruction, is_load ? 0 : 1);
  if (may_be_shared(function, pointer))
    LLVMSetVolatile(instruction, true);
}

static bool prepare_accesses(Task *task, LLVMModuleRef module,
                             LLVMTargetMachineRef machine,
                             const char **reason) {
  for_each_instruction(module, note_global);
  if (!llvm_run_passes(task, module, machine, "function(infer-address-spaces)",
                       reason))
    return false;
  for_each_instruction(module, make_volatile);
  return llvm_run_passes(task, module, machine,
                         "function(instsimplify,simplifycfg)", reason);
}

// ------------------------------------------------------------------- text ---

// The back end's first error; it goes on behind it.
typedef struct Complaint {
  Task *task;
  const char *text;
} Complaint;

static void note_complaint(LLVMDiagnosticInfoRef diagnostic, void *data) {
  Complaint *complaint = data;
  if (LLVMGetDiagInfoSeverity(diagnostic) != LLVMDSError || complaint->text)
    return;
  complaint->text = llvm_take_message(complaint->task,
                                      LLVMGetDiagInfoDescription(diagnostic));
}

// Takes .volatile out of what the back end has printed.
static void make_plain(char *text) {
  static const char word[] = ".volatile", begin[] = "// begin inline asm",
                    end[] = "// end inline asm";
  bool is_inline = false;
  char *to = text;
  while (*text) {
    is_inline |= !strncmp(text, begin, sizeof begin - 1);
    is_inline &= strncmp(text, end, sizeof end - 1) != 0;
    if (!is_inline && !strncmp(text, word, sizeof word - 1))
      text += sizeof word - 1;
    else
      *to++ = *text++;
  }
  *to = '\0';
}

static const char *print(Task *task, LLVMModuleRef module,
                         LLVMTargetMachineRef machine, const char **reason) {
  LLVMMemoryBufferRef buffer = NULL;
  char *message = NULL;
  LLVMSetTargetMachineAsmVerbosity(machine, true); // what was inlined where
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile,
                                          &message, &buffer)) {
    *reason = llvm_take_message(task, message);
    return NULL;
  }
  char *text = arena_copy(&task->arena, LLVMGetBufferStart(buffer));
  LLVMDisposeMemoryBuffer(buffer);
  make_plain(text);
  return text;
}

// Where nobody listens, LLVM goes on to end the process at an error.
static const char *print_or_complain(Task *task, LLVMModuleRef module,
                                     LLVMTargetMachineRef machine,
                                     const char **reason) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMDiagnosticHandler handler = LLVMContextGetDiagnosticHandler(context);
  void *data = LLVMContextGetDiagnosticContext(context);
  Complaint complaint = {.task = task};
  LLVMContextSetDiagnosticHandler(context, note_complaint, &complaint);
  const char *text = print(task, module, machine, reason);
  LLVMContextSetDiagnosticHandler(context, handler, data);
  if (!complaint.text)
    return text;
  *reason = complaint.text;
  return NULL;
}

// --------------------------------------------------------------- process ---

// What the back end cannot select makes LLVM end the process, so it is a copy
// of ours that prints.  It tells the text, or why there is none.
static FILE *told;

enum { TOLD_TEXT = 0, TOLD_REASON = 1 };

static _Noreturn void tell(const char *text, int status) {
  fputs(text, told);
  _exit(fclose(told) ? TOLD_REASON : status);
}

// The first line, without LLVM's addresses.
static void tell_fatal(const char *reason) {
  const char *end = reason + strcspn(reason, "\n");
  fputs("LLVM cannot make PTX of this:", told);
  for (const char *at = reason; at < end;) {
    size_t length = strcspn(at, " \n");
    if (strncmp(at, "0x", 2) != 0)
      fprintf(told, " %.*s", (int)length, at);
    at += length + (at[length] == ' ');
  }
  tell("", TOLD_REASON);
}

static _Noreturn void print_in_copy(Task *task, LLVMModuleRef module,
                                    LLVMTargetMachineRef machine) {
  const char *reason = NULL;
  LLVMResetFatalErrorHandler();
  LLVMInstallFatalErrorHandler(tell_fatal);
  const char *text = print_or_complain(task, module, machine, &reason);
  tell(text ? text : reason, text ? TOLD_TEXT : TOLD_REASON);
}

static const char *read_told(Task *task) {
  long size = fseek(told, 0, SEEK_END) ? -1 : ftell(told);
  if (size < 0)
    return NULL;
  char *text = arena_alloc(&task->arena, (size_t)size + 1);
  rewind(told);
  return fread(text, 1, (size_t)size, told) == (size_t)size ? text : NULL;
}

static const char *print_apart(Task *task, LLVMModuleRef module,
                               LLVMTargetMachineRef machine,
                               const char **reason) {
  int status = 0;
  told = tmpfile();
  fflush(NULL);
  pid_t copy = told ? fork() : -1;
  if (!copy)
    print_in_copy(task, module, machine);
  const char *text = NULL;
  if (copy > 0 && waitpid(copy, &status, 0) == copy && WIFEXITED(status))
    text = read_told(task);
  if (told)
    fclose(told);
  if (text && *text && WEXITSTATUS(status) == TOLD_TEXT)
    return text;
  *reason = text && *text ? text : "LLVM does not get to the end of its PTX";
  return NULL;
}

const char *llvm_to_ptx(Task *task, LLVMModuleRef module, const char **reason) {
  llvm_open_library(module);
  if (!llvm_prepare(task, module, reason))
    return NULL;
  LLVMTargetMachineRef machine =
      machine_for(task, module, processor_of(task, module), NEWEST_PTX,
                  LLVMCodeGenLevelNone, reason);
  if (!machine)
    return NULL;
  const char *text = prepare_accesses(task, module, machine, reason)
                         ? print_apart(task, module, machine, reason)
                         : NULL;
  LLVMDisposeTargetMachine(machine);
  return text;
}

static LLVMTargetMachineRef machine_to_run(Task *task, LLVMModuleRef module,
                                           unsigned version,
                                           LLVMCodeGenOptLevel level,
                                           const char **reason) {
  static const char first_independent[] = "sm_70"; // threads of a warp are
  const char *processor = processor_of(task, module);
  if (atoi(processor + 3) < atoi(first_independent + 3))
    processor = first_independent;
  return machine_for(task, module, processor, version, level, reason);
}

const char *llvm_print_ptx(Task *task, LLVMModuleRef module, unsigned version,
                           const char **reason) {
  LLVMTargetMachineRef machine =
      machine_to_run(task, module, version, LLVMCodeGenLevelNone, reason);
  if (!machine)
    return NULL;
  const char *text = print_apart(task, module, machine, reason);
  LLVMDisposeTargetMachine(machine);
  return text;
}

const char *llvm_print_fast_ptx(Task *task, LLVMModuleRef module,
                                unsigned version, const char **reason) {
  LLVMTargetMachineRef machine =
      machine_to_run(task, module, version, LLVMCodeGenLevelDefault, reason);
  if (!machine)
    return NULL;
  const char *text =
      llvm_run_passes(task, module, machine, "default<O2>", reason)
          ? print_apart(task, module, machine, reason)
          : NULL;
  LLVMDisposeTargetMachine(machine);
  return text;
}

// ----------------------------------------------------------------- kernel ---

// What nothing outside can see and nobody calls goes with llvm_prepare.
static void hide_others(LLVMModuleRef module, const char *kernel) {
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
       function = LLVMGetNextFunction(function)) {
    size_t length = 0;
    if (!LLVMIsDeclaration(function) &&
        strcmp(LLVMGetValueName2(function, &length), kernel) != 0)
      LLVMSetLinkage(function, LLVMInternalLinkage);
  }
}

const char *llvm_kernel_to_ptx(Task *task, const KernelEntry *entry,
                               const char **reason) {
  LLVMModuleRef copy = LLVMCloneModule(LLVMGetGlobalParent(entry->function));
  hide_others(copy, entry->name);
  const char *text = llvm_to_ptx(task, copy, reason);
  LLVMDisposeModule(copy);
  return text;
}
