// What is known of each kind of opcode: the columns of kinds.def.

#include "ptx/syntax.h"

#include <assert.h>
#include <string.h>

static const OpcodeFacts facts[] = {
#define KIND(name, family, seed, global, both, lanes, silent, pure, result,    \
             needs)                                                            \
  [OPCODE_##name] = {FAMILY_##family, SEED_##seed,     GLOBAL_##global,        \
                     BOTH_##both,     LANES_##lanes,   SILENT_##silent,        \
                     PURE_##pure,     RESULT_##result, NEEDS_##needs},
#include "ptx/kinds.def"
};

const OpcodeFacts *opcode_facts(OpcodeKind kind) {
  assert(kind < sizeof facts / sizeof *facts);
  return &facts[kind];
}

bool is_of_family(const PtxInstruction *instruction, PtxFamily family) {
  return instruction->opcode &&
         opcode_facts(instruction->opcode->kind)->family == family;
}

static bool begins_with(const char *name, const char *begin) {
  return !strncmp(name, begin, strlen(begin));
}

// Of those that do not matter to the execution of a block.
static bool is_surface_or_map(const PtxInstruction *instruction) {
  const char *name = instruction->opcode->name;
  return begins_with(name, "sust") || begins_with(name, "sured") ||
         begins_with(name, "tensormap");
}

bool ptx_writes_global(const PtxInstruction *instruction) {
  if (!instruction->opcode || instruction->strange)
    return true;
  switch (opcode_facts(instruction->opcode->kind)->global) {
  case GLOBAL_NEVER:
    return false;
  case GLOBAL_ALWAYS:
  case GLOBAL_BY_CALLEE:
    return true;
  case GLOBAL_BY_SPACE:
    return instruction->space == SPACE_GENERIC ||
           instruction->space == SPACE_GLOBAL;
  case GLOBAL_BY_NAME:
    return is_surface_or_map(instruction);
  }
  return true;
}
