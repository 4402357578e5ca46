// A module of LLVM IR and its kernels: what proof and execution share.
//
// In come files and modules that clang made; out come prepared modules, their
// kernels with names and places, launches, and PTX.  Anybody may call; those
// who look at instructions need core.h.

#ifndef LLVM_LLVM_H
#define LLVM_LLVM_H

#include "base/base.h"

struct LLVMOpaqueModule;
struct LLVMOpaqueValue;

// --------------------------------------------------------------- launches ---

// One dimension of a launch: a number, or free.
typedef struct Extent {
  bool known;
  uint32_t value; // if known, at least 1
} Extent;

// Some bytes of a struct that is an argument.
typedef struct ArgumentWord {
  uint64_t offset;
  unsigned bytes; // 1, 2, 4 or 8
  uint64_t value;
} ArgumentWord;

typedef Vec(ArgumentWord) ArgumentWords;

// A scalar argument whose value is known for one launch, or a struct of which
// some members are.
typedef struct Argument {
  bool known;
  uint64_t value; // the low bits count, as many as the parameter has
  ArgumentWords words;
  bool is_shown_negative; // the host's code gives it such numbers, perhaps
  // A pointer to an allocation that no other argument points into, and where
  // that was made; line 0: it is not known to be one.
  Loc allocation;
} Argument;

// A number over what the host had when it launched the kernel.
typedef enum HostOp {
  HOST_NUMBER,   // .value
  HOST_UNKNOWN,  // number .value of the host's, with .name
  HOST_ARGUMENT, // of the kernel, at position .value
  HOST_MEMBER,   // of an argument that is a struct: see host_member
  HOST_BLOCK,    // the block's size along axis .value, 32 bits
  HOST_GRID,     // the grid's
  HOST_BYTES,    // of what the argument at position .value points to, 64 bits
  HOST_NOT,
  HOST_ITE,
  HOST_ZEXT, // to .width
  HOST_SEXT,
  HOST_TRUNC,
#define OP(name, text) HOST_##name,
#include "llvm/host_ops.def"
#undef OP
} HostOp;

typedef struct HostTerm HostTerm;
struct HostTerm {
  HostOp op;
  unsigned width; // bits, at most 64; 1 is Boolean
  uint64_t value;
  const char *name; // for people
  const HostTerm *args[3];
};

// The .value of a HOST_MEMBER: the argument's position, and the member's byte.
static inline uint64_t host_member(unsigned argument, uint64_t offset) {
  return (uint64_t)argument << 32 | offset;
}

// What is true whenever this launch is made.
typedef struct HostFact {
  const HostTerm *holds;
  const HostTerm *defined; // when the host's arithmetic in it is; NULL: always
  const char *text;        // for people: "gridDim.x == n / 128"
  Loc where;
  bool is_of_bounds;  // for --check-array-bounds alone
  bool is_of_program; // if the file is all there is: SOUND(whole-program)
} HostFact;
typedef Vec(HostFact) HostFacts;

// Does it speak of this leaf?
bool host_mentions(const HostTerm *term, HostOp leaf, uint64_t value);
bool host_mentions_any(const HostTerm *term, HostOp leaf);
bool host_same(const HostTerm *a, const HostTerm *b);
// Keeps the facts that do not speak of such leaves.
HostFacts host_without(Arena *arena, const HostFacts *facts, HostOp leaf);

// What is known when the kernel starts.  Dimensions that nobody gave are free.
typedef struct Launch {
  Extent block[3];     // threads of a block (work-items of a group)
  Extent grid[3];      // blocks of a grid
  Extent global[3];    // OpenCL: work-items in all (given instead of grid)
  Extent offset[3];    // OpenCL: global offset; at least 0 if known
  bool gives_block[3]; // the host gives a size that is not known
  bool gives_grid[3];
  unsigned block_axes;     // how many of them the user wrote; 0: none
  unsigned grid_axes;      // ... of the grid, or of all work-items
  Extent dynamic_shared;   // bytes of extern __shared__
  Extent cluster[3];       // blocks; for gpuverify barriers
  Vec(Argument) arguments; // by position; shorter than the parameters: free
  HostFacts facts;         // about sizes and arguments that are free
  bool is_seen;            // the host's code has it, ...
  bool is_joined;          // ... or several, and what differs is free here
  Loc where;               // the <<<>>> it was read from; line 0: options
} Launch;

// --kernel-args=NAME,v1,v2.. and --kernel-arrays=NAME,s1,s2..
typedef struct KernelValues {
  const char *kernel;
  Vec(Argument) values;
} KernelValues;

// ----------------------------------------------------------------- memory ---

typedef enum Space {
  SPACE_GLOBAL,   // seen by all threads of the grid
  SPACE_SHARED,   // by those of one block (__local)
  SPACE_CONSTANT, // read only
  SPACE_PRIVATE,  // one thread
} Space;

typedef enum FieldKind { FIELD_INTEGER, FIELD_FLOAT, FIELD_POINTER } FieldKind;

// A scalar in an argument that is a struct.
typedef struct Field {
  const char *name; // in the struct: "size.x", "at[2]"; of a scalar ""
  uint64_t offset;
  unsigned bytes;
  FieldKind kind;
  bool is_unsigned;
  bool is_signed;         // as int is; neither: its type does not tell
  bool is_enum;           // whose sign is not told
  FieldKind element_kind; // POINTER: of what it points to, if that is made of
  unsigned element_bytes; // one type of scalars; else 0 bytes
  bool element_is_unsigned;
} Field;

typedef Vec(Field) Fields;

typedef enum AccessKind { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC } AccessKind;

typedef enum Scope {
  SCOPE_THREAD,
  SCOPE_WARP,
  SCOPE_BLOCK,
  SCOPE_CLUSTER,
  SCOPE_GRID,
  SCOPE_SYSTEM
} Scope;

// -------------------------------------------------------------- module.c ---

// The kernels of a module, in the order of their definition.
typedef struct KernelEntry {
  struct LLVMOpaqueValue *function;
  const char *name;   // linkage name
  const char *source; // as written, with template arguments: "scan<4>"
  Loc loc;
  const char *proved; // launches that it was proved for, as its module says
                      // (runtime/values/proved.c), or NULL
} KernelEntry;
typedef Vec(KernelEntry) KernelEntries;
#define LLVM_PROVED "gpuverify-proved" // the attribute that says so

// Where the body of a function stands.
typedef struct FunctionSpan {
  const char *name; // as written
  const char *file;
  unsigned first, last; // lines
} FunctionSpan;
typedef Vec(FunctionSpan) FunctionSpans;

// Was a #line in what it was compiled of, which then tells of other places than
// there are?  Of modules that clang made elsewhere nobody knows.
bool llvm_has_line_directives(struct LLVMOpaqueModule *module);

// Of all that have a body and say where.  Before llvm_prepare, which inlines.
void llvm_function_spans(Task *task, struct LLVMOpaqueModule *module,
                         FunctionSpans *spans);

// Before llvm_prepare: a function of this name becomes a kernel, so that it is
// kept as one.
void llvm_make_kernel(Task *task, struct LLVMOpaqueModule *module,
                      const char *name);

// Before llvm_prepare: cooperative_groups' barrier of the grid is one call.
void llvm_name_grid_barrier(struct LLVMOpaqueModule *module);

// Inlines, promotes variables to SSA and normalises loops, in place.  Needs
// un-optimised IR with debug locations; SOUNDNESS.md says why each pass that
// runs keeps every access.  False: *reason says what is wrong with the IR.
bool llvm_prepare(Task *task, struct LLVMOpaqueModule *module,
                  const char **reason);
// For the proof, behind llvm_prepare.  A recursive function is inlined as often
// as constants say, and a call through a pointer becomes calls of the functions
// that it may be.  The pointer is asked which one it is; what is left of the
// call is where it is none of them.  False: *reason says why.
bool llvm_follow_calls(Task *task, struct LLVMOpaqueModule *module,
                       const char **reason);
void llvm_find_kernels(Task *task, struct LLVMOpaqueModule *module,
                       KernelEntries *kernels);
// Reads .ll or .bc.  NULL: *reason says why, with line where there is one.
struct LLVMOpaqueModule *llvm_read_file(Task *task, const char *file,
                                        const char **reason);
// Where headers put variables that are the host's, too.
#define MANAGED_SECTION "gpuverify_managed"
bool llvm_is_managed(struct LLVMOpaqueValue *global);
// Bitcode behind a header, which says whether there are such variables.  False:
// errno says why.
enum { HAS_MANAGED = 1 };
bool llvm_write_file(struct LLVMOpaqueModule *module, const char *file);
void llvm_free_module(struct LLVMOpaqueModule *module);
// In the same context; given back by llvm_drop_copy.
struct LLVMOpaqueModule *llvm_copy_module(struct LLVMOpaqueModule *module);
void llvm_drop_copy(struct LLVMOpaqueModule *copy);

// ------------------------------------------------------- assembly_text.c ---

// Of a call of inline assembly: its text with the numbers that "n" and "i"
// stand for; registers are $0, $1, ..  NULL: it has what cannot be printed so.
const char *llvm_assembly_text(Arena *arena, struct LLVMOpaqueValue *call);

// -------------------------------------------------------------- to_ptx.c ---

// The module, which is changed, as PTX text.  NULL: *reason says why.
const char *llvm_to_ptx(Task *task, struct LLVMOpaqueModule *module,
                        const char **reason);
// The module as it is, in PTX of this version (80 for 8.0), for a device whose
// threads go on independently; the second optimises it before.  NULL: *reason
// says why.
const char *llvm_print_ptx(Task *task, struct LLVMOpaqueModule *module,
                           unsigned version, const char **reason);
const char *llvm_print_fast_ptx(Task *task, struct LLVMOpaqueModule *module,
                                unsigned version, const char **reason);
// The kernel alone; its module stays as it is.
const char *llvm_kernel_to_ptx(Task *task, const KernelEntry *entry,
                               const char **reason);

// -------------------------------------------------------------- amdgcn.c ---

// Is it for a device of AMD?
bool llvm_is_amdgcn(struct LLVMOpaqueModule *module);

// ----------------------------------------------------------- arguments.c ---

// Gives the kernel's scalar arguments, in their order, the values of
// --kernel-args; launch->arguments goes by position and has the others, too.
// False: *reason says that their number is not the kernel's.
bool llvm_give_arguments(Task *task, const KernelEntry *entry,
                         const KernelValues *values, Launch *launch,
                         const char **reason);
// Are there as many sizes in --kernel-arrays as pointer arguments?
bool llvm_check_arrays(Task *task, const KernelEntry *entry,
                       const KernelValues *sizes, const char **reason);

#endif
