// May a kernel write to global memory?
//
// By its text alone: what it calls belongs to it, and whatever could write
// somewhere else than to shared memory, to a thread's own memory and to
// parameters does.  An address without a space is one of global memory for
// that.

#include "ptx/syntax.h"

#include <assert.h>
#include <string.h>

typedef struct Search {
  const Ptx *ptx;
  bool *is_seen; // by function
  Vec(const PtxFunction *) functions;
} Search;

// A body is looked at by itself; without one only printing and mathematics
// write nowhere.
static bool calls_writer(Task *task, Search *search,
                         const PtxInstruction *instruction) {
  const PtxFunction *function = call_parts(instruction).function;
  if (!function)
    return true;
  if (function->has_body) {
    assert(function->number < search->ptx->functions.count);
    if (!search->is_seen[function->number])
      push(&task->arena, &search->functions, function);
    search->is_seen[function->number] = true;
    return false;
  }
  OpcodeKind kind = library_function(function);
  return kind != OPCODE_UNKNOWN && kind != OPCODE_TRAP &&
         strcmp(function->name, "vprintf") != 0;
}

static bool may_write(Task *task, Search *search,
                      const PtxInstruction *instruction) {
  if (!instruction->opcode)
    return true;
  return opcode_facts(instruction->opcode->kind)->global == GLOBAL_BY_CALLEE
             ? calls_writer(task, search, instruction)
             : ptx_writes_global(instruction);
}

bool ptx_kernel_writes_global(Task *task, const PtxKernel *kernel) {
  const Ptx *ptx = kernel->function->ptx;
  Search search = {
      ptx, arena_alloc(&task->arena, ptx->functions.count + 1), {0}};
  search.is_seen[kernel->function->number] = true;
  push(&task->arena, &search.functions, kernel->function);
  for (size_t f = 0; f < search.functions.count; f++) {
    const PtxFunction *function = search.functions.at[f];
    for (size_t i = 0; i < function->code.count; i++)
      if (may_write(task, &search, function->code.at[i]))
        return true;
  }
  return false;
}
