// LLVM IR of what inline assembly does, for proofs and executions.
//
// Each text becomes one function, whose registers are variables;
// instructions.def says which instructions are emitted here.  Where an address
// points to, and what is copied asynchronously, is for the caller.

#ifndef PTX_EMIT_H
#define PTX_EMIT_H

#include "ptx/assembly.h"

#include <llvm-c/Core.h>

// A register of the text.
typedef struct Slot {
  LLVMValueRef at; // an alloca
  unsigned bits;
  LLVMValueRef pointer; // that it is all the time, or NULL
} Slot;

typedef struct Emitter Emitter;
typedef void EmitWhole(Emitter *a, const AsmInstruction *instruction);
// Where an operand in brackets points to.
typedef LLVMValueRef EmitPointer(Emitter *a, const AsmInstruction *instruction,
                                 const Operand *operand);

struct Emitter {
  // The caller's.
  Task *task;
  LLVMModuleRef module;
  EmitWhole *execute; // all but branches; what it does not know it refuses
  EmitPointer *pointer;
  bool is_executed;  // on this machine, not proved
  bool shares_carry; // some text takes what another has left
  bool is_program;   // it may have textures

  Arena *arena;
  LLVMContextRef context;
  LLVMBuilderRef builder, entry; // the second at the allocas
  LLVMValueRef function;
  const PtxAssembly *text;
  const AsmInstruction *instruction; // the one that is being executed
  Slot *slots;                       // by register
  LLVMBasicBlockRef *blocks; // by position in the code: where a branch leads
  LLVMValueRef carry;  // an alloca; NULL before the first statement with one
  bool has_carry;      // this text has set it
  bool is_volatile;    // it is executed where it stands
  bool may_move;       // .. is not, and it does not clobber memory, either
  const char *problem; // what of it is not known, once something is not
};

// A function that does what the assembly does that is called, whose text
// llvm_assembly_text gave; NULL: a->problem says what is not known.
LLVMValueRef asm_emit(Emitter *a, LLVMValueRef call, const char *text);
// It goes on, with values that nobody will use.
void asm_refuse(Emitter *a, const char *what);
void asm_refuse_operand(Emitter *a, const Operand *operand);

// --------------------------------------------------------- emit_values.c ---

LLVMTypeRef asm_int(const Emitter *a, unsigned bits);
LLVMValueRef asm_const(const Emitter *a, unsigned bits, uint64_t value);
// To so many bits, by the sign if there is one.
LLVMValueRef asm_resize(const Emitter *a, LLVMValueRef value, unsigned bits,
                        bool is_signed);
void asm_declare(Emitter *a, size_t reg, unsigned bits);
// The bits of a register, or 0.
unsigned asm_register_bits(const Emitter *a, const Operand *operand);
LLVMValueRef asm_load_register(Emitter *a, size_t reg);
void asm_store_register(Emitter *a, size_t reg, LLVMValueRef value,
                        bool is_signed);
// An operand as an integer of so many bits.
LLVMValueRef asm_bits(Emitter *a, const Operand *operand, unsigned bits);
// The same of an operand of a type: all its lanes.
LLVMValueRef asm_bits_as(Emitter *a, const Operand *operand, AsmType type);
void asm_put_bits(Emitter *a, const Operand *operand, LLVMValueRef value,
                  bool is_signed);
// Bits as what one computes with, and back: floats of 16 bits are doubles,
// whose last rounding is the only one.
LLVMValueRef asm_value_of(Emitter *a, LLVMValueRef bits, AsmType type);
LLVMValueRef asm_bits_of(Emitter *a, LLVMValueRef value, AsmType type);
LLVMValueRef asm_get(Emitter *a, const Operand *operand, AsmType type);
void asm_put(Emitter *a, const Operand *operand, AsmType type,
             LLVMValueRef value);
LLVMValueRef asm_choose(const Emitter *a, LLVMValueRef condition,
                        LLVMValueRef yes, LLVMValueRef no);
// The nearest number that has so many bits, with a sign or without.
LLVMValueRef asm_clamp(const Emitter *a, LLVMValueRef value, unsigned bits,
                       bool is_signed);
// The bits of a number, of a float without what .ftz makes zero of.
LLVMValueRef asm_flushed(const Emitter *a, const AsmInstruction *instruction,
                         AsmType type, LLVMValueRef bits);
// "rn", "rz", "rm" or "rp", also of "rni", or NULL.
const char *asm_rounding(const AsmInstruction *instruction);
// A float into [0, 1] with .sat, of NaN 0; with .relu nothing below 0.
LLVMValueRef asm_saturated(const Emitter *a, const AsmInstruction *instruction,
                           AsmType type, LLVMValueRef value);
// What is computed, as bits, flushed.  All NaNs that a float operation gives
// are the same; of double it is the host's, as on the device.
LLVMValueRef asm_result(Emitter *a, const AsmInstruction *instruction,
                        AsmType type, LLVMValueRef value);
// A function by its name in builtins.def.
LLVMValueRef asm_call(Emitter *a, const char *name, LLVMTypeRef result,
                      LLVMValueRef *arguments, unsigned count);

// -------------------------------------------------------- emit_compute.c ---

// False: instructions.def has no row of it for whom the IR is made.
bool asm_execute(Emitter *a, const AsmInstruction *instruction);
// A lane of an operand of its type, as what one computes with.
LLVMValueRef asm_lane(Emitter *a, const AsmInstruction *instruction,
                      unsigned operand, unsigned lane);

#define WHOLE_OP(form, sources, function) EmitWhole asm_emit_##function;
#define OP(form, fewest, most, function, who) EmitWhole asm_emit_##function;
#include "ptx/instructions.def"

// --------------------------------------------------------- emit_memory.c ---

// The address spaces of NVPTX.
enum {
  ASM_GENERIC = 0,
  ASM_GLOBAL = 1,
  ASM_SHARED = 3,
  ASM_CONSTANT = 4,
  ASM_LOCAL = 5
};

// A pointer to the space that the instruction names.
LLVMTypeRef asm_pointer_type(const Emitter *a, const AsmInstruction *i);
// Of a load, store or atomic: assembly gave it its order.
bool asm_says_order(LLVMValueRef instruction);

// -------------------------------------------------------- emit_compare.c ---

// Are two numbers of the type as the instruction asks, "lt" or "neu"?
LLVMValueRef asm_related(Emitter *a, const AsmInstruction *instruction,
                         AsmType type, LLVMValueRef x, LLVMValueRef y);

#endif
