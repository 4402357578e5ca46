// The kernels of a module, each with what it needs and not with the others.
//
// Reading the whole module once for each kernel takes time quadratic in the
// number of kernels.  So when one kernel is wanted the module, as bitcode, is
// halved: each half loses the other's kernels and what only those need.  The
// half with the kernel is halved again, until the kernel is alone.  Pieces are
// kept, so all kernels of a module take n log n, and the first of them no more
// than a few readings of the module.

#include "runtime/jit/jit.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>

// What the optimiser thinks of loops is nothing for the program's stderr.
static void ignore(LLVMDiagnosticInfoRef info, void *data) {
  (void)info, (void)data;
}

LLVMModuleRef jit_parse(LLVMMemoryBufferRef bitcode) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = NULL;
  LLVMContextSetDiagnosticHandler(context, ignore, NULL);
  if (!LLVMParseBitcodeInContext2(context, bitcode, &module))
    return module;
  LLVMContextDispose(context);
  return NULL;
}

void pieces_begin(Task *task, DeviceModule *device, LLVMModuleRef module) {
  DevicePiece whole = {.count = device->kernels.count,
                       .bitcode = LLVMWriteBitcodeToMemoryBuffer(module)};
  push(&task->arena, &device->pieces, whole);
}

static void make_internal(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      LLVMSetLinkage(f, LLVMInternalLinkage);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g))
      LLVMSetLinkage(g, LLVMInternalLinkage);
}

static bool shrink(Task *task, const DeviceModule *device, DevicePiece *piece,
                   LLVMModuleRef module, const char **reason) {
  make_internal(module);
  for (size_t i = piece->from; i < piece->from + piece->count; i++) {
    LLVMValueRef kernel =
        LLVMGetNamedFunction(module, device->kernels.at[i].name);
    if (kernel)
      LLVMSetLinkage(kernel, LLVMExternalLinkage);
  }
  if (!llvm_run_passes(task, module, NULL, "globaldce", reason))
    return false;
  piece->bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
  return true;
}

// `part`, of `whole`.
static bool cut(Task *task, const DeviceModule *device,
                const DevicePiece *whole, DevicePiece *part,
                const char **reason) {
  LLVMModuleRef module = jit_parse(whole->bitcode);
  if (!module)
    return false;
  bool is_made = shrink(task, device, part, module, reason);
  llvm_free_module(module);
  return is_made;
}

static bool halve(Task *task, DeviceModule *device, size_t number,
                  const char **reason) {
  DevicePiece whole = device->pieces.at[number];
  DevicePiece first = {.from = whole.from, .count = whole.count / 2};
  DevicePiece second = {.from = whole.from + first.count,
                        .count = whole.count - first.count};
  if (!cut(task, device, &whole, &first, reason) ||
      !cut(task, device, &whole, &second, reason))
    return false;
  LLVMDisposeMemoryBuffer(whole.bitcode);
  device->pieces.at[number] = first;
  push(&task->arena, &device->pieces, second);
  return true;
}

static size_t piece_with(const DeviceModule *device, size_t kernel) {
  size_t i = 0;
  while (kernel - device->pieces.at[i].from >= device->pieces.at[i].count)
    i++;
  return i;
}

LLVMModuleRef pieces_take(Task *task, DeviceModule *device, size_t kernel,
                          const char **reason) {
  size_t number = piece_with(device, kernel);
  while (device->pieces.at[number].count > 1) {
    if (!halve(task, device, number, reason))
      return NULL;
    number = piece_with(device, kernel);
  }
  return jit_parse(device->pieces.at[number].bitcode);
}
