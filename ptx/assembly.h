// Inline assembly as data.
//
// The text of an asm statement as LLVM keeps it: instructions of PTX on the
// operands $0, $1, .. and on registers that it declares itself.  The parser is
// that of PTX files; here are its instructions as those want them who make LLVM
// IR: word by word.

#ifndef PTX_ASSEMBLY_H
#define PTX_ASSEMBLY_H

#include "base/base.h"
#include "ptx/operand.h"

// kind is b, u, s, f, e (bf16) or p (a predicate).
typedef struct AsmType {
  char kind;
  unsigned bits;  // of a lane
  unsigned lanes; // 1, or 2 of 16 bits; 0: no type
} AsmType;

enum { ASM_WORDS = 12 };

typedef struct AsmInstruction {
  const char *text;               // for messages
  const struct PtxOpcode *opcode; // NULL: in no table
  const char *words[ASM_WORDS];   // "ld", "shared::cta", "v2", "f32"
  unsigned word_count;
  AsmType type;   // the last word that is one, else without lanes
  AsmType to;     // the one before it: of cvt.s32.f32; else the same
  uint32_t guard; // a register, or NO_REGISTER
  bool is_guard_negated;
  const Operand *operands;
  unsigned operand_count;
  const Operand *other; // q of p|q, or of the kind NONE
} AsmInstruction;

typedef struct PtxAssembly {
  const char *problem; // what of it cannot be read, or NULL
  // By the index of an operand; 1: a predicate; 0: one of the statement, which
  // come first.
  unsigned *register_bits;
  size_t register_count;
  Vec(AsmInstruction) code;
  bool *is_target; // by position in the code, and of its end: a branch's
} PtxAssembly;

const PtxAssembly *ptx_assembly(Task *task, const char *text,
                                unsigned operands);

// False: it is the name of no type.
bool asm_type(const char *word, AsmType *type);
bool asm_is_float(AsmType type);
bool asm_is(const AsmInstruction *instruction, const char *opcode);
bool asm_has(const AsmInstruction *instruction, const char *word);
bool asm_branches(const AsmInstruction *instruction);
// A register, and neither an address nor more than its name.
bool asm_is_register(const Operand *operand);
// The number that an operand of this type is; false: it is none.
bool asm_number(const Operand *operand, AsmType type, uint64_t *image);
// Has it the words of the form, and no others?
bool asm_matches(const AsmInstruction *instruction, const char *form);
// Is there a row of instructions.def that it is of?
bool asm_is_known(const AsmInstruction *instruction);
// Does it nothing but write registers, and waits for nobody?
bool asm_is_silent(const AsmInstruction *instruction);
// Is it about registers alone, those of other lanes among them?
bool asm_is_of_registers(const AsmInstruction *instruction);
// Does it load words or vectors, alone?
bool asm_is_load(const AsmInstruction *instruction);
// Is it of what only the check of named barriers can judge?
bool asm_is_for_barriers(const AsmInstruction *instruction);
// As it stands in the text, which of p|q has both.
const char *asm_operand_text(Arena *arena, const AsmInstruction *instruction,
                             const Operand *operand);

#endif
