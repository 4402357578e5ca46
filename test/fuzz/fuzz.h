// Random kernels, and what really happens when they run.
//
// A Program is a small CUDA kernel as a tree.  generate.c makes one, print.c
// writes it as CUDA for the prover, reference.c executes every thread of a
// small launch and looks at every access.  Neither knows the prover, and the
// prover's code is used for memory only (base.h): what the two agree on, they
// agree on for different reasons.
//
// All arithmetic is on `unsigned`: each Term has 32 bits; narrower and signed
// types are casts.  What C leaves undefined makes a program invalid when the
// reference meets it, and invalid programs are thrown away.

#ifndef TEST_FUZZ_FUZZ_H
#define TEST_FUZZ_FUZZ_H

#include "base/base.h"

typedef struct FuzzArray FuzzArray;
typedef struct FuzzPlace FuzzPlace;
typedef struct Pointer Pointer;
typedef struct FuzzProcedure FuzzProcedure;
typedef struct FuzzProgram FuzzProgram;
typedef struct FuzzStep FuzzStep;
typedef struct FuzzTerm FuzzTerm;
typedef struct FuzzVariable FuzzVariable;

typedef Vec(FuzzStep *) FuzzSteps;
typedef Vec(FuzzVariable *) Variables;

// ---------------------------------------------------------------- random ---

typedef struct Random {
  uint64_t state;
} Random;

uint32_t random_next(Random *random);
unsigned random_below(Random *random, unsigned limit); // limit at least 1
bool random_chance(Random *random, unsigned percent);

// ----------------------------------------------------------------- types ---

typedef enum FuzzType {
  TYPE_U8,
  TYPE_S8,
  TYPE_U16,
  TYPE_S16,
  TYPE_U32,
  TYPE_S32,
  TYPE_U64,
  TYPE_PAIR, // uint2
  TYPE_QUAD, // uint4
} FuzzType;

const char *type_text(FuzzType type);
unsigned type_bytes(FuzzType type);
uint32_t type_wrap(FuzzType type, uint32_t value); // through the type and back

typedef enum Operator {
#define OPERATOR(name, before, between, behind, question, undefined, value)    \
  OPERATOR_##name,
#include "test/fuzz/operators.def"
#undef OPERATOR
  OPERATORS
} Operator;

// --------------------------------------------------------------- program ---

typedef enum Home { HOME_GLOBAL, HOME_SHARED, HOME_PRIVATE } Home;

struct FuzzArray {
  unsigned number;
  Home home;
  FuzzType type;
  unsigned bytes;          // a power of two
  unsigned columns;        // elements in a row of a two-dimensional one, or 0
  bool is_hidden;          // not printed: nobody uses it
  bool is_written_by_hand; // global: most writes are by way of a
                           // struct
};

struct FuzzVariable {
  unsigned number;
  FuzzType type;
  bool is_parameter; // a scalar argument of the kernel
  bool is_argument;  // of a procedure
  bool is_counter;   // declared where its loop begins
  bool is_uniform;   // meant to be; the generator's business only
  bool is_hidden;
};

struct Pointer {
  unsigned number;
  FuzzType type;
  bool is_argument;
  bool is_hidden;
};

// An element: array[index] or pointer[index], seen as `type`.
struct FuzzPlace {
  FuzzArray *array; // or else ...
  Pointer *pointer;
  FuzzType type;
  FuzzTerm *index;
  FuzzType index_type; // what the index is cast to; TYPE_U32: it is not
  bool is_masked;      // brought into the array's size
  bool is_handed;      // its address comes out of a struct that is returned
};

typedef enum FuzzBuiltin {
  BUILTIN_THREAD_X,
  BUILTIN_THREAD_Y,
  BUILTIN_BLOCK_X,
  BUILTIN_BLOCK_SIZE_X,
  BUILTIN_BLOCK_SIZE_Y,
  BUILTIN_GRID_SIZE_X,
} FuzzBuiltin;

typedef enum TermKind {
  TERM_NUMBER,
  TERM_BUILTIN,
  TERM_VARIABLE,
  TERM_CAST,   // arg 0 through `type`
  TERM_BINARY, // args 0 and 1
  TERM_SELECT, // arg 0 ? arg 1 : arg 2
  TERM_LOAD,   // of `place`; of a vector: the sum of its components
  TERM_CALL,   // of `procedure`, args by its parameters
} TermKind;

struct FuzzTerm {
  TermKind kind;
  uint32_t number;
  FuzzBuiltin builtin;
  FuzzVariable *variable;
  FuzzType type;
  Operator op;
  FuzzPlace *place;
  FuzzProcedure *procedure;
  FuzzTerm *args[3];
};

typedef enum FuzzStepKind {
  STEP_SET,     // variable = term
  STEP_STORE,   // place = term; vectors: term, more, term, more
  STEP_UPDATE,  // place op= term
  STEP_ATOMIC,  // variable = atomicXxx(&place, term), variable may be NULL
  STEP_POINT,   // pointer = term ? &place : &more_place, or just &place
  STEP_ADVANCE, // pointer += term
  STEP_IF,      // term, body, other
  STEP_FOR,     // variable = start; term; variable = next
  STEP_WHILE,
  STEP_DO,
  STEP_SWITCH, // term; body holds the STEP_CASEs
  STEP_CASE,   // label, or the default; falls through, or not
  STEP_BREAK,
  STEP_CONTINUE,
  STEP_RETURN,
  STEP_BARRIER, // __syncthreads
  STEP_VOTE,    // variable = __syncthreads_or(term)
  STEP_WARP_BARRIER,
  STEP_CALL, // of `procedure`: &place for its pointer, args by its parameters
} FuzzStepKind;

typedef enum AtomicKind { ATOMIC_ADD, ATOMIC_MAX, ATOMIC_EXCHANGE } AtomicKind;

struct FuzzStep {
  FuzzStepKind kind;
  unsigned number; // of the barrier
  FuzzVariable *variable;
  Pointer *pointer;
  FuzzPlace *place, *more_place;
  FuzzTerm *term, *more, *start, *next;
  FuzzTerm *args[2];
  Operator op;
  AtomicKind atomic;
  FuzzProcedure *procedure;
  unsigned label;
  bool is_default, falls_through;
  FuzzSteps body, other;
};

// A device function: of a value (result) or of steps (body).
struct FuzzProcedure {
  unsigned number;
  Variables parameters; // at most two
  Pointer *pointer;     // its first parameter, or NULL
  FuzzTerm *result;
  FuzzSteps body;
  bool is_hidden;
};

struct FuzzProgram {
  Arena *arena;
  unsigned index;
  Vec(FuzzArray *) arrays;
  Variables variables; // all, those of procedures too
  Vec(Pointer *) pointers;
  Vec(FuzzProcedure *) procedures;
  FuzzSteps body;
  unsigned barriers;
};

// A launch: threads of a block in two dimensions, blocks of the grid in one.
typedef struct Shape {
  unsigned block_x, block_y, grid_x;
} Shape;

// ---------------------------------------------------------------- tree.c ---

FuzzArray *program_array(FuzzProgram *p, Home home, FuzzType type,
                         unsigned bytes);
FuzzVariable *program_variable(FuzzProgram *p, FuzzType type);
Pointer *program_pointer(FuzzProgram *p, FuzzType type);
FuzzProcedure *program_procedure(FuzzProgram *p);

FuzzTerm *term_number(FuzzProgram *p, uint32_t number);
FuzzTerm *term_builtin(FuzzProgram *p, FuzzBuiltin builtin);
FuzzTerm *term_variable(FuzzProgram *p, FuzzVariable *variable);
FuzzTerm *term_cast(FuzzProgram *p, FuzzType type, FuzzTerm *a);
FuzzTerm *term_binary(FuzzProgram *p, Operator op, FuzzTerm *a, FuzzTerm *b);
FuzzTerm *term_select(FuzzProgram *p, FuzzTerm *condition, FuzzTerm *yes,
                      FuzzTerm *no);
FuzzTerm *term_load(FuzzProgram *p, FuzzPlace *place);
FuzzTerm *term_call(FuzzProgram *p, FuzzProcedure *procedure, FuzzTerm *a,
                    FuzzTerm *b);

FuzzPlace *place_in(FuzzProgram *p, FuzzArray *array, FuzzType type,
                    FuzzTerm *index);
FuzzPlace *place_at(FuzzProgram *p, Pointer *pointer, FuzzTerm *index);

// A new step at the end of `to`.
FuzzStep *step_new(FuzzProgram *p, FuzzSteps *to, FuzzStepKind kind);
FuzzStep *step_set(FuzzProgram *p, FuzzSteps *to, FuzzVariable *variable,
                   FuzzTerm *value);
FuzzStep *step_store(FuzzProgram *p, FuzzSteps *to, FuzzPlace *place,
                     FuzzTerm *value);
FuzzStep *step_barrier(FuzzProgram *p, FuzzSteps *to, FuzzStepKind kind);

// Where each step and each term hangs, outer before inner: for whoever
// changes a program at random.
typedef struct StepSlot {
  FuzzSteps *in;
  size_t at;
} StepSlot;
typedef Vec(StepSlot) StepSlots;
typedef Vec(FuzzTerm **) TermSlots;
void program_slots(FuzzProgram *p, StepSlots *steps, TermSlots *terms);

// Keeps what no step uses from being printed.
void program_hide_unused(FuzzProgram *p);

// --------------------------------------------------------------- print.c ---

// What all kernels of a file need, once.
void print_preamble(FILE *out);
void print_program(FILE *out, const FuzzProgram *program);

// -------------------------------------------------------------- launch.c ---

// A launch file for `gpuverify run`, with inputs by seed.
void print_launch(FILE *out, const FuzzProgram *program, Shape shape,
                  uint64_t seed);

// Of a program: all before the launches, down to where main begins; a launch.
void print_host(FILE *out);
void print_kernel_call(FILE *out, const FuzzProgram *program, Shape shape,
                       uint64_t seed, unsigned launch);

// ----------------------------------------------------------- reference.c ---

typedef enum FuzzFindingKind {
  FINDING_NONE,
  FINDING_RACE,
  FINDING_DIVERGENCE,
  FINDING_INVALID, // undefined in C, out of bounds, or it runs for too long
} FuzzFindingKind;

typedef struct FuzzFinding {
  FuzzFindingKind kind;
  char text[200];
  FuzzPlace *outside; // INVALID: the place that is out of bounds, or NULL
} FuzzFinding;

// Runs the program `trials` times, each with other inputs and another order
// of threads, and stops at the first finding.
FuzzFinding reference_run(const FuzzProgram *program, Shape shape,
                          uint64_t seed, unsigned trials);

// ------------------------------------------------------------ generate.c ---

// How the prover is called, and the launches that its answer has to hold for.
typedef struct Setting {
  const char *options;
  Shape shapes[4];
  unsigned count;
  Shape large; // another one, for execution as compiled code
} Setting;

// The program number `index` of a seed, valid under its setting, and what the
// reference finds in it.
FuzzProgram *generate(Arena *arena, uint64_t seed, unsigned index,
                      const Setting **setting, FuzzFinding *finding);
// What the reference finds under any shape of the setting.
FuzzFinding setting_run(const FuzzProgram *program, const Setting *setting,
                        uint64_t seed);

// ------------------------------------------------------------ patterns.c ---

// What a pattern may use of the kernel around it.
typedef struct Surroundings {
  FuzzProgram *program;
  Random *random;
  FuzzVariable *thread;   // number in its block
  FuzzVariable *global;   // number in the grid
  FuzzVariable *argument; // the same in all threads
} Surroundings;

// Appends one of the algorithms people write, starting and ending with a
// barrier where it communicates.
void pattern_append(Surroundings *around, FuzzSteps *to);

// --------------------------------------------------------------- nests.c ---

// Appends loops in loops, which threads may leave in different iterations.
void nest_append(Surroundings *around, FuzzSteps *to);

// -------------------------------------------------------------- mutate.c ---

// One small change, as a person in a hurry makes it.
void mutate(FuzzProgram *program, Random *random);

// -------------------------------------------------------------- shrink.c ---

// Takes away what can be taken away while `is_bad` stays true.
void shrink(FuzzProgram *program, bool (*is_bad)(FuzzProgram *, void *),
            void *data);

#endif
