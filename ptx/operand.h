// The operands of an instruction of PTX, as the parser leaves them.

#ifndef PTX_OPERAND_H
#define PTX_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

enum {
  NO_REGISTER = 0x7fffffff,
  PTX_OPERANDS = 8, // of an instruction, at most
};

typedef enum OperandKind {
  OPERAND_NONE,
  OPERAND_REGISTER,
  OPERAND_NUMBER,
  OPERAND_VARIABLE,
  OPERAND_FUNCTION,
  OPERAND_LABEL,
  OPERAND_TARGETS,
  OPERAND_SPECIAL, // %tid.x
  OPERAND_LIST,    // {a, b} and (a, b)
  OPERAND_SINK,    // _
  OPERAND_OTHER,   // an address of more than base and offset, a prototype
} OperandKind;

typedef struct Operand {
  OperandKind kind : 8;
  bool is_negated : 1;               // !%p
  bool is_bracketed : 1;             // [..]; of what is inside
  bool is_single : 1, is_double : 1; // 0f and 0d
  unsigned count : 16;               // of items
  uint32_t index;  // of a register; position of a label; PtxSpecial
  uint64_t number; // a literal, or the offset behind a base
  union {
    const struct PtxVariable *variable; // VARIABLE
    struct PtxFunction *function;       // FUNCTION
    const struct Name *targets;         // TARGETS
    struct Operand *items;              // LIST, or OTHER if `count` is not 0
  };
} Operand;

// A list as its items, anything else as a list of itself.
unsigned operand_count(const Operand *operand);
const Operand *operand_item(const Operand *operand, unsigned index);

const char *ptx_special_text(uint32_t special);

#endif
