// Numbers of PTX: literals and constant expressions.

#ifndef PTX_CONSTANT_H
#define PTX_CONSTANT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum PtxConstantKind {
  PTX_CONSTANT_SIGNED,
  PTX_CONSTANT_UNSIGNED,
  PTX_CONSTANT_DOUBLE,
  PTX_CONSTANT_SINGLE, // 0f3f800000, which is no part of an expression
} PtxConstantKind;

typedef struct PtxConstant {
  PtxConstantKind kind;
  uint64_t bits; // of an integer or a float
} PtxConstant;

// 1e3 or 1.5 as a double; *text is then behind it.  False: it is none.
bool ptx_decimal_at(const char **text, uint64_t *bits);
// Could a constant begin with that?
bool ptx_starts_constant(const char *text);
// A constant expression; *text is then behind it.  False: it is none, or one
// whose value PTX leaves open.
bool ptx_constant_at(const char **text, PtxConstant *constant);
// As an operand of an instruction: kind is 's', 'u', 'b', 'f' (a float) or
// 'p'.  False: such an instruction does not take it.
bool ptx_constant_as(const PtxConstant *constant, char kind, unsigned bits,
                     uint64_t *image);

#endif
