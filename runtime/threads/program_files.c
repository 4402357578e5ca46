// Several files of bitcode as one program.

#include "runtime/threads/ir.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

static LLVMModuleRef read_one(Task *task, LLVMContextRef context,
                              const char *file, const char **reason) {
  LLVMMemoryBufferRef buffer = NULL;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message)) {
    *reason = llvm_take_message(task, message);
    return NULL;
  }
  if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
    *reason = "it is no bitcode";
    module = NULL;
  }
  LLVMDisposeMemoryBuffer(buffer);
  return module;
}

struct LLVMOpaqueModule *program_files_read(Task *task, size_t count,
                                            const char *const *files,
                                            const char **reason) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef whole = NULL;
  for (size_t i = 0; i < count; i++) {
    LLVMModuleRef module = read_one(task, context, files[i], reason);
    if (!module)
      return NULL;
    if (whole && LLVMLinkModules2(whole, module)) {
      *reason = "two files define the same";
      return NULL;
    }
    whole = whole ? whole : module;
  }
  return whole;
}
