// A kernel while it is cut at its barriers: what the files share that make a
// loop over the threads of a block of each part.

#ifndef RUNTIME_JIT_SPLIT_H
#define RUNTIME_JIT_SPLIT_H

#include "runtime/jit/jit.h"
#include "llvm/graph.h"

// What lives longer than an interval: a local variable of the kernel.
typedef struct Kept {
  LLVMValueRef alloca;
  LLVMTypeRef type;
  bool is_array;   // used by address
  bool is_uniform; // all threads of the block have the same
  bool *lives;     // at the start of each block
} Kept;

typedef enum Ending {
  ENDING_RETURN,
  ENDING_BARRIER,
  ENDING_BRANCH, // which all threads take alike
  ENDING_ANY,    // of the exits, each thread for itself
} Ending;

// From the entry, a barrier or a branch that all threads take alike to the
// next of them.
typedef struct BarrierInterval {
  unsigned start; // block
  Ending ending;
  Numbers exits; // blocks that it ends with
  bool *contains;
  bool *changes; // of what is kept
  LLVMValueRef function;
  bool has_loops; // of which a thread may go round
  bool has_calls; // of what wants to know the thread
  uint32_t round; // site of a back edge that leads out of it, or NO_SITE
} BarrierInterval;

typedef struct Split {
  Task *task;
  const Run *run;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef none, i32, i64, pointer;
  LLVMValueRef kernel;
  unsigned count; // of blocks
  LLVMBasicBlockRef *blocks;
  ValueTable numbers; // block -> its number + 1
  Graph *graph;
  ValueTable differs; // values that are not the same in all threads
  Vec(BarrierInterval) intervals;
  Vec(Kept) kept;
} Split;

unsigned split_number(const Split *split, LLVMBasicBlockRef block);

// ------------------------------------------------------------- uniform.c ---

// Needs the graph.  Makes `differs`.
void split_find_uniform(Split *split);
bool split_differs(const Split *split, LLVMValueRef value);
// Blocks to which some threads may come and others not, or another time.
const bool *split_find_apart(Split *split);
// No memory that anybody writes is concerned.
bool split_is_pure(const Split *split, LLVMValueRef instruction);

// ------------------------------------------------------------ interval.c ---

// Makes blocks that end at their barriers, and the graph.  False: the kernel
// has too many of them, or memory of a size that is not known.
bool split_cut(Split *split);
// Needs what is uniform.  Makes `intervals`.  False: threads might be at
// different barriers that count as one, or leave while the others go on.
bool split_find_intervals(Split *split);
// The call at the end of a block, or NULL.
LLVMValueRef split_barrier(const Split *split, unsigned block);

// -------------------------------------------------------------- rounds.c ---

// Needs what is uniform.  Marks back edges of loops that the block should go
// round together; then the kernel has to be cut again.  False: there are none.
bool split_mark_rounds(Split *split);
void split_forget_rounds(Split *split);
// Needs intervals.  One of them leads some threads to such a mark and others
// elsewhere, for all we know.
bool split_parts_in_rounds(const Split *split);

// ---------------------------------------------------------------- keep.c ---

// Needs intervals.  Makes `kept`, with loads and stores of it in the kernel,
// and no other value crosses from one interval to the next.
void split_keep(Split *split);

// --------------------------------------------------------------- clone.c ---

// The parameters of an interval's function, in this order; then those of the
// kernel; then for each of what is kept, two: UNIFORM: its value and where the
// next one goes; else its place, and nothing.
enum {
  GIVEN_WORDS,          // WORDS of them
  GIVEN_THREAD = WORDS, // its place in the machine
  GIVEN_CHOICE,         // where the condition of the last branch goes
  GIVEN_VOTES,          // where votes are counted
  GIVEN,
};

// Makes the interval's function: it returns the site of the barrier that the
// thread has reached, or NO_SITE.
void split_clone(Split *split, BarrierInterval *interval);
// No call of what touches memory of the program, or waits for anybody.
bool split_is_harmless(const Split *split, LLVMValueRef call);

// --------------------------------------------------------------- still.c ---

// Needs the intervals' functions.  Where races are watched, reads of shared
// memory are only looked at for bounds where nobody writes to it.
void split_still(Split *split, const Image *image);

#endif
