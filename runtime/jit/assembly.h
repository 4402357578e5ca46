// What the files that make IR of inline assembly share.
//
// PTX between quotes becomes a function of LLVM IR, one a text, which is
// inlined where the assembly was.  Then nothing behind it knows that there was
// any: its loads, stores and atomics are sites like all others.

#ifndef RUNTIME_JIT_ASSEMBLY_H
#define RUNTIME_JIT_ASSEMBLY_H

#include "ptx/assembly.h"
#include "runtime/jit/jit.h"

// ------------------------------------------------------ assembly_forms.c ---

// Has it the words of the form, and no others?
bool ptx_matches(const AsmInstruction *instruction, const char *form);
// Is there a form that it is of?
bool ptx_is_known(const AsmInstruction *instruction);

// ------------------------------------------------------------ assembly.c ---

// A register of the text.
typedef struct Slot {
  LLVMValueRef at; // an alloca
  unsigned bits;
} Slot;

typedef struct Assembly {
  Task *task;
  Arena *arena;
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder, entry; // the second at the allocas
  LLVMValueRef function;
  const PtxAssembly *text;
  const AsmInstruction *instruction; // the one that is being executed
  Slot *slots;                       // by register
  LLVMBasicBlockRef *blocks; // by position in the code: where a branch leads
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
void assembly_refuse_operand(Assembly *a, const Operand *operand);

// ----------------------------------------------------- assembly_values.c ---

LLVMTypeRef assembly_int(const Assembly *a, unsigned bits);
LLVMValueRef assembly_number(const Assembly *a, unsigned bits, uint64_t value);
// To so many bits, by the sign if there is one.
LLVMValueRef assembly_resize(const Assembly *a, LLVMValueRef value,
                             unsigned bits, bool is_signed);
void assembly_declare(Assembly *a, size_t reg, unsigned bits);
// The bits of a register, or 0.
unsigned assembly_register_bits(const Assembly *a, const Operand *operand);
LLVMValueRef assembly_load(Assembly *a, size_t reg);
void assembly_store(Assembly *a, size_t reg, LLVMValueRef value,
                    bool is_signed);
// An operand as an integer of so many bits.
LLVMValueRef assembly_bits(Assembly *a, const Operand *operand, unsigned bits);
// The same of an operand of a type: all its lanes.
LLVMValueRef assembly_bits_as(Assembly *a, const Operand *operand,
                              AsmType type);
void assembly_put_bits(Assembly *a, const Operand *operand, LLVMValueRef value,
                       bool is_signed);
// Bits as what one computes with, and back: floats of 16 bits are doubles,
// whose last rounding is the only one.
LLVMValueRef assembly_value_of(Assembly *a, LLVMValueRef bits, AsmType type);
LLVMValueRef assembly_bits_of(Assembly *a, LLVMValueRef value, AsmType type);
LLVMValueRef assembly_get(Assembly *a, const Operand *operand, AsmType type);
void assembly_put(Assembly *a, const Operand *operand, AsmType type,
                  LLVMValueRef value);
LLVMValueRef assembly_choose(const Assembly *a, LLVMValueRef condition,
                             LLVMValueRef yes, LLVMValueRef no);
// The nearest number that has so many bits, with a sign or without.
LLVMValueRef assembly_clamp(const Assembly *a, LLVMValueRef value,
                            unsigned bits, bool is_signed);
// A float's bits without what .ftz makes zero of.
LLVMValueRef assembly_flush(const Assembly *a, LLVMValueRef bits, AsmType type);
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
bool assembly_compute(Assembly *a, const AsmInstruction *instruction);
bool assembly_rearrange(Assembly *a, const AsmInstruction *instruction);
bool assembly_video(Assembly *a, const AsmInstruction *instruction);
bool assembly_convert(Assembly *a, const AsmInstruction *instruction);
bool assembly_access(Assembly *a, const AsmInstruction *instruction);
bool assembly_arrival(Assembly *a, const AsmInstruction *instruction);
bool assembly_order(Assembly *a, const AsmInstruction *instruction);
bool assembly_texture(Assembly *a, const AsmInstruction *instruction);
bool assembly_tensor(Assembly *a, const AsmInstruction *instruction);

// Of an operand "[a+4]", for as many bytes; i64.
LLVMValueRef assembly_address(Assembly *a, const Operand *operand);

#endif
