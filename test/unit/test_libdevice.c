// libdevice.def against the library itself, where CUDA's toolkit is installed.

#include "test/unit/suite.h"
#include "llvm/core.h"

#include <llvm-c/BitReader.h>
#include <string.h>

static const char *const places[] = {
    "/usr/local/cuda/nvvm/libdevice/libdevice.10.bc",
    "/usr/lib/cuda/nvvm/libdevice/libdevice.10.bc"};

static LLVMModuleRef library(void) {
  LLVMMemoryBufferRef bitcode = NULL;
  LLVMModuleRef module = NULL;
  char *reason = NULL;
  for (size_t i = 0; !bitcode && i < sizeof places / sizeof *places; i++)
    if (LLVMCreateMemoryBufferWithContentsOfFile(places[i], &bitcode, &reason))
      LLVMDisposeMessage(reason);
  if (bitcode)
    ck_assert(
        !LLVMParseBitcodeInContext2(LLVMContextCreate(), bitcode, &module));
  return module;
}

static bool fits(LLVMTypeRef type, char letter) {
  char *text = LLVMPrintTypeToString(type);
  const char *wanted = letter == 'v'   ? "void"
                       : letter == 'h' ? "i16"
                       : letter == 'i' ? "i32"
                       : letter == 'l' ? "i64"
                       : letter == 'f' ? "float"
                       : letter == 'd' ? "double"
                                       : "ptr";
  bool is_same = !strcmp(text, wanted);
  LLVMDisposeMessage(text);
  return is_same;
}

static void check_function(LLVMValueRef function) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(function, &length);
  const LibraryFunction *row = library_find(name);
  LLVMTypeRef type = LLVMGlobalGetValueType(function), parameters[8];
  unsigned count = LLVMCountParamTypes(type);
  ck_assert_msg(row, "libdevice.def has no %s", name);
  ck_assert_msg(count == strlen(row->types) - 1, "operands of %s", name);
  LLVMGetParamTypes(type, parameters);
  ck_assert_msg(fits(LLVMGetReturnType(type), row->types[0]), "%s", name);
  for (unsigned i = 0; i < count; i++)
    ck_assert_msg(fits(parameters[i], row->types[1 + i]), "%s", name);
}

START_TEST(the_table_has_all_of_the_library) {
  LLVMModuleRef module = library();
  for (LLVMValueRef f = module ? LLVMGetFirstFunction(module) : NULL; f;
       f = LLVMGetNextFunction(f)) {
    size_t length = 0;
    if (!strncmp(LLVMGetValueName2(f, &length), "__nv_", 5) &&
        LLVMGetLinkage(f) == LLVMExternalLinkage)
      check_function(f);
  }
  if (module)
    LLVMDisposeModule(module);
}
END_TEST

START_TEST(functions_are_known_by_their_whole_name) {
  ck_assert_ptr_null(library_find("popc"));
  ck_assert_ptr_null(library_find("__nv_pop"));
  ck_assert_ptr_null(library_find("__nv_popcl"));
  ck_assert_ptr_null(library_find("__nv_"));
  ck_assert_str_eq(library_find("__nv_popc")->types, "ii");
  ck_assert(library_touches_memory(library_find("__nv_modf")));
  ck_assert(library_touches_memory(library_find("__nv_norm")));
  ck_assert(!library_touches_memory(library_find("__nv_fma_rz")));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("libdevice");
  tcase_add_test(tc, the_table_has_all_of_the_library);
  tcase_add_test(tc, functions_are_known_by_their_whole_name);
  return run_suite(tc, "libdevice");
}
