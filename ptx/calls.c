// Calls: their parts, and what functions of a library do.

#include "ptx/syntax.h"

#include <string.h>

// What libdevice computes is data, unless it is written through a pointer.
static bool is_of_libdevice(const PtxFunction *function) {
  static const char *const writing[] = {"sincos", "modf", "frexp", "remquo"};
  if (strncmp(function->name, "__nv_", 5) != 0 || function->has_body)
    return false;
  for (size_t i = 0; i < sizeof writing / sizeof *writing; i++)
    if (strstr(function->name, writing[i]))
      return false;
  return true;
}

OpcodeKind library_function(const PtxFunction *function) {
  static const struct {
    const char *name;
    OpcodeKind kind;
  } rows[] = {
#define FUNCTION(name, kind) {name, OPCODE_##kind},
#include "ptx/opcodes.def"
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].name, function->name))
      return rows[i].kind;
  return is_of_libdevice(function) ? OPCODE_UNKNOWN : OPCODE_CALL;
}

CallParts call_parts(const PtxInstruction *call) {
  CallParts parts = {0};
  unsigned i = 0;
  if (call->count && call->operands[0].kind == OPERAND_LIST)
    parts.results = &call->operands[i++];
  if (i < call->count && call->operands[i].kind == OPERAND_FUNCTION)
    parts.function = call->operands[i].function;
  i++;
  if (i < call->count && call->operands[i].kind == OPERAND_LIST)
    parts.arguments = &call->operands[i];
  return parts;
}
