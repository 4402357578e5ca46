// What of C++'s library becomes code of a program.
//
// Bitcode of ours, compiled when we were: strings, buffers and streams
// (cxx_*.cc).  It is linked with a program that lacks something of it, and what
// nobody calls goes again.  Functions and variables of cxx_streams.cc are
// marked: a call of one is one step (ir_instrument.c).

#include "runtime/threads/ir.h"

#include <assert.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>
#include <string.h>

// Beside this object: see Makefile.
#define INCLUDE(name, file)                                                    \
  __asm__(                                                                     \
      ".pushsection .rodata\n"                                                 \
      ".hidden " #name ", " #name                                              \
      "_end\n"                                                                 \
      ".global " #name                                                         \
      "\n"                                                                     \
      ".global " #name "_end\n" #name                                          \
      ":\n"                                                                    \
      ".incbin \"" file "\"\n" #name                                           \
      "_end:\n"                                                                \
      ".popsection\n");                                                        \
  extern const char name[], name##_end[]

INCLUDE(threads_cxx_types, CXX_BITCODE "types.bc");
INCLUDE(threads_cxx_pointers, CXX_BITCODE "pointers.bc");
INCLUDE(threads_cxx_strings, CXX_BITCODE "strings.bc");
INCLUDE(threads_cxx_strings14, CXX_BITCODE "strings14.bc");
INCLUDE(threads_cxx_buffers, CXX_BITCODE "buffers.bc");
INCLUDE(threads_cxx_buffers20, CXX_BITCODE "buffers20.bc");
INCLUDE(threads_cxx_streams, CXX_BITCODE "streams.bc");

static const char mark[] = "gpuverify-library";

static const char *name_of(LLVMValueRef value) {
  size_t length = 0;
  return LLVMGetValueName2(value, &length);
}

bool ir_is_of_library(LLVMValueRef function) {
  return LLVMGetStringAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, mark,
      sizeof mark - 1);
}

bool ir_is_variable_of_library(LLVMValueRef global) {
  const char *section = LLVMGetSection(global);
  return section && !strcmp(section, mark);
}

static bool is_lacking(LLVMValueRef value) {
  return LLVMIsDeclaration(value) && LLVMGetFirstUse(value) &&
         !strncmp(name_of(value), "_Z", 2);
}

static bool lacks_any(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (is_lacking(f) && !posix_call(name_of(f)))
      return true;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (is_lacking(g) && !posix_variable(name_of(g)))
      return true;
  return false;
}

// The program's own copies of what headers define are accesses of its own.
static void mark_function(LLVMContextRef context, LLVMValueRef function) {
  LLVMLinkage linkage = LLVMGetLinkage(function);
  if (LLVMIsDeclaration(function))
    return;
  if (linkage == LLVMLinkOnceODRLinkage || linkage == LLVMLinkOnceAnyLinkage) {
    LLVMSetComdat(function, NULL);
    LLVMSetLinkage(function, LLVMInternalLinkage);
  }
  LLVMAddAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(context, mark, sizeof mark - 1, "", 0));
}

static void mark_all(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    mark_function(context, f);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g))
      LLVMSetSection(g, mark);
}

// They number facets, and nobody asks for a number.
static void drop_constructors(LLVMModuleRef module) {
  LLVMValueRef list = LLVMGetNamedGlobal(module, "llvm.global_ctors");
  if (list)
    LLVMDeleteGlobal(list);
}

static void add(LLVMModuleRef program, const char *at, const char *end,
                bool is_marked) {
  LLVMModuleRef library = NULL;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      at, (size_t)(end - at), "C++'s library", false);
  bool failed = LLVMParseBitcodeInContext2(LLVMGetModuleContext(program),
                                           buffer, &library);
  LLVMDisposeMemoryBuffer(buffer);
  assert(!failed);
  drop_constructors(library);
  if (is_marked)
    mark_all(library);
  LLVMSetTarget(library, LLVMGetTarget(program));
  LLVMSetDataLayout(library, LLVMGetDataLayoutStr(program));
  failed = LLVMLinkModules2(program, library);
  assert(!failed);
}

void program_library_add(LLVMModuleRef program) {
  if (!lacks_any(program))
    return;
  add(program, threads_cxx_types, threads_cxx_types_end, false);
  add(program, threads_cxx_pointers, threads_cxx_pointers_end, false);
  add(program, threads_cxx_strings, threads_cxx_strings_end, false);
  if (lacks_any(program))
    add(program, threads_cxx_strings14, threads_cxx_strings14_end, false);
  if (!lacks_any(program))
    return;
  add(program, threads_cxx_buffers, threads_cxx_buffers_end, false);
  add(program, threads_cxx_buffers20, threads_cxx_buffers20_end, false);
  add(program, threads_cxx_streams, threads_cxx_streams_end, true);
}
