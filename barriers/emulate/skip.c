// Branches that decide about data alone.
//
// Where symbols are followed, more is executed than what accesses and barriers
// depend on.  A branch that only the rest depends on, and that is not known, is
// no reason to give up: as without symbols, it goes to its post-dominator, and
// each register that is written on the ways there has some value in each lane,
// of which nothing else is known.

#include "barriers/emulate/emulate.h"

#include <assert.h>

typedef struct Region {
  Emulation *emulation;
  const Frame *frame;
  uint32_t lanes;
  bool is_open;  // what decides was not followed, and others may know it
  bool *is_seen; // by block
  Indices blocks;
} Region;

static void add_block(Region *region, uint32_t block) {
  if (region->is_seen[block])
    return;
  region->is_seen[block] = true;
  push(&region->emulation->task->arena, &region->blocks, block);
}

static void forget(const Region *region, uint32_t reg) {
  Operand operand = {.kind = OPERAND_REGISTER, .index = reg};
  if (!is_wanted(region->frame, &operand))
    return;
  WarpValue *slot = &region->frame->slots[region->frame->code->slot[reg]];
  WarpValue unknown = value_unknown(slot->bits, slot->cause);
  unknown.symbols = region->is_open ? symbols_open(region->emulation)
                                    : symbols_apart(region->emulation);
  value_write(&region->emulation->task->arena, slot, &unknown, region->lanes,
              UINT32_MAX);
}

static void forget_block(const Region *region, const FlowNode *block) {
  const PtxFunction *function = region->frame->code->function;
  for (uint32_t i = block->first; i < block->end; i++) {
    const PtxInstruction *instruction = function->code.at[i];
    for (unsigned k = 0; k < instruction->write_count; k++)
      forget(region, instruction->writes[k]);
  }
}

static bool is_open(const LaneGroup *group, uint32_t reg) {
  const Frame *frame = group->frame;
  if (reg == NO_REGISTER || frame->code->slot[reg] == NO_REGISTER)
    return false;
  const WarpValue *value = &frame->slots[frame->code->slot[reg]];
  uint32_t rest = value->symbols ? group->lanes & ~value->known : 0;
  for (; rest; rest &= rest - 1)
    if (symbol_is_open(value->symbols[__builtin_ctz(rest)]))
      return true;
  return false;
}

bool skips_branch(Emulation *emulation, const LaneGroup *group) {
  const CodeSlice *code = group->frame->code;
  return emulation->symbols && !code->is_decisive[group->at];
}

uint32_t skip_branch(Emulation *emulation, const LaneGroup *group) {
  const Flow *flow = group->frame->code->flow;
  const PtxInstruction *instruction =
      group->frame->code->function->code.at[group->at];
  const Operand *index = &instruction->operands[0];
  const FlowNode *branch = &flow->blocks[flow->block_of[group->at]];
  Region region = {
      .emulation = emulation, .frame = group->frame, .lanes = group->lanes};
  region.is_open =
      is_open(group, instruction->guard) ||
      (index->kind == OPERAND_REGISTER && is_open(group, index->index));
  region.is_seen = arena_alloc(&emulation->task->arena, flow->count + 1);
  region.is_seen[branch->post_dominator] = true;
  for (size_t i = 0; i < branch->out.count; i++)
    add_block(&region, branch->out.at[i]);
  for (size_t i = 0; i < region.blocks.count; i++) {
    const FlowNode *block = &flow->blocks[region.blocks.at[i]];
    forget_block(&region, block);
    for (size_t k = 0; k < block->out.count; k++)
      add_block(&region, block->out.at[k]);
  }
  return flow->blocks[branch->post_dominator].first;
}
