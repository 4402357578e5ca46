// What code for AMD's devices says of itself: wavefronts and fences.
//
// A wavefront has as many lanes as the features of the target say, else as the
// processor has by itself: 64, and 32 since gfx10 (LLVM, "User Guide for
// AMDGPU Backend", Processors).  LLVM's own choice for none is 64.

#include "llvm/core.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool llvm_is_amdgcn(LLVMModuleRef module) {
  static const char start[] = "amdgcn";
  return !strncmp(LLVMGetTarget(module), start, sizeof start - 1);
}

// ------------------------------------------------------------ wavefronts ---

static const char *attribute(LLVMValueRef function, const char *name) {
  unsigned length = 0;
  LLVMAttributeRef found = LLVMGetStringAttributeAtIndex(
      function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
      (unsigned)strlen(name));
  return found ? LLVMGetStringAttributeValue(found, &length) : "";
}

// 10 of gfx1030 and of gfx10-3-generic, 9 of gfx90a: two digits are of the
// stepping, and the last may be a letter.
static unsigned generation(const char *processor) {
  enum { STEPPING = 2 };
  if (strncmp(processor, "gfx", 3) != 0)
    return 0;
  const char *number = processor + 3;
  size_t digits = strspn(number, "0123456789abcdef");
  if (number[digits] != '-' && digits > STEPPING)
    digits -= STEPPING;
  unsigned value = 0;
  for (size_t i = 0; i < digits && isdigit((unsigned char)number[i]); i++)
    value = value * 10 + (unsigned)(number[i] - '0');
  return value;
}

unsigned llvm_wavefront(LLVMValueRef function) {
  enum { WIDE = 64, NARROW = 32, FIRST_NARROW = 10 };
  const char *features = attribute(function, "target-features");
  if (strstr(features, "+wavefrontsize64"))
    return WIDE;
  if (strstr(features, "+wavefrontsize32"))
    return NARROW;
  return generation(attribute(function, "target-cpu")) < FIRST_NARROW ? WIDE
                                                                      : NARROW;
}

// --------------------------------------------------------------- launches ---

// "amdgpu-flat-work-group-size"="1,256": at least and at most.
uint32_t llvm_most_workitems(LLVMValueRef function) {
  const char *text = attribute(function, "amdgpu-flat-work-group-size");
  const char *comma = strchr(text, ',');
  return comma ? (uint32_t)strtoul(comma + 1, NULL, 10) : 0;
}

bool llvm_has_known_arguments(LLVMModuleRef module) {
  enum { SINCE = 500 };
  static const char name[] = "amdhsa_code_object_version";
  LLVMMetadataRef flag = LLVMGetModuleFlag(module, name, sizeof name - 1);
  if (!flag)
    return false;
  LLVMValueRef version =
      LLVMMetadataAsValue(LLVMGetModuleContext(module), flag);
  if (LLVMIsAValueAsMetadata(version))
    LLVMGetMDNodeOperands(version, &version);
  return LLVMIsAConstantInt(version) &&
         LLVMConstIntGetZExtValue(version) >= SINCE;
}

// ---------------------------------------------------------------- fences ---

static bool is_string(LLVMValueRef value, const char *text) {
  unsigned length = 0;
  const char *string = LLVMGetMDString(value, &length);
  return string && length == strlen(text) && !strncmp(string, text, length);
}

// !{!"amdgpu-synchronize-as", !"local"}
static bool names_memory(LLVMValueRef node, const char *memory) {
  LLVMValueRef operands[2];
  if (LLVMGetMDNodeNumOperands(node) != 2)
    return false;
  LLVMGetMDNodeOperands(node, operands);
  return is_string(operands[0], "amdgpu-synchronize-as") &&
         is_string(operands[1], memory);
}

static bool is_about(LLVMValueRef node, const char *memory) {
  enum { MOST = 8 };
  LLVMValueRef operands[MOST];
  if (names_memory(node, memory))
    return true;
  unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node);
  if (count > MOST)
    return false;
  LLVMGetMDNodeOperands(node, operands);
  for (unsigned i = 0; i < count; i++)
    if (LLVMIsAMDNode(operands[i]) && names_memory(operands[i], memory))
      return true;
  return false;
}

// Memory that annotations do not name is ordered only where there are none.
FenceSides llvm_fence_sides(LLVMValueRef fence) {
  static const char name[] = "mmra";
  LLVMAtomicOrdering order = LLVMGetOrdering(fence);
  bool both = order == LLVMAtomicOrderingAcquireRelease ||
              order == LLVMAtomicOrderingSequentiallyConsistent;
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(fence));
  LLVMValueRef node = LLVMGetMetadata(
      fence, LLVMGetMDKindIDInContext(context, name, sizeof name - 1));
  return (FenceSides){.releases = both || order == LLVMAtomicOrderingRelease,
                      .acquires = both || order == LLVMAtomicOrderingAcquire,
                      .shared = !node || is_about(node, "local"),
                      .global = !node || is_about(node, "global")};
}
