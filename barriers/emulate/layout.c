// Where variables are while we emulate.
//
// Shared variables are laid out one behind the other from address 0; arrays of
// unknown size begin at one place behind them.  A generic address of shared
// memory lies in a window of its own, every other variable above it.  This is
// for us alone: PTX does not say where they are, so what is computed from an
// address counts from an anchor (anchor.c).

#include "barriers/emulate/emulate.h"

static uint64_t round_up(uint64_t number, uint64_t align) {
  return (number + align - 1) / align * align;
}

// Of all blocks.
size_t memory_bytes(const Emulation *emulation) {
  return (size_t)emulation->programs->blocks * MOST_SHARED_BYTES;
}

static void check_shared_size(Emulation *emulation, const PtxVariable *variable,
                              uint64_t bytes) {
  if (bytes > MOST_SHARED_BYTES)
    unsupported(emulation->task, variable->loc,
                "more than %d bytes of shared memory", MOST_SHARED_BYTES);
}

static void note_variables(Emulation *emulation, const Operand *operand) {
  for (unsigned i = 0; i < operand_count(operand); i++)
    if (operand_item(operand, i)->kind == OPERAND_VARIABLE)
      emulation->is_used[operand_item(operand, i)->variable->number] = true;
}

// Variables that neither the kernel nor what it calls names take no place.
static void find_used(Emulation *emulation) {
  const Ptx *ptx = emulation->kernel->ptx;
  emulation->is_used =
      arena_alloc(&emulation->task->arena, ptx->variables.count + 1);
  for (size_t f = 0; f < ptx->functions.count; f++) {
    const PtxFunction *function = ptx->functions.at[f];
    for (size_t i = 0; emulation->slice.codes[f] && i < function->code.count;
         i++)
      for (unsigned k = 0; k < function->code.at[i]->count; k++)
        note_variables(emulation, &function->code.at[i]->operands[k]);
  }
}

static bool is_shared(const Emulation *emulation, const PtxVariable *variable,
                      bool is_open) {
  return variable->space == SPACE_SHARED &&
         emulation->is_used[variable->number] &&
         (variable->bytes == 0) == is_open;
}

static void place_shared(Emulation *emulation, const PtxVariable *variable,
                         uint64_t address) {
  emulation->address_of[variable->number] = address;
  push(emulation->arena, &emulation->programs->symbols,
       ((SharedVariable){variable->name, (uint32_t)address,
                         (uint32_t)variable->bytes}));
  check_shared_size(emulation, variable, address + variable->bytes);
}

static void lay_out_static(Emulation *emulation) {
  const Ptx *ptx = emulation->kernel->ptx;
  uint64_t end = 0;
  for (size_t i = 0; i < ptx->variables.count; i++) {
    const PtxVariable *variable = ptx->variables.at[i];
    if (!is_shared(emulation, variable, false))
      continue;
    check_shared_size(emulation, variable, variable->bytes);
    end = round_up(end, variable->align);
    place_shared(emulation, variable, end);
    end += variable->bytes;
  }
  emulation->shared_bytes = (uint32_t)end;
}

// All at one place, which is a multiple of what each of them asks for.
static void lay_out_dynamic(Emulation *emulation) {
  const Ptx *ptx = emulation->kernel->ptx;
  for (size_t i = 0; i < ptx->variables.count; i++) {
    const PtxVariable *variable = ptx->variables.at[i], *first;
    if (!is_shared(emulation, variable, true))
      continue;
    first = emulation->dynamic;
    if (!first || variable->align > first->align)
      emulation->dynamic = variable;
  }
  if (!emulation->dynamic)
    return;
  uint64_t address =
      round_up(emulation->shared_bytes, emulation->dynamic->align);
  for (size_t i = 0; i < ptx->variables.count; i++)
    if (is_shared(emulation, ptx->variables.at[i], true))
      place_shared(emulation, ptx->variables.at[i], address);
  emulation->shared_bytes = MOST_SHARED_BYTES;
}

// What the addresses of variables count from.
static void lay_anchors(Emulation *emulation) {
  const Ptx *ptx = emulation->kernel->ptx;
  emulation->anchors_at =
      arena_alloc(&emulation->task->arena,
                  (ptx->variables.count + 1) * sizeof *emulation->anchors_at);
  for (size_t i = 0; i < ptx->variables.count; i++) {
    const PtxVariable *variable = ptx->variables.at[i];
    if (variable->space == SPACE_SHARED && !variable->bytes &&
        emulation->dynamic)
      variable = emulation->dynamic;
    for (unsigned lane = 0; lane < WARP; lane++)
      emulation->anchors_at[i][lane] =
          anchor_make((Anchored){.variable = variable});
  }
}

static bool makes_shared_pointer(const PtxInstruction *instruction) {
  if (!instruction->opcode)
    return false;
  return (instruction->opcode->kind == OPCODE_ADDRESS && !instruction->is_to &&
          instruction->space == SPACE_SHARED) ||
         (instruction->opcode->kind == OPCODE_MAP &&
          instruction->space != SPACE_SHARED);
}

// To shared memory, atomically or at least as one with an order.
static bool is_strong_update(const PtxInstruction *instruction) {
  return instruction->opcode && is_shared_access(instruction) &&
         (instruction->opcode->kind == OPCODE_ATOMIC ||
          (instruction->opcode->kind == OPCODE_STORE &&
           instruction->order != CHOICE_NONE));
}

void memory_lay_out(Emulation *emulation) {
  const Ptx *ptx = emulation->kernel->ptx;
  emulation->address_of =
      arena_alloc(&emulation->task->arena,
                  (ptx->variables.count + 1) * sizeof *emulation->address_of);
  emulation->has_shared_pointers =
      find_instruction(emulation, makes_shared_pointer) != NULL;
  emulation->has_strong_updates =
      find_instruction(emulation, is_strong_update) != NULL;
  emulation->has_fences = find_instruction(emulation, is_memory_fence) != NULL;
  find_used(emulation);
  lay_out_static(emulation);
  lay_out_dynamic(emulation);
  lay_anchors(emulation);
  uint64_t end = OTHER_WINDOW;
  for (size_t i = 0; i < ptx->variables.count; i++) {
    const PtxVariable *variable = ptx->variables.at[i];
    if (variable->space == SPACE_SHARED || !emulation->is_used[i])
      continue;
    // A parameter whose address is taken is in local memory.
    emulation->has_local |= variable->space == SPACE_LOCAL ||
                            (variable->space == SPACE_PARAM &&
                             !is_argument(emulation->kernel, variable));
    emulation->address_of[i] = round_up(end, variable->align);
    end = emulation->address_of[i] + variable->bytes + 1;
    if (end >> OTHER_WINDOW_BITS != OTHER_WINDOW >> OTHER_WINDOW_BITS)
      unsupported(emulation->task, variable->loc, "too many large variables");
    if (is_table(variable) || is_argument(emulation->kernel, variable))
      push(&emulation->task->arena, &emulation->tables, variable);
  }
  if (!emulation->slice.keeps_values && !emulation->slice.passes)
    return;
  size_t bytes = memory_bytes(emulation);
  emulation->shared = arena_alloc(&emulation->task->arena, bytes);
  emulation->shared_known = arena_alloc(&emulation->task->arena, bytes);
}
