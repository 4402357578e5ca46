// Calls: their parts, and what functions of a library do.

#include "ptx/syntax.h"
#include "llvm/libdevice.h"

#include <string.h>

static bool is_of(const PtxVariable *variable, char letter) {
  uint64_t bytes = letter == 'h' ? 2 : strchr("if", letter) ? 4 : 8;
  bool is_float = strchr("fd", letter) != NULL;
  return variable->is_float <= is_float &&
         (variable->bytes == bytes || (letter == 'h' && variable->bytes == 4));
}

// A function of values, declared as libdevice has it: what it computes is data.
// LLVM passes what is shorter than a word as one, and floats as bits.
static bool is_of_libdevice(const PtxFunction *function) {
  const LibraryFunction *known = library_find(function->name);
  if (!known || function->has_body || library_touches_memory(known) ||
      function->params.count != strlen(known->types) - 1 ||
      function->results.count != 1 ||
      !is_of(function->results.at[0], known->types[0]))
    return false;
  for (size_t i = 0; i < function->params.count; i++)
    if (!is_of(function->params.at[i], known->types[1 + i]))
      return false;
  return true;
}

OpcodeKind library_function(const PtxFunction *function) {
  static const struct {
    const char *name;
    OpcodeKind kind;
  } rows[] = {
#define FUNCTION(name, kind) {name, OPCODE_##kind},
#include "ptx/vocabulary.def"
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
