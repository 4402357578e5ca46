// What the files that translate calls share: rows, meanings, and helpers.

#ifndef TRANSLATOR_FROM_LLVM_CALLS_H
#define TRANSLATOR_FROM_LLVM_CALLS_H

#include "translator/from_llvm.h"

// What a function without a body means.
typedef enum Meaning {
#define MEANING(name, operands, translation) CALL_##name,
#include "translator/meanings.def"
} Meaning;

typedef enum Match {
  EXACT,  // the linkage name
  PREFIX, // how it begins
  OPENCL, // the plain name of a built-in function of OpenCL
  OPENCL_PREFIX,
  CONVERSION, // any of OpenCL's convert_...
} Match;

// Numbers of AMD's rows: which memory, and which half of a wavefront.
enum { AMD_PACKET, AMD_ARGUMENTS, AMD_LOW = 0, AMD_HIGH };

typedef struct CallRow {
  Match match;
  const char *name;
  Meaning meaning;
  int number;
} CallRow;

// Lanes as seen from the thread's own: what a row of LANE_MASK is about.
typedef enum LaneMask {
  LANE_OWN,
  LANES_BELOW,
  LANES_UP_TO,
  LANES_ABOVE,
  LANES_FROM_OWN,
} LaneMask;

// Translates a call of the row that builder->row is, whose operands fit: its
// result and what it does.
typedef void Translation(Builder *builder, LLVMValueRef call);

#define MEANING(name, operands, translation) Translation call_##translation;
#include "translator/meanings.def"

// NULL: it is not called by its name.
LLVMValueRef called_function(LLVMValueRef call);
const CallRow *call_row(Task *task, LLVMValueRef call); // or NULL
const char *called_name(Task *task, LLVMValueRef call); // the plain one
// Assembly that computes a value and does nothing else.
bool is_asm_pure(Task *task, LLVMValueRef called);
Expr *read_thread_id(Builder *builder, unsigned axis);
Expr *read_block_id(Builder *builder, unsigned axis);
unsigned lane_bytes(Builder *builder, LLVMTypeRef type);
// The result is anything, but equal in all threads that meet here.
void set_group_value(Builder *builder, LLVMValueRef call);

// ------------------------------------------------ from_llvm_externals.c ---

// Does the user say that it is pure, as one of the functions without a body?
bool is_pure_external(Builder *builder, LLVMValueRef call);
void call_external(Builder *builder, LLVMValueRef call);

// --------------------------------------------------- from_llvm_shapes.c ---

// Is there what the meaning needs?
bool operands_fit(Builder *builder, LLVMValueRef call, const CallRow *row);
// The operand for which the meaning has this letter, or NULL.
LLVMValueRef operand_for(Builder *builder, LLVMValueRef call, char letter);
// Is the value that the call was given of its type?
bool result_fits(Builder *builder, LLVMValueRef call);

// --------------------------------------------------- from_llvm_ghosts.c ---

// Control is where a condition is: it is enabled.
Expr *known_to_who_is_here(Builder *builder, Expr *condition);
bool has_ghost(Builder *builder, Expr *condition, GhostKind kind);
// Gives up on ghosts that were asked for where they may have been others.
void want_ghosts_of_here(Builder *builder, Expr *condition);
// Does it speak of ghosts?  Gives up on ghosts that do not go together.
bool is_claim(Builder *builder, Expr *condition);

// `a` where what is said of the other thread may be anything, and is said of
// the second one where two threads meet.
Expr *of_partner(Builder *builder, Expr *a);

// ---------------------------------------------- from_llvm_annotations.c ---

// --no-annotations, --only-requires
bool annotations_are_ignored(const Builder *builder);
// The operand, of a thread that is here.
Expr *annotation_condition(Builder *builder, LLVMValueRef operand);

// ------------------------------------------------- from_llvm_barriers.c ---

// One that orders all memory.
Barrier *add_barrier(Builder *builder, BarrierKind kind);
// All lanes of the warp have to come here (lanes.c).
Barrier *add_whole_warp(Builder *builder);
// All threads that come to the barrier have to pass one and the same value.
void add_alike(Builder *builder, Barrier *barrier, LLVMValueRef operand);

#endif
