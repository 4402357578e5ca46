// May a kernel write to global memory?
//
// By its text alone: what it calls belongs to it, and whatever could write
// somewhere else than to shared memory, to a thread's own memory and to
// parameters does.  An address without a space is one of global memory for
// that.

#include "barriers/ptx.h"

#include <string.h>

typedef struct Search {
  const Ptx *ptx;
  bool *is_seen; // by function
  Vec(const PtxFunction *) functions;
} Search;

static bool is_outside(PtxSpace space) {
  return space == SPACE_GENERIC || space == SPACE_GLOBAL;
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

// A body is looked at by itself; without one only printing and mathematics
// write nowhere.
static bool calls_writer(Task *task, Search *search,
                         const PtxInstruction *instruction) {
  const PtxFunction *function = call_parts(instruction).function;
  if (!function)
    return true;
  if (function->has_body) {
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
  switch (instruction->opcode->kind) {
  case OPCODE_STORE:
  case OPCODE_ATOMIC:
  case OPCODE_WMMA_STORE:
    return is_outside(instruction->space);
  case OPCODE_BULK_STORE:
  case OPCODE_TENSOR_STORE:
  case OPCODE_TENSORMAP_COPY:
  case OPCODE_UNMODELLED:
    return true;
  case OPCODE_IGNORED:
    return is_surface_or_map(instruction);
  case OPCODE_CALL:
    return calls_writer(task, search, instruction);
  case OPCODE_INTEGER:
  case OPCODE_UNKNOWN:
  case OPCODE_MOVE:
  case OPCODE_SET_PREDICATE:
  case OPCODE_ADDRESS:
  case OPCODE_IS_SPACE:
  case OPCODE_MAP:
  case OPCODE_BLOCK_RANK:
  case OPCODE_ACTIVE_MASK:
  case OPCODE_LOAD:
  case OPCODE_BRANCH:
  case OPCODE_BRANCH_INDEXED:
  case OPCODE_RETURN:
  case OPCODE_EXIT:
  case OPCODE_TRAP:
  case OPCODE_SYNC:
  case OPCODE_ARRIVE:
  case OPCODE_REDUCE:
  case OPCODE_WARP_SYNC:
  case OPCODE_SHUFFLE:
  case OPCODE_VOTE:
  case OPCODE_MATCH:
  case OPCODE_WARP_REDUCE:
  case OPCODE_ELECT:
  case OPCODE_REGISTERS:
  case OPCODE_CLUSTER_ARRIVE:
  case OPCODE_CLUSTER_WAIT:
  case OPCODE_MATRIX_LOAD:
  case OPCODE_MATRIX_STORE:
  case OPCODE_WMMA_LOAD:
  case OPCODE_WGMMA:
  case OPCODE_WGMMA_COMMIT:
  case OPCODE_WGMMA_WAIT:
  case OPCODE_MBARRIER_INIT:
  case OPCODE_MBARRIER_INVAL:
  case OPCODE_MBARRIER_EXPECT:
  case OPCODE_MBARRIER_COMPLETE:
  case OPCODE_MBARRIER_ARRIVE:
  case OPCODE_MBARRIER_ARRIVE_EXPECT:
  case OPCODE_MBARRIER_DROP:
  case OPCODE_MBARRIER_DROP_EXPECT:
  case OPCODE_MBARRIER_WAIT:
  case OPCODE_MBARRIER_WAIT_PARITY:
  case OPCODE_COPY:
  case OPCODE_COPY_COMMIT:
  case OPCODE_COPY_WAIT:
  case OPCODE_COPY_WAIT_ALL:
  case OPCODE_COPY_ARRIVE:
  case OPCODE_COPY_ARRIVE_NOINC:
  case OPCODE_BULK_LOAD:
  case OPCODE_BULK_LOCAL:
  case OPCODE_TENSOR_LOAD:
  case OPCODE_BULK_COMMIT:
  case OPCODE_BULK_WAIT:
  case OPCODE_ASYNC_STORE:
  case OPCODE_ASYNC_REDUCE:
  case OPCODE_PROXY_FENCE:
  case OPCODE_TENSORMAP_REPLACE:
  case OPCODE_INIT_FENCE:
    return false;
  }
  return true;
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
