// What the files that make code for instances share.  Private.

#ifndef RUNTIME_INSTANCES_LOWERING_H
#define RUNTIME_INSTANCES_LOWERING_H

#include "runtime/instances/instances.h"
#include "llvm/core.h"

// Where a body ends: functions that the engine has by other names.
#define ENDS_PROGRAM "gpuverify.ends.program"
#define ENDS_THREAD "gpuverify.ends.thread"
// What pthread_once is before and behind the call of its function.
#define ONCE_BEGINS "gpuverify.once.begins"
#define ONCE_ENDS "gpuverify.once.ends"

typedef Vec(LLVMValueRef) InstructionList;

typedef struct Lowering {
  Task *task;
  const ProgramImage *image;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  LLVMBuilderRef builder;
  LLVMTypeRef none, i8, i32, i64, pointer, body_type;
  uint64_t frame_bytes, stack_bytes; // of the body that needs most
  InstructionList bodies, starts;    // and the functions that these begin at

  // Of the body that is being cut.
  LLVMValueRef body, world, resume_at, frame, stack;
  LLVMBasicBlockRef entry, leave;
  Vec(LLVMBasicBlockRef) regions;
  uint64_t frame_used, stack_used;
} Lowering;

static inline LLVMValueRef lowering_number(const Lowering *l, uint64_t value) {
  return LLVMConstInt(l->i64, value, false);
}

static inline LLVMValueRef lowering_word(const Lowering *l, uint64_t value) {
  return LLVMConstInt(l->i32, value, false);
}

// ----------------------------------------------------------------- once.c ---

// pthread_once calls a function of the program: that call is made here.
void lowering_expand_once(Lowering *lowering);

// -------------------------------------------------------------- library.c ---

// engine.cu as bitcode is in the module from here on.
void lowering_link(Lowering *lowering);
// NULL: the engine has no such function.
LLVMValueRef lowering_function(const Lowering *lowering, const char *name);
LLVMValueRef lowering_call(const Lowering *lowering, const char *name,
                           LLVMValueRef *arguments, unsigned count);

// ------------------------------------------------------------------ cut.c ---

// A call of a function of the engine, with the world and whether it is called
// again before the arguments, stands before the instruction; where it stops its
// thread the body is left, and goes on there.
void cut_at(Lowering *lowering, LLVMValueRef instruction, const char *name,
            LLVMValueRef *arguments, unsigned count);
// The body is left where this, of type i1, holds before the instruction.
void cut_where(Lowering *lowering, LLVMValueRef instruction, LLVMValueRef ends);
void cut_begin(Lowering *lowering, LLVMValueRef body);
void cut_end(Lowering *lowering);
// Room in the stack, as the program addresses it.
LLVMValueRef cut_stack_place(Lowering *lowering, uint64_t bytes,
                             uint64_t alignment);

// ---------------------------------------------------------------- calls.c ---

// A call of the machine or of the library becomes one of the engine.
void lower_call(Lowering *lowering, LLVMValueRef call);

// ---------------------------------------------------------------- lower.c ---

void lower_body(Lowering *lowering, LLVMValueRef body);
#endif
