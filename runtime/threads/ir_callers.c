// Where the program has called what stands in a header of the system.
//
// Of std::vector and its like the code is the program's own, and so are its
// accesses; but who looks for a mistake wants the line of the program.  So each
// function of the program writes down, before it calls one of such a header,
// where that is, and before it returns, what was written there when it began:
// it may have been called by such a one itself.  What is told of an access in a
// header is then the place of the call (world_place).

#include "runtime/threads/ir.h"

#include <string.h>

typedef Vec(LLVMValueRef) Instructions;

typedef struct Callers {
  Task *task;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  ProgramImage *image;
} Callers;

static bool is_system_header(const char *file) {
  static const char *const starts[] = {"/usr/include/", "/usr/lib/"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (!strncmp(file, starts[i], strlen(starts[i])))
      return true;
  return strstr(file, "/include/c++/") || strstr(file, "/lib/clang/");
}

static bool is_of_program(Loc loc) {
  return loc_is_in_users_code(loc) && !is_system_header(loc.file);
}

Loc ir_location(Task *task, LLVMValueRef instruction, bool *is_inner) {
  Loc loc = llvm_location_in(task, instruction, is_of_program);
  *is_inner = loc.file && is_system_header(loc.file);
  return loc;
}

static LLVMTypeRef word_type(const Callers *callers) {
  return LLVMInt32TypeInContext(LLVMGetModuleContext(callers->module));
}

static LLVMValueRef place(const Callers *callers) {
  LLVMContextRef context = LLVMGetModuleContext(callers->module);
  return LLVMConstIntToPtr(LLVMConstInt(LLVMInt64TypeInContext(context),
                                        (uint64_t)(uintptr_t)&world.caller,
                                        false),
                           LLVMPointerTypeInContext(context, 0));
}

// NULL: it has no code, or where that stands is not known.
static const char *file_of(const Callers *callers, LLVMValueRef function) {
  if (LLVMIsDeclaration(function) || ir_is_of_library(function))
    return NULL;
  return llvm_function_location(callers->task, function).file;
}

static bool is_of_header(const Callers *callers, LLVMValueRef function) {
  const char *file = file_of(callers, function);
  return file ? is_system_header(file) : ir_is_of_library(function);
}

// A call by address may be of one, too.
static bool calls_header(const Callers *callers, LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction))
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  return LLVMIsAFunction(callee) ? is_of_header(callers, callee)
                                 : !LLVMIsAInlineAsm(callee);
}

static void note_call(Callers *callers, LLVMValueRef call) {
  uint32_t site =
      ir_add_site(callers->task, callers->image, call, DEED_CALL, 0);
  LLVMPositionBuilderBefore(callers->builder, call);
  LLVMBuildStore(callers->builder,
                 LLVMConstInt(word_type(callers), site, false), place(callers));
}

static void put_back(Callers *callers, LLVMValueRef function,
                     const Instructions *returns) {
  LLVMPositionBuilderBefore(
      callers->builder,
      LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMValueRef before =
      LLVMBuildLoad2(callers->builder, word_type(callers), place(callers), "");
  for (size_t i = 0; i < returns->count; i++) {
    LLVMPositionBuilderBefore(callers->builder, returns->at[i]);
    LLVMBuildStore(callers->builder, before, place(callers));
  }
}

static void look_at(Callers *callers, LLVMValueRef function) {
  Instructions calls = {0}, returns = {0};
  Arena *arena = &callers->task->arena;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each;
         each = LLVMGetNextInstruction(each))
      if (LLVMIsAReturnInst(each))
        push(arena, &returns, each);
      else if (calls_header(callers, each))
        push(arena, &calls, each);
  for (size_t i = 0; i < calls.count; i++)
    note_call(callers, calls.at[i]);
  if (calls.count)
    put_back(callers, function, &returns);
}

void ir_callers(Task *task, LLVMModuleRef module, ProgramImage *image) {
  Callers callers = {.task = task, .module = module, .image = image};
  callers.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    const char *file = file_of(&callers, f);
    if (file && !is_system_header(file))
      look_at(&callers, f);
  }
  LLVMDisposeBuilder(callers.builder);
}
