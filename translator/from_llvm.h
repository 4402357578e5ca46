// What the files of the LLVM front end share.  Private to from_llvm*.c.

#ifndef TRANSLATOR_FROM_LLVM_H
#define TRANSLATOR_FROM_LLVM_H

#include "translator/translator.h"
#include "llvm/core.h"
#include "llvm/graph.h"

enum {
  BASE_BITS = 16,     // of an array's number in a pointer
  BASE_NULL = 0,      // the null pointer
  BASE_LOST = 0xffff, // a pointer whose array we do not know
  BASE_CODE = 0xf000, // from here on: a pointer to a function
  WINDOW_BITS = 32,   // of an address in .shared
  LANES_LIMIT = 1024, // scalars in one first-class value
};

// A scalar; for pointers `base` is the array's number and `bits` the byte
// offset into it.
typedef struct Lane {
  Expr *bits;
  Expr *base; // NULL for all but pointers
} Lane;

// An SSA value: aggregates and vectors are flattened into their scalars.
typedef struct LlvmValue {
  unsigned count;
  Lane *lanes;
} LlvmValue;

// The arrays that a pointer may point into.
typedef struct Roots {
  Vec(Array *) arrays;
  bool may_be_null;
  bool is_lost; // or anywhere
} Roots;

// Where the event of an asynchronous copy is kept.
typedef struct Event {
  const Array *array;
  uint64_t offset;
  bool is_passed_on;       // it was there before, unless that was none
  const BasicBlock *block; // of the copy
  size_t start;            // statements before the copy
} Event;

// A scalar in an argument that is passed by value.
typedef struct ArgumentField {
  const Array *array;
  unsigned parameter;
  uint64_t offset;
  Expr *value;
} ArgumentField;

// Statements before a call that may write memory of the thread's own.
typedef struct Forgotten {
  size_t stmt;
  const BasicBlock *block;
} Forgotten;

// A loop that leaves what an array holds alone; NO_COPIES: no asynchronous copy
// is to it; ONE_WRITE: one statement alone writes it; NO_INVARIANTS: no barrier
// of the kernel says what memory contains.
enum { NO_INVARIANTS = GRAPH_NONE - 2, NO_COPIES, ONE_WRITE };
typedef struct Calm {
  unsigned loop;
  const Array *array;
} Calm;
typedef Vec(Calm) Calms;

// A loop whose writes stay apart from these bytes of an array.
typedef struct Apart {
  unsigned loop;
  const Array *array;
  uint64_t offset, bytes;
  bool is_pointer;
  bool is_wrong; // one does not
} Apart;

typedef struct Builder {
  Task *task;
  Kernel *kernel;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  LLVMValueRef function;
  Graph *graph;
  LLVMBasicBlockRef *llvm_blocks; // by node of the graph
  BasicBlock **blocks;            // by node of the graph
  ValueTable values;              // LLVMValueRef -> LlvmValue *
  ValueTable arrays;              // LLVMValueRef -> Array *
  ValueTable variables;           // Array * -> LLVMValueRef
  Vec(LLVMValueRef) functions;    // those whose address is taken
  ValueTable phis;                // LLVMValueRef -> Roots *, one a lane
  ValueTable carried;             // Symbol * of a base -> Roots *
  ValueTable numbers;             // Symbol * of a lost pointer -> Expr *
  ValueTable names;               // LLVMValueRef -> char *
  Vec(Event) events;              // of the copies so far
  Vec(ArgumentField) fields;      // those that were read so far
  ValueTable deeds;               // Stmt * -> what it wrote or read
  Vec(Forgotten) forgotten;       // calls so far
  Exprs reread;                   // facts about the load at hand
  Calms calm;                     // what is taken for granted so far ...
  Calms not_calm;                 // ... and was not so in other translations
  Vec(Apart) apart;               // ... and is asserted, or is wrong
  BasicBlock *block;              // where we are
  LLVMValueRef instruction;
  Loc loc;
  const struct CallRow *row; // what the call means that is being translated
  bool reads_thread_id[3], reads_block_id[3];
  Expr *last_size[3]; // OpenCL: of the last group, or NULL: that of all
  Expr *own_size[3];  // of the group that the thread is in
  Expr *dimensions;   // OpenCL: how many it is launched with, or NULL
  bool is_quiet;      // inside an annotation: reads are no accesses
  bool is_looking;    // ... of a barrier to come: reads are STMT_LOOK
  bool *looks;        // by BasicBlock.index: so at its end
  Exprs alike;        // ... what has to be the same in two threads
  bool has_effect;    // others see what was done since that began
  bool has_annotations;
  bool *is_endless;     // per node: no way from there ends
  unsigned *ends;       // per node: where its ways meet
  Expr *pointers_apart; // that they are, or NULL: nobody asks
  const Array *surface; // the last that was accessed
  const Stmt *fence; // AMD: the last fence, or the barrier right behind it ...
  FenceSides sides;  // ... and what that released
  bool has_learnt;   // what was taken for granted is not so: once more
} Builder;

// ----------------------------------------------------------- from_llvm.c ---

Stmt *builder_add(Builder *builder, StmtKind kind);
unsigned node_of(const Builder *builder, LLVMBasicBlockRef block);
// Else the program is wrong, as `message` says.
void assert_here(Builder *builder, Expr *condition, const char *message);
Symbol *builder_symbol(Builder *builder, SymbolKind kind, unsigned width,
                       const char *name);
Expr *builder_unknown(Builder *builder, unsigned width, const char *name);

// ---------------------------------------------------- from_llvm_launch.c ---

// Ids and sizes: numbers where the launch or the kernel's attributes fix
// them, else symbols.
void make_launch(Builder *builder);
// The facts about them, once it is known which of them the kernel reads.
void finish_launch(Builder *builder);
Expr *wide_id(Builder *builder, Expr *id); // or size: in 64 bits
// Work-items along an axis, in 64 bits.
Expr *llvm_global_size(Builder *builder, unsigned axis);
// Puts a SOUND() name on the verdict's list, once.
void assume_named(Builder *builder, const char *name);

// ------------------------------------------------------ from_llvm_host.c ---

// The facts of the host code, but for those about dimensions that were set to
// one.  Needs parameters.
void add_host_facts(Builder *builder);

// ----------------------------------------------------- from_llvm_ghosts.c ---

// An invariant of a barrier asks what lies at an address of the other thread,
// which becomes that thread's own.
bool other_looks(Builder *builder, Expr **address);
// What the value is in the other thread.
Expr *ghost_of_other(Builder *builder, Expr *value);

// ------------------------------------------------ from_llvm_invariants.c ---

// A statement was added: invariants that wait for a barrier go with it.
void invariants_meet(Builder *builder, Stmt *stmt);
// The basic block ends: none may wait, but for another one.
void want_no_open_invariants(Builder *builder);

// ---------------------------------------------------- from_llvm_amdgcn.c ---

void translate_amd_fence(Builder *builder, LLVMValueRef fence);
// What the launch puts at the offset of memory that it fills for kernels of
// AMD; NULL: it is none of that, or not known.
Expr *launch_word(Builder *builder, const Array *array, const Expr *offset,
                  unsigned bits);

// ---------------------------------------------------- from_llvm_values.c ---

LlvmValue *value_of(Builder *builder, LLVMValueRef value);
Expr *scalar_of(Builder *builder, LLVMValueRef value); // one lane's bits
LlvmValue *value_new(Builder *builder, unsigned lanes);
LlvmValue *value_from(Builder *builder, Expr *bits); // one lane
unsigned lanes_of_type(Builder *builder, LLVMTypeRef type);
// Type of a lane of a flattened value.
LLVMTypeRef lane_type(Builder *builder, LLVMTypeRef type, unsigned lane);
// Byte offset of a lane when the value lies in memory.
uint64_t lane_offset(Builder *builder, LLVMTypeRef type, unsigned lane);
unsigned scalar_bits(Builder *builder, LLVMTypeRef type);
Lane lane_unknown(Builder *builder, LLVMTypeRef type, const char *name);
Lane lane_ite(Builder *builder, Expr *condition, Lane yes, Lane no);
void translate_arithmetic(Builder *builder, LLVMValueRef instruction);
void set_value(Builder *builder, LLVMValueRef instruction, LlvmValue *value);
void set_scalar(Builder *builder, LLVMValueRef instruction, Expr *bits);
void set_unknown(Builder *builder, LLVMValueRef instruction, const char *name);

// ----------------------------------------------------- from_llvm_exact.c ---

// The premises that an instruction on these two numbers comes with.
void note_exactness(Builder *builder, LLVMValueRef instruction, ExprOp op,
                    Expr *a, Expr *b);

// --------------------------------------------------- from_llvm_purpose.c ---

void find_annotations(Builder *builder); // Needs the graph.
// May the result be for annotations alone?
bool is_for_annotations(Builder *builder, LLVMValueRef instruction);

// ---------------------------------------------------- from_llvm_arrays.c ---

// Finds the arrays of the arguments, and guesses which the kernel writes.
void find_arrays(Builder *builder);
Array *global_array(Builder *builder, LLVMValueRef global);
// Constant memory that the launch fills, one for each key.
Array *launch_array(Builder *builder, const void *key, const char *name);
Array *private_array(Builder *builder, LLVMValueRef alloca);
// Of texels, or of a surface: see from_llvm_images.c and from_llvm_surfaces.c.
Array *image_array(Builder *builder, LLVMValueRef argument);
// The same, of what lies in an argument that is a struct.
Array *field_array(Builder *builder, const ArgumentField *field);
// Whether a number in an argument is declared as signed or unsigned, if it is
// all that lies there.
void find_sign(Builder *builder, unsigned index, uint64_t offset,
               Symbol *symbol);
// An access writes it.
void note_write(Builder *builder, Array *array, const Access *access);

// Where a pointer may point to.
Roots *roots_of(Builder *builder, Lane pointer);
// Of an array, not of null, a function or what is lost.
bool is_array_number(uint64_t base);
// Adds where the base may point to.  True: something is new.
bool roots_add(Builder *builder, Roots *roots, Expr *base);
// What the lanes of a loop's phi were found to point to so far.
Roots *carried_roots(Builder *builder, LLVMValueRef phi, unsigned lanes);

// What a pointer that lies in an argument or a variable points to: an array of
// its own, or a constant.  Neither: it is lost.
typedef struct Pointee {
  Array *array;
  LLVMValueRef constant;
  bool may_change; // by the host
} Pointee;

Pointee pointee_of(Builder *builder, Lane at, LLVMTypeRef type);

// ------------------------------------------------------ from_llvm_found.c ---

// Is a pointer that lies in this array one behind an argument?
bool is_found_in(const Array *holder);
// "list->next", or NULL: the debug information does not tell.
const char *name_of_found(Builder *builder, const Array *holder,
                          uint64_t offset);
// May a thread write the pointer that lies there?
bool found_is_written(const Array *holder, uint64_t offset);
// NULL: any bytes.
void note_written_bytes(Builder *builder, Array *array, const Access *access);
// Is one of the arrays behind a pointer in memory?
bool has_found(const Roots *roots);
// Else an annotation speaks of what only the name tells.
void want_no_found(Builder *builder, const Roots *roots);
// Of an access of it, under the guard: a doubt, but under the name.
void want_apart(Builder *builder, const Array *array, Expr *guard);

// A number that nobody can change, as of a struct made in one expression; NULL
// if none is known to lie there.
LLVMValueRef known_scalar(Builder *builder, Lane at, LLVMTypeRef type);
// What is read at `offset` of a small table of constant integers: one of them,
// or `beyond`, also where it is no such table.
Expr *tabulated(Builder *builder, const Array *array, Expr *offset,
                LLVMTypeRef type, Expr *beyond);
// `value`, but behind the end of a table that was a variable of the thread it
// may be anything.
Expr *within_table(Builder *builder, const Array *array, Expr *offset,
                   Expr *value);
// Gives up on a type whose size depends on the machine.
void want_fixed_size(const Builder *builder, LLVMTypeRef type);
// 0: it has no size.
uint64_t bytes_of_object(const Builder *builder, LLVMTypeRef type);
// A pointer that is an array plus a constant.
bool constant_place(Builder *builder, LLVMValueRef pointer, Array **array,
                    uint64_t *offset);
// The name that the code has for the array there, if that array has several.
const char *name_at(Builder *builder, LLVMValueRef pointer);

// ------------------------------------------------- from_llvm_addresses.c ---

Lane pointer_to_array(Builder *builder, const Array *array);
Lane pointer_constant(Builder *builder, LLVMValueRef constant);
void translate_gep(Builder *builder, LLVMValueRef gep);
// By how many bytes it moves a pointer.  False: it is computed.
bool constant_distance(Builder *builder, LLVMValueRef gep, uint64_t *bytes);
void translate_space_cast(Builder *builder, LLVMValueRef cast);
void translate_ptrtoint(Builder *builder, LLVMValueRef value);
void translate_inttoptr(Builder *builder, LLVMValueRef value);

// --------------------------------------------------- from_llvm_pointed.c ---

Lane pointer_to_function(Builder *builder, LLVMValueRef function);
// Does one of two pointers, and no other, point to a function known by name?
bool is_about_function(Lane a, Lane b);
// Is it the same function?  If that is not known at all it may be; or it is
// not, where that is the case in question.
Expr *same_function(Builder *builder, Lane a, Lane b, bool is_case);
// Somebody is called who is none of the functions that we know of.
void call_through_pointer(Builder *builder, LLVMValueRef call);

// ---------------------------------------------------- from_llvm_tables.c ---

// What is read at `offset` of a small table: one of the pointers in it, or
// `beyond`, also where it is no such table.
Lane tabulated_pointer(Builder *builder, const Array *table, Expr *offset,
                       LLVMTypeRef type, Lane beyond);

// ---------------------------------------------------- from_llvm_memory.c ---

void translate_load(Builder *builder, LLVMValueRef load);
void translate_store(Builder *builder, LLVMValueRef store);
void translate_fence(Builder *builder, LLVMValueRef fence);
void translate_atomic(Builder *builder, LLVMValueRef instruction);
// One statement for each array that the pointer may point into; array and
// offset of `access` are filled here.  The last statement, or NULL.
Stmt *add_access(Builder *builder, Lane pointer, const Access *access);
// To this array, at an offset that the access has; only where `guard` holds.
void add_access_to(Builder *builder, Array *array, Expr *guard,
                   const Access *access);
Expr *bytes_constant(Builder *builder, uint64_t bytes);

// What is stored, the first lane in the low bits; NULL: Booleans, padding or
// unknown pointers are in it.
Expr *stored_bits(Builder *builder, LLVMTypeRef type, const LlvmValue *value);

// ----------------------------------------------------- from_llvm_seeds.c ---

// Does what it reads only begin a round of compare-and-swaps?  False, too, if
// SOUND(seed-reads) is not to be assumed.
bool is_seed_read(Builder *builder, LLVMValueRef load);

// ---------------------------------------------------- from_llvm_reread.c ---

// What a thread reads that it has written itself, or read before; or `unknown`,
// of which more may be known.  Of an array that is written.
Lane reread_lane(Builder *builder, const Array *array, Expr *offset,
                 LLVMTypeRef type, Lane unknown);
// The statements from `first` on wrote or read this value, or such bytes.
void reread_note(Builder *builder, size_t first, LLVMTypeRef type,
                 const LlvmValue *value);
void reread_note_bytes(Builder *builder, size_t first, Expr *byte);
// The load is made: from here on it is known what it read.
void reread_is_known(Builder *builder);
// Any memory of the thread's own may be written here.
void reread_forget(Builder *builder);
// When all is translated: learns what was taken for granted and is not so.
void reread_check(Builder *builder);

// ----------------------------------------------------- from_llvm_apart.c ---

// May it be taken for granted that the loop's writes stay apart from there?
bool apart_is_granted(Builder *builder, const Apart *apart);
// A write that comes next is asserted to do so.
void apart_at_write(Builder *builder, const Array *array, Expr *guard,
                    const Access *access);
// Here anything of the thread's own may be written.
void apart_at_call(Builder *builder);

// ---------------------------------------------------- from_llvm_images.c ---

// When all is translated: which barriers order images.
void settle_image_fences(Builder *builder);

// --------------------------------------------------- from_llvm_initial.c ---

// A pointer that lies in a variable from the start.
typedef struct InitialPointer {
  LLVMValueRef constant; // what it is, or NULL: the file does not say
  bool is_lost;          // it may be changed to nobody knows what
} InitialPointer;

// The constant at this byte of a fixed variable, or NULL.
LLVMValueRef llvm_fixed_scalar(Builder *builder, LLVMValueRef variable,
                               uint64_t offset, LLVMTypeRef type);
InitialPointer llvm_initial_pointer(Builder *builder, LLVMValueRef variable,
                                    uint64_t offset, LLVMTypeRef type);

// ----------------------------------------------------- from_llvm_async.c ---

// When all is translated: gives up on events that somebody else writes.

// ----------------------------------------------------- from_llvm_calls.c ---

// Its number in its warp.
Expr *lane_of_thread(Builder *builder);
void translate_call(Builder *builder, LLVMValueRef call);
void translate_alloca(Builder *builder, LLVMValueRef alloca);

#endif
