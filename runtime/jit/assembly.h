// What the files that make IR of inline assembly share.
//
// PTX between quotes becomes a function of LLVM IR, one a text, which is
// inlined where the assembly was.  Then nothing behind it knows that there was
// any: its loads, stores and atomics are sites like all others.

#ifndef RUNTIME_JIT_ASSEMBLY_H
#define RUNTIME_JIT_ASSEMBLY_H

#include "runtime/jit/jit.h"

// ------------------------------------------------------- assembly_text.c ---

typedef enum PtxKind {
  PTX_BITS,
  PTX_UNSIGNED,
  PTX_SIGNED,
  PTX_FLOAT,
  PTX_BRAIN, // bf16
  PTX_PREDICATE,
} PtxKind;

typedef struct PtxType {
  PtxKind kind;
  unsigned bits;  // of a lane
  unsigned lanes; // 1, or 2 of 16 bits; 0: no type
} PtxType;

enum { MOST_WORDS = 12, MOST_OPERANDS = 8 };

// "ld.shared.v2.f32 {$0, $1}, [$2+8]": its words and operands.
typedef struct PtxInstruction {
  const char *text;
  const char *words[MOST_WORDS];
  unsigned word_count;
  const char *operands[MOST_OPERANDS];
  unsigned operand_count;
  const char *guard; // "p" of "@p" and "@!p"
  bool is_guard_negated;
  PtxType type; // the last word that is one, else without lanes
  PtxType to;   // the one before it: of "cvt.s32.f32"; else the same
} PtxInstruction;

// The next statement up to its semicolon, or a brace, or a label with its
// colon, without comments; NULL at the end.
const char *ptx_statement(Arena *arena, const char **text);
bool ptx_type(const char *word, PtxType *type);
// False: too many words or operands.
bool ptx_instruction(Arena *arena, const char *statement,
                     PtxInstruction *instruction);
bool ptx_has(const PtxInstruction *instruction, const char *word);
bool ptx_is_float(PtxType type);
// The parts of "{a, b}", or of one that has no braces; at most `most`.
unsigned ptx_parts(Arena *arena, const char *operand, const char **parts,
                   unsigned most);

// ------------------------------------------------------ assembly_forms.c ---

// Has it the words of the form, and no others?
bool ptx_matches(const PtxInstruction *instruction, const char *form);
// Is there a form that it is of?
bool ptx_is_known(const PtxInstruction *instruction);

// ------------------------------------------------------------ assembly.c ---

typedef struct PtxSlot {
  const char *name;
  LLVMValueRef at; // an alloca
  unsigned bits;
} PtxSlot;

typedef struct PtxLabel {
  const char *name;
  LLVMBasicBlockRef block;
} PtxLabel;

typedef struct Assembly {
  Arena *arena;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder, entry; // the second at the allocas
  LLVMValueRef function;
  Vec(PtxSlot) slots;
  Vec(PtxLabel) labels;
  Vec(size_t) scopes;  // how many slots there were at each open brace
  LLVMValueRef carry;  // an alloca; NULL before the first statement with one
  bool has_carry;      // this text has set it
  bool shares_carry;   // some text takes what another has left
  bool is_volatile;    // it is executed where it stands
  bool is_program;     // it may have textures
  const char *problem; // what of it is not known, once something is not
} Assembly;

// Why the assembly of a call is not known, or NULL.
const char *jit_assembly_problem(Task *task, LLVMValueRef call);
// True: the instruction says by itself what it orders.
bool jit_is_of_assembly(LLVMValueRef instruction);
void assembly_mark(const Assembly *a, LLVMValueRef instruction);
// It goes on, with values that nobody will use.
void assembly_refuse(Assembly *a, const char *what);

// ----------------------------------------------------- assembly_values.c ---

LLVMTypeRef assembly_int(const Assembly *a, unsigned bits);
LLVMValueRef assembly_number(const Assembly *a, unsigned bits, uint64_t value);
// To so many bits, by the sign if there is one.
LLVMValueRef assembly_resize(const Assembly *a, LLVMValueRef value,
                             unsigned bits, bool is_signed);
PtxSlot *assembly_slot(Assembly *a, const char *name);
void assembly_declare(Assembly *a, const char *name, unsigned bits);
// An operand as an integer of so many bits.
LLVMValueRef assembly_bits(Assembly *a, const char *operand, unsigned bits);
// The same of an operand of a type: all its lanes.
LLVMValueRef assembly_bits_as(Assembly *a, const char *operand, PtxType type);
void assembly_put_bits(Assembly *a, const char *operand, LLVMValueRef value,
                       bool is_signed);
// Bits as what one computes with, and back: floats of 16 bits are doubles,
// whose last rounding is the only one.
LLVMValueRef assembly_value_of(Assembly *a, LLVMValueRef bits, PtxType type);
LLVMValueRef assembly_bits_of(Assembly *a, LLVMValueRef value, PtxType type);
LLVMValueRef assembly_get(Assembly *a, const char *operand, PtxType type);
void assembly_put(Assembly *a, const char *operand, PtxType type,
                  LLVMValueRef value);
LLVMValueRef assembly_choose(const Assembly *a, LLVMValueRef condition,
                             LLVMValueRef yes, LLVMValueRef no);
// The nearest number that has so many bits, with a sign or without.
LLVMValueRef assembly_clamp(const Assembly *a, LLVMValueRef value,
                            unsigned bits, bool is_signed);
// A float's bits without what .ftz makes zero of.
LLVMValueRef assembly_flush(const Assembly *a, LLVMValueRef bits, PtxType type);
// A function by its name in builtins.def.
LLVMValueRef assembly_call(Assembly *a, const char *name, LLVMTypeRef result,
                           LLVMValueRef *arguments, unsigned count);

// --------------------------------------------------------------- calls.c ---

void jit_change_calls(LLVMModuleRef module);

// ------------------------------------------------------------ children.c ---

// Of a program: kernels that are launched by others go by their names.
void jit_change_launches(LLVMModuleRef module);

// ------------------------------------------------------------ arrivals.c ---

void jit_change_arrivals(LLVMModuleRef module);

// -------------------------------------------------------------- tensor.c ---

void jit_change_tensors(LLVMModuleRef module);

// ------------------------------------------------------- jit_assembly_*.c ---

// False: it is none of these.
bool assembly_compute(Assembly *a, const PtxInstruction *instruction);
bool assembly_rearrange(Assembly *a, const PtxInstruction *instruction);
bool assembly_video(Assembly *a, const PtxInstruction *instruction);
bool assembly_convert(Assembly *a, const PtxInstruction *instruction);
bool assembly_access(Assembly *a, const PtxInstruction *instruction);
bool assembly_arrival(Assembly *a, const PtxInstruction *instruction);
bool assembly_order(Assembly *a, const PtxInstruction *instruction);
bool assembly_texture(Assembly *a, const PtxInstruction *instruction);
bool assembly_tensor(Assembly *a, const PtxInstruction *instruction);

// Of an operand "[a+4]", for as many bytes; i64.
LLVMValueRef assembly_address(Assembly *a, const char *operand);

#endif
