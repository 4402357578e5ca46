// Launches from kernels, as clang makes them with -fgpu-rdc: a buffer for the
// parameters, and a call with the kernel's address.
//
// Each kernel is host code of its own, made when it is first launched, so it
// has no address before.  In place of the address comes that of its name.
// Sizes are passed by reference, so that our function need not follow the
// device's calling convention.

#include "runtime/jit/assembly.h"

#include <string.h>

enum { PTX_KERNEL = 71 };

static const char launch_name[] = "__cudaCDP2LaunchDevice";

static LLVMValueRef text_of(LLVMModuleRef module, LLVMValueRef kernel) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(kernel, &length);
  LLVMValueRef text = LLVMConstStringInContext2(LLVMGetModuleContext(module),
                                                name, length, false);
  LLVMValueRef global =
      LLVMAddGlobal(module, LLVMTypeOf(text), "name of a kernel");
  LLVMSetInitializer(global, text);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  return global;
}

// The first that is an instruction.
static LLVMValueRef user_of(LLVMValueRef kernel) {
  for (LLVMUseRef use = LLVMGetFirstUse(kernel); use; use = LLVMGetNextUse(use))
    if (LLVMIsAInstruction(LLVMGetUser(use)))
      return LLVMGetUser(use);
  return NULL;
}

static void name_uses(LLVMModuleRef module, LLVMValueRef kernel) {
  LLVMValueRef user = user_of(kernel);
  LLVMValueRef name = user ? text_of(module, kernel) : NULL;
  for (; user; user = user_of(kernel))
    for (int i = 0; i < LLVMGetNumOperands(user); i++)
      if (LLVMGetOperand(user, (unsigned)i) == kernel)
        LLVMSetOperand(user, (unsigned)i, name);
}

// A kernel of another file is a declaration like others; it is one because it
// is launched.
static bool is_launched(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    size_t length = 0;
    if (LLVMIsACallInst(call) && LLVMGetOperand(call, 0) == function &&
        strstr(LLVMGetValueName2(LLVMGetCalledValue(call), &length),
               "cudaLaunchDevice"))
      return true;
  }
  return false;
}

static void drop_values(LLVMValueRef call) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  for (unsigned i = 1; i <= LLVMGetNumArgOperands(call); i++)
    LLVMRemoveCallSiteEnumAttribute(call, i, kind);
}

static void change_launches(LLVMModuleRef module, LLVMValueRef function) {
  LLVMValueRef own = LLVMGetNamedFunction(module, "__gpuverify_launch");
  if (!own)
    own = LLVMAddFunction(module, "__gpuverify_launch",
                          LLVMGlobalGetValueType(function));
  for (LLVMUseRef use = LLVMGetFirstUse(function); use;
       use = LLVMGetFirstUse(function)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (!LLVMIsACallInst(call))
      return;
    drop_values(call);
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, own);
  }
}

void jit_change_launches(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f)) {
    size_t length = 0;
    const char *name = LLVMGetValueName2(f, &length);
    if (LLVMGetFunctionCallConv(f) == PTX_KERNEL || is_launched(f))
      name_uses(module, f);
    if (LLVMIsDeclaration(f) &&
        !strncmp(name, launch_name, sizeof launch_name - 1) &&
        !strstr(name, "V2"))
      change_launches(module, f);
  }
}
