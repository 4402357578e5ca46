// What the files share that translate calls.

#ifndef TRANSLATOR_FROM_LLVM_CALLS_H
#define TRANSLATOR_FROM_LLVM_CALLS_H

#include "translator/from_llvm.h"

// What a function without a body means; intrinsics.def has one row for each.
typedef enum Meaning {
  CALL_THREAD_ID,
  CALL_BLOCK_ID,
  CALL_BLOCK_SIZE,
  CALL_GRID_SIZE,
  CALL_LANE_ID,
  CALL_NUMBER,  // a constant
  CALL_UNKNOWN, // anything, another value in each thread
  CALL_UNIFORM, // anything, one value for the launch
  CALL_GHOST,   // anything; invariants about it are not used
  CALL_CL_LOCAL_ID,
  CALL_CL_GROUP_ID,
  CALL_CL_GLOBAL_ID,
  CALL_CL_LOCAL_SIZE,
  CALL_CL_ENQUEUED_SIZE, // of all groups but the last
  CALL_CL_NUM_GROUPS,
  CALL_CL_GLOBAL_SIZE,
  CALL_CL_GLOBAL_OFFSET,
  CALL_CL_LOCAL_LINEAR,
  CALL_BARRIER,
  CALL_BARRIER_VOTE, // and a result that is equal in all threads
  CALL_BARRIER_WARP,
  CALL_BARRIER_GRID,
  CALL_BARRIER_FLAGS,
  CALL_ASYNC_COPY,
  CALL_ASYNC_WAIT,
  CALL_GROUP_VOTE, // all threads take part; orders no memory
  CALL_GROUP_SCAN,
  CALL_FENCE,
  CALL_NOTHING,
  CALL_UNMODELLED,
  CALL_MAX_SIGNED,
  CALL_MIN_SIGNED,
  CALL_MAX_UNSIGNED,
  CALL_MIN_UNSIGNED,
  CALL_ABS,
  CALL_FUNNEL_LEFT,
  CALL_FUNNEL_RIGHT,
  CALL_MUL24_SIGNED,
  CALL_MUL24_UNSIGNED,
  CALL_SAME_BITS,
  CALL_BIT_REVERSE,
  CALL_ROTATE,
  CALL_CLAMP_SIGNED,
  CALL_CLAMP_UNSIGNED,
  CALL_CL_SELECT,
  CALL_CL_CLAMP,
  CALL_CL_MAX,
  CALL_CL_MIN,
  CALL_CL_MUL24,
  CALL_CL_MAD24,
  CALL_MEMCPY,
  CALL_MEMSET,
  CALL_FILL, // with anything: a pointer and a number of bytes
  CALL_LDG,
  CALL_NVVM_ATOMIC,  // llvm.nvvm.atomic.OP.gen.TYPE.SCOPE
  CALL_LANES,        // a shuffle, a vote: lanes of a mask take part
  CALL_LANES_BALLOT, // ... and are told for whom operand 1 is true
  CALL_LANES_MATCH,  // ... and are told who has the same
  CALL_LANES_ACTIVE, // __activemask: told who is there, nobody waits
  CALL_WHOLE_WARP,   // all lanes take part, and the result is anything
  CALL_SUB_GROUP,    // OpenCL's of a sub-group
  CALL_TILE,         // llvm.nvvm.wmma
  CALL_LOAD_ROWS,    // ldmatrix
  CALL_STORE_ROWS,   // stmatrix
  CALL_VLOAD,
  CALL_VSTORE,
  CALL_CL_ATOMIC,
  CALL_CL_ATOMIC_STEP, // the step is no operand
  CALL_CL_FLAG,        // of an atomic_flag
  CALL_CL_INIT,        // a plain write of operand 1
  CALL_PRINT,          // vprintf
  CALL_FAIL,
  CALL_ASSUME,
  CALL_REQUIRES,
  CALL_ASSERT,
  CALL_INVARIANT,
  CALL_FUNCTION_INVARIANT,
  CALL_QUIET,
  CALL_PURE,
  CALL_CL_PURE,  // an overload without pointers
  CALL_PURE_OUT, // and writes so many bytes through each pointer
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
