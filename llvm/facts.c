// What a function, a type or an instruction tells of itself.

#include "llvm/core.h"

#include <stdlib.h>
#include <string.h>

enum { SPIR_FUNCTION = 75, SPIR_KERNEL = 76 };

bool llvm_is_opencl_kernel(LLVMValueRef function) {
  return LLVMGetFunctionCallConv(function) == SPIR_KERNEL;
}

bool llvm_is_of_opencl(LLVMValueRef function) {
  return llvm_is_opencl_kernel(function) ||
         LLVMGetFunctionCallConv(function) == SPIR_FUNCTION;
}

bool llvm_required_block(LLVMValueRef function, uint32_t size[3]) {
  const char *name = "reqd_work_group_size";
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  unsigned kind =
      LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
  LLVMValueRef node = LLVMGetMetadata(function, kind);
  if (!node || LLVMGetMDNodeNumOperands(node) != 3)
    return false;
  LLVMValueRef sizes[3];
  LLVMGetMDNodeOperands(node, sizes);
  for (unsigned axis = 0; axis < 3; axis++)
    size[axis] = (uint32_t)LLVMConstIntGetZExtValue(sizes[axis]);
  return true;
}

LLVMTypeRef llvm_innermost(LLVMTypeRef type) {
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
    type = LLVMGetElementType(type);
  return type;
}

bool llvm_acquires(LLVMAtomicOrdering order) {
  return order == LLVMAtomicOrderingAcquire ||
         order == LLVMAtomicOrderingAcquireRelease ||
         order == LLVMAtomicOrderingSequentiallyConsistent;
}

bool llvm_releases(LLVMAtomicOrdering order) {
  return order == LLVMAtomicOrderingRelease ||
         order == LLVMAtomicOrderingAcquireRelease ||
         order == LLVMAtomicOrderingSequentiallyConsistent;
}

bool llvm_scope(LLVMValueRef instruction, Scope *scope) {
  static const struct {
    const char *name;
    Scope scope;
  } names[] = {{"singlethread", SCOPE_THREAD},
               {"wavefront", SCOPE_WARP},
               {"sub_group", SCOPE_WARP},
               {"block", SCOPE_BLOCK},
               {"workgroup", SCOPE_BLOCK},
               {"cluster", SCOPE_CLUSTER},
               {"device", SCOPE_GRID},
               {"agent", SCOPE_GRID},
               {"", SCOPE_SYSTEM}};
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
  unsigned id = LLVMGetAtomicSyncScopeID(instruction);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (id ==
        LLVMGetSyncScopeID(context, names[i].name, strlen(names[i].name))) {
      *scope = names[i].scope;
      return true;
    }
  return false;
}

// One scalar of PTX, which no back end takes apart.
static bool is_one_access(LLVMTypeRef type, uint64_t bytes,
                          unsigned alignment) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  bool is_scalar = kind == LLVMIntegerTypeKind || kind == LLVMHalfTypeKind ||
                   kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind ||
                   kind == LLVMDoubleTypeKind || kind == LLVMPointerTypeKind;
  return is_scalar && (bytes & (bytes - 1)) == 0 && bytes <= 8 &&
         alignment >= bytes;
}

// SOUND(volatile-accesses)
bool llvm_is_strong_volatile(LLVMValueRef instruction) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
  LLVMValueRef function = LLVMGetBasicBlockParent(block);
  LLVMTargetDataRef layout =
      LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
  bool is_store = LLVMIsAStoreInst(instruction) != NULL;
  if (!is_store && !LLVMIsALoadInst(instruction))
    return false;
  LLVMTypeRef type =
      LLVMTypeOf(is_store ? LLVMGetOperand(instruction, 0) : instruction);
  return LLVMGetVolatile(instruction) && !llvm_is_of_opencl(function) &&
         !llvm_is_amdgcn(LLVMGetGlobalParent(function)) &&
         is_one_access(type, LLVMStoreSizeOfType(layout, type),
                       LLVMGetAlignment(instruction));
}

static bool calls(LLVMValueRef call, const char *start) {
  size_t length = 0;
  LLVMValueRef called = LLVMIsAFunction(LLVMGetCalledValue(call));
  const char *name = called ? LLVMGetValueName2(called, &length) : "";
  return !strncmp(name, start, strlen(start));
}

Transfer llvm_transfer(LLVMValueRef call) {
  if (calls(call, "llvm.memset"))
    return TRANSFER_FILL;
  bool copies = calls(call, "llvm.memcpy") || calls(call, "llvm.memmove");
  return copies ? TRANSFER_COPY : TRANSFER_NONE;
}

bool llvm_is_lifetime(LLVMValueRef instruction) {
  return LLVMIsACallInst(instruction) && calls(instruction, "llvm.lifetime.");
}

unsigned llvm_copied_bytes(LLVMValueRef call) {
  static const struct {
    const char *codes;
    unsigned bytes;
  } sizes[] = {{"cha", 1}, {"st", 2}, {"ijf", 4}, {"lmdxy", 8}};
  size_t length = 0;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  const char *at = strstr(name, "AS");
  unsigned lanes = 1;
  at = at ? at + strcspn(at, "0123456789") + 1 : "";
  if (strncmp(at, "Dv", 2) == 0) {
    lanes = (unsigned)strtoul(at + 2, NULL, 10);
    at += strcspn(at, "_") + 1;
    lanes = lanes == 3 ? 4 : lanes;
  }
  for (size_t i = 0; *at && i < sizeof sizes / sizeof *sizes; i++)
    if (strchr(sizes[i].codes, *at))
      return lanes * sizes[i].bytes;
  return 0;
}

bool llvm_is_replaceable(LLVMValueRef global) {
  LLVMLinkage linkage = LLVMGetLinkage(global);
  return linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage ||
         linkage == LLVMCommonLinkage || linkage == LLVMExternalWeakLinkage;
}

// One of the plugin's marks.
static bool is_marked(LLVMValueRef variable, const char *name) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(variable));
  unsigned kind =
      LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
  size_t count = 0;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(variable, &count);
  bool is_there = false;
  for (unsigned i = 0; i < count; i++)
    is_there |= LLVMValueMetadataEntriesGetKind(entries, i) == kind;
  LLVMDisposeValueMetadataEntries(entries);
  return is_there;
}

bool llvm_has_line_directives(LLVMModuleRef module) {
  static const char name[] = "gpuverify.lines";
  return LLVMGetNamedMetadata(module, name, sizeof name - 1);
}

bool llvm_is_set_by_host(LLVMValueRef variable) {
  return is_marked(variable, "gpuverify.set");
}

bool llvm_has_no_mutable(LLVMValueRef variable) {
  return is_marked(variable, "gpuverify.const");
}

// LLVM calls all constant memory of CUDA constant, for no kernel writes there.
// The host does, and clang sees that only where the code is part of the
// device's compilation, which `#ifndef __CUDA_ARCH__` takes it out of.
static bool may_be_set(Task *task, LLVMValueRef variable) {
  enum { CONSTANT_MEMORY = 4 }; // an address space of NVPTX
  return LLVMIsExternallyInitialized(variable) ||
         (LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) == CONSTANT_MEMORY &&
          !llvm_is_declared_const(task, variable));
}

bool llvm_is_fixed(Task *task, LLVMValueRef variable) {
  return LLVMIsGlobalConstant(variable) && !llvm_is_replaceable(variable) &&
         !may_be_set(task, variable) && LLVMGetInitializer(variable);
}
