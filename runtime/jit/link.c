// Device functions and variables of other files of a program.
//
// A file that calls a function which it only declares gets the body from the
// file that has it, before anything is inlined.  With the function come those
// that it calls.  Variables do not come along, because they lie where the
// kernels of their own file find them.  So they become declarations, and a
// variable that only its file can name gets the file's number behind its name.

#include "runtime/jit/jit.h"

#include <assert.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

enum { PTX_KERNEL = 71, SHARED_SPACE = 3 };

static const char *symbol_name(LLVMValueRef value) {
  size_t length = 0;
  return LLVMGetValueName2(value, &length);
}

// Called here, without a body, and nothing that we have.
static bool is_missing(Task *task, LLVMValueRef function) {
  return LLVMIsDeclaration(function) && LLVMGetFirstUse(function) &&
         !builtin_find(task, symbol_name(function));
}

static bool is_exported(LLVMValueRef function) {
  LLVMLinkage linkage = LLVMGetLinkage(function);
  return !LLVMIsDeclaration(function) && linkage != LLVMInternalLinkage &&
         linkage != LLVMPrivateLinkage;
}

// Does it have what the module misses?
static bool helps(Task *task, LLVMModuleRef module, LLVMModuleRef other) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    LLVMValueRef found = is_missing(task, f)
                             ? LLVMGetNamedFunction(other, symbol_name(f))
                             : NULL;
    if (found && is_exported(found))
      return true;
  }
  return false;
}

// --------------------------------------------------------------- other file
// ---

// Its kernels are functions like others, which nobody calls.
static void keep_wanted(Task *task, LLVMModuleRef module, LLVMModuleRef other) {
  for (LLVMValueRef f = LLVMGetFirstFunction(other); f;
       f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    LLVMValueRef wanted = LLVMGetNamedFunction(module, symbol_name(f));
    bool is_wanted = wanted && is_missing(task, wanted);
    LLVMSetComdat(f, NULL);
    LLVMSetLinkage(f, is_wanted ? LLVMExternalLinkage : LLVMInternalLinkage);
    if (LLVMGetFunctionCallConv(f) == PTX_KERNEL)
      LLVMSetFunctionCallConv(f, LLVMCCallConv);
  }
}

static bool is_constant_of_file(LLVMValueRef global) {
  return LLVMIsGlobalConstant(global) &&
         LLVMGetLinkage(global) == LLVMPrivateLinkage;
}

static void declare_variables(Task *task, LLVMModuleRef other, size_t number) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(other); g;
       g = LLVMGetNextGlobal(g)) {
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(g));
    if (LLVMIsDeclaration(g) || space == SHARED_SPACE || is_constant_of_file(g))
      continue;
    const char *name =
        arena_printf(&task->arena, "%s@%zu", symbol_name(g), number);
    if (LLVMGetLinkage(g) == LLVMInternalLinkage)
      LLVMSetValueName2(g, name, strlen(name));
    LLVMSetComdat(g, NULL);
    LLVMSetInitializer(g, NULL);
    LLVMSetLinkage(g, LLVMExternalLinkage);
  }
}

static void drop_lists(LLVMModuleRef other) {
  static const char *const names[] = {"llvm.used", "llvm.compiler.used"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    LLVMValueRef list = LLVMGetNamedGlobal(other, names[i]);
    if (list)
      LLVMDeleteGlobal(list);
  }
}

static LLVMModuleRef parse_beside(const DeviceImage *image,
                                  LLVMModuleRef module) {
  LLVMModuleRef other = NULL;
  LLVMMemoryBufferRef bitcode = LLVMCreateMemoryBufferWithMemoryRange(
      image->at, image->bytes, "device code", false);
  if (LLVMParseBitcodeInContext2(LLVMGetModuleContext(module), bitcode, &other))
    other = NULL;
  LLVMDisposeMemoryBuffer(bitcode);
  return other;
}

// True: it had something.
static bool take_from(DeviceProgram *program, size_t number,
                      LLVMModuleRef module) {
  Task *task = &program->task;
  assert(number < program->images.count);
  const DeviceImage *image = &program->images.at[number];
  LLVMModuleRef other = image->bytes ? parse_beside(image, module) : NULL;
  if (!other)
    return false;
  if (!helps(task, module, other)) {
    LLVMDisposeModule(other);
    return false;
  }
  drop_lists(other);
  keep_wanted(task, module, other);
  declare_variables(task, other, number);
  return !LLVMLinkModules2(module, other);
}

static bool misses_any(Task *task, LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (is_missing(task, f))
      return true;
  return false;
}

// What came in may miss something itself.
void program_link(DeviceProgram *program, size_t number, LLVMModuleRef module) {
  bool has_taken = true;
  while (has_taken && misses_any(&program->task, module)) {
    has_taken = false;
    for (size_t i = 0; i < program->images.count; i++)
      has_taken |= i != number && take_from(program, i, module);
  }
}

const Global *program_declared(const DeviceProgram *program, size_t image,
                               const char *name) {
  const char *mark = strrchr(name, '@');
  size_t length = mark ? (size_t)(mark - name) : 0;
  if (!mark)
    return program_global(program, image, name);
  image = strtoul(mark + 1, NULL, 10);
  for (size_t i = 0; i < program->globals.count; i++) {
    const Global *global = &program->globals.at[i];
    if (global->image == image && strlen(global->name) == length &&
        !strncmp(global->name, name, length))
      return global;
  }
  return NULL;
}
