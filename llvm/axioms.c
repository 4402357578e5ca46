// Axioms: facts about the launch, each the result of a function of its own.
//
// A kernel begins as if it had a __requires for each of them, between
// quiet_begin and quiet_end, as the annotation would have.
//
// Needs functions that are not inlined yet.

#include "llvm/core.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

// Its name may be mangled.
static bool is_axiom(LLVMValueRef function) {
  size_t length = 0;
  return !LLVMIsDeclaration(function) &&
         strstr(LLVMGetValueName2(function, &length), "__gpuverify_axiom_") &&
         !LLVMCountParams(function);
}

static void call(LLVMBuilderRef builder, LLVMModuleRef module, const char *name,
                 LLVMValueRef argument) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef parameter = argument ? LLVMTypeOf(argument) : NULL;
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context),
                                      &parameter, argument != NULL, false);
  LLVMValueRef callee = LLVMGetNamedFunction(module, name);
  if (!callee)
    callee = LLVMAddFunction(module, name, type);
  LLVMBuildCall2(builder, type, callee, &argument, argument != NULL, "");
}

// Behind its variables.
static LLVMValueRef first_of(LLVMValueRef function) {
  LLVMValueRef first =
      LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(function));
  while (LLVMIsAAllocaInst(first))
    first = LLVMGetNextInstruction(first);
  return first;
}

static LLVMMetadataRef some_place(LLVMValueRef instruction) {
  LLVMMetadataRef place = NULL;
  for (; instruction && !place;
       instruction = LLVMGetNextInstruction(instruction))
    place = LLVMInstructionGetDebugLoc(instruction);
  return place;
}

static void require(LLVMModuleRef module, LLVMValueRef kernel,
                    LLVMValueRef axiom) {
  LLVMValueRef first = first_of(kernel);
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(builder, first);
  LLVMSetCurrentDebugLocation2(builder, some_place(first));
  call(builder, module, "__gpuverify_quiet_begin", NULL);
  LLVMValueRef holds = LLVMBuildCall2(builder, LLVMGlobalGetValueType(axiom),
                                      axiom, NULL, 0, "");
  LLVMSetInstructionCallConv(holds, LLVMGetFunctionCallConv(axiom));
  call(builder, module, "__gpuverify_requires", holds);
  call(builder, module, "__gpuverify_quiet_end", NULL);
  LLVMDisposeBuilder(builder);
}

void llvm_require_axioms(LLVMModuleRef module) {
  for (LLVMValueRef axiom = LLVMGetFirstFunction(module); axiom;
       axiom = LLVMGetNextFunction(axiom))
    for (LLVMValueRef kernel = LLVMGetFirstFunction(module);
         kernel && is_axiom(axiom); kernel = LLVMGetNextFunction(kernel))
      if (llvm_is_kernel(kernel))
        require(module, kernel, axiom);
}
