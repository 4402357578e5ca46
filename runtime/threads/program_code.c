// Machine code at fixed addresses.
//
// A program may go by the addresses of its functions: by their order, or by a
// hash of one.  So that its schedules repeat in another process, too, LLVM's
// linker gets memory for code at the same place in each process, one section
// behind the other; of functions of the library, which are where the system
// has put us, the program has the address of a function of its own that calls
// them.

#include "runtime/threads/ir.h"

#include <assert.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/OrcEE.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096 };

typedef struct CodeRegion {
  uint64_t at, room, used;
  uint64_t closed; // so many bytes of it are not written to any more
} CodeRegion;

static CodeRegion code = {.at = CODE_AT, .room = CODE_BYTES},
                  data = {.at = DATA_AT, .room = DATA_BYTES};

static uint8_t *take(CodeRegion *region, uint64_t bytes, unsigned alignment) {
  uint64_t align = alignment ? alignment : 1;
  uint64_t start = (region->used + align - 1) / align * align;
  if (bytes > region->room || start > region->room - bytes)
    return NULL;
  region->used = start + bytes;
  return (uint8_t *)(uintptr_t)(region->at + start);
}

static uint8_t *take_code(void *unused, uintptr_t bytes, unsigned alignment,
                          unsigned section, const char *name) {
  (void)unused;
  (void)section;
  (void)name;
  return take(&code, bytes, alignment);
}

static uint8_t *take_data(void *unused, uintptr_t bytes, unsigned alignment,
                          unsigned section, const char *name,
                          LLVMBool is_read_only) {
  (void)unused;
  (void)section;
  (void)name;
  (void)is_read_only;
  return take(&data, bytes, alignment);
}

// What comes next begins on a page of its own.
static LLVMBool close_code(void *unused, char **error) {
  uint64_t from = code.closed;
  (void)unused;
  (void)error;
  code.used = code.closed =
      (code.used + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  return code.used > from && mprotect((void *)(uintptr_t)(code.at + from),
                                      code.used - from, PROT_READ | PROT_EXEC);
}

static void *same(void *context) { return context; }

static void nothing(void *unused) { (void)unused; }

LLVMOrcObjectLayerRef code_linker(void *unused, LLVMOrcExecutionSessionRef in,
                                  const char *triple) {
  (void)unused;
  (void)triple;
  LLVMOrcObjectLayerRef linker =
      LLVMOrcCreateRTDyldObjectLinkingLayerWithMCJITMemoryManagerLikeCallbacks(
          in, NULL, same, nothing, take_code, take_data, close_code, nothing);
  if (debugger_looks())
    LLVMOrcRTDyldObjectLinkingLayerRegisterJITEventListener(
        linker, LLVMCreateGDBRegistrationListener());
  return linker;
}

// --------------------------------------------------------------- addresses ---

static void copy_attributes(LLVMValueRef from, LLVMValueRef to,
                            LLVMAttributeIndex at) {
  LLVMAttributeRef all[32];
  unsigned count = LLVMGetAttributeCountAtIndex(from, at);
  assert(count <= sizeof all / sizeof *all);
  LLVMGetAttributesAtIndex(from, at, all);
  for (unsigned i = 0; i < count; i++)
    if (LLVMIsAFunction(to))
      LLVMAddAttributeAtIndex(to, at, all[i]);
    else
      LLVMAddCallSiteAttribute(to, at, all[i]);
}

// A function that calls `function` with what it gets.
static void fill(LLVMValueRef own, LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(own));
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMValueRef given[64];
  unsigned count = LLVMCountParams(own);
  assert(count <= sizeof given / sizeof *given);
  LLVMGetParams(own, given);
  LLVMPositionBuilderAtEnd(builder,
                           LLVMAppendBasicBlockInContext(context, own, ""));
  LLVMValueRef call = LLVMBuildCall2(builder, type, function, given, count, "");
  LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
  for (unsigned i = 0; i <= count; i++) {
    copy_attributes(function, own, i);
    copy_attributes(function, call, i);
  }
  if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(builder);
  else
    LLVMBuildRet(builder, call);
  LLVMDisposeBuilder(builder);
}

void code_own_address(LLVMValueRef function) {
  if (!ir_is_taken(function))
    return;
  LLVMValueRef own = LLVMAddFunction(LLVMGetGlobalParent(function), "",
                                     LLVMGlobalGetValueType(function));
  LLVMSetLinkage(own, LLVMInternalLinkage);
  LLVMReplaceAllUsesWith(function, own);
  for (LLVMUseRef use = LLVMGetFirstUse(own), next; use; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == own)
      LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, function);
  }
  fill(own, function);
}
