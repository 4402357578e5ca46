// Inline assembly as data.
//
// The text of an asm statement as LLVM keeps it: instructions of PTX on the
// operands $0, $1, .. and on registers that it declares itself.

#ifndef PTX_ASSEMBLY_H
#define PTX_ASSEMBLY_H

#include "base/base.h"
#include "ptx/constant.h"

typedef enum AsmOperandKind {
  ASM_REGISTER,
  ASM_NAME,    // of a special register, %tid.x, or a label
  ASM_NUMBER,  // a constant expression
  ASM_LIST,    // {a, b}
  ASM_ADDRESS, // [a + 4]
  ASM_NOTHING, // _
} AsmOperandKind;

typedef struct AsmOperand {
  AsmOperandKind kind;
  bool is_negated; // !p
  size_t reg;      // ASM_REGISTER, ASM_ADDRESS: in Assembly.registers
  const char *name;
  PtxConstant number;
  int64_t offset;           // ASM_ADDRESS
  struct AsmOperand *items; // ASM_LIST
  size_t count;
} AsmOperand;

enum { ASM_NO_REGISTER = SIZE_MAX };

// A label, or an instruction.
typedef struct AsmStatement {
  const char *label; // or NULL
  size_t guard;      // a register, or ASM_NO_REGISTER
  bool is_guard_negated;
  const char *opcode;      // "add"
  Vec(const char *) parts; // "cc", "u32"
  Vec(AsmOperand) operands;
} AsmStatement;

typedef struct AsmRegister {
  const char *type; // "u32"; NULL: an operand of the statement
} AsmRegister;

typedef struct Assembly {
  Vec(AsmRegister) registers; // the operands first
  Vec(AsmStatement) statements;
} Assembly;

// NULL: it is no PTX that we can read.
Assembly *assembly_read(Task *task, const char *text, size_t operands);

bool asm_has(const AsmStatement *statement, const char *part);

#endif
