// What the files share that translate calls.

#ifndef TRANSLATOR_FROM_LLVM_CALLS_H
#define TRANSLATOR_FROM_LLVM_CALLS_H

#include "translator/from_llvm.h"

// What a function without a body means.
typedef enum Meaning {
#define MEANING(name, effect) CALL_##name,
#include "translator/meanings.def"
#undef MEANING
} Meaning;

typedef enum Match {
  EXACT,  // the linkage name
  PREFIX, // how it begins
  OPENCL, // the plain name of a built-in function of OpenCL
  OPENCL_PREFIX,
} Match;

typedef struct CallRow {
  Match match;
  const char *name;
  Meaning meaning;
  int number;
} CallRow;

// NULL: it is not called by its name.
LLVMValueRef called_function(LLVMValueRef call);

// --------------------------------------------------- from_llvm_shapes.c ---

// Is there what the meaning needs?
bool operands_fit(Builder *builder, LLVMValueRef call, const CallRow *row);
// Is the value that the call was given of its type?
bool result_fits(Builder *builder, LLVMValueRef call);

const char *called_name(Task *task, LLVMValueRef call); // the plain one
Expr *read_thread_id(Builder *builder, unsigned axis);
Expr *read_block_id(Builder *builder, unsigned axis);
unsigned lane_bytes(Builder *builder, LLVMTypeRef type);
// One that orders all memory.
Barrier *add_barrier(Builder *builder, BarrierKind kind);
// All threads that come to the barrier have to pass one and the same value.
void add_alike(Builder *builder, Barrier *barrier, LLVMValueRef operand);

// --------------------------------------------------- from_llvm_opencl.c ---

// The call is translated, if it is of OpenCL's ids, memory or barriers.
bool translate_opencl(Builder *builder, LLVMValueRef call, const CallRow *row);

// ---------------------------------------------------- from_llvm_print.c ---

// What vprintf reads.
void translate_print(Builder *builder, LLVMValueRef call);

// ------------------------------------------------- from_llvm_integers.c ---

// Its value is set, if it is a function of integers; else false.
bool translate_integer(Builder *builder, LLVMValueRef call, const CallRow *row);

#endif
