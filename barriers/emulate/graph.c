// The control flow of a function: blocks, post-dominators, and which branches
// decide whether a block is executed.
//
// A block is control dependent on a branch if one way out of the branch cannot
// miss it and another can (Ferrante, Ottenstein, Warren: "The Program
// Dependence Graph and Its Use in Optimization", 1987).  No thread traps
// (SOUND(no-trap)): the edge to a block that can only end in a trap or a failed
// assertion is not there; a launch that takes it has failed.

#include "barriers/emulate/emulate.h"

#include <assert.h>

enum { MOST_DEPENDENCES = 1 << 24 };

static bool traps(const PtxInstruction *instruction) {
  if (!instruction->opcode)
    return false;
  if (instruction->opcode->kind == OPCODE_TRAP)
    return true;
  if (instruction->opcode->kind != OPCODE_CALL)
    return false;
  const PtxFunction *function = call_parts(instruction).function;
  return function && !function->has_body &&
         library_function(function) == OPCODE_TRAP;
}

static bool returns(const PtxInstruction *instruction) {
  return instruction->opcode && (instruction->opcode->kind == OPCODE_RETURN ||
                                 instruction->opcode->kind == OPCODE_EXIT);
}

bool flow_branches(const PtxInstruction *instruction) {
  return instruction->opcode &&
         (instruction->opcode->kind == OPCODE_BRANCH ||
          instruction->opcode->kind == OPCODE_BRANCH_INDEXED);
}

bool flow_ends(const PtxInstruction *instruction) {
  return flow_branches(instruction) || returns(instruction) ||
         traps(instruction);
}

// ---------------------------------------------------------------- blocks ---

static void mark_targets(const Operand *operand, bool *is_first) {
  if (operand->kind == OPERAND_LABEL)
    is_first[operand->index] = true;
  if (operand->kind == OPERAND_TARGETS)
    for (size_t i = 0; i < operand->targets->targets.count; i++)
      is_first[operand->targets->targets.at[i]] = true;
}

static void make_blocks(Task *task, Flow *flow) {
  Arena *arena = &task->arena;
  const PtxFunction *function = flow->function;
  uint32_t count = (uint32_t)function->code.count;
  bool *is_first = arena_alloc(arena, count + 1);
  is_first[0] = true;
  for (uint32_t i = 0; i < count; i++) {
    const PtxInstruction *instruction = function->code.at[i];
    if (flow_branches(instruction))
      for (unsigned k = 0; k < instruction->count; k++)
        mark_targets(&instruction->operands[k], is_first);
    if (flow_ends(instruction))
      is_first[i + 1] = true;
  }
  for (uint32_t i = 0; i < count; i++)
    flow->count += is_first[i];
  flow->blocks = arena_alloc(arena, (flow->count + 1) * sizeof(FlowNode));
  flow->block_of = arena_alloc(arena, (count + 1) * sizeof(uint32_t));
  uint32_t block = UINT32_MAX; // 0 after the first
  for (uint32_t i = 0; i < count; i++) {
    if (is_first[i])
      flow->blocks[++block].first = i;
    flow->blocks[block].end = i + 1;
    flow->block_of[i] = block;
  }
  flow->block_of[count] = flow->count;
  flow->blocks[flow->count].first = count;
}

static void add_edge(Task *task, Flow *flow, uint32_t from, uint32_t to) {
  push(&task->arena, &flow->blocks[from].out, to);
  push(&task->arena, &flow->blocks[to].in, from);
}

static void add_targets(Task *task, Flow *flow, uint32_t block,
                        const Operand *operand) {
  if (operand->kind == OPERAND_LABEL)
    add_edge(task, flow, block, flow->block_of[operand->index]);
  if (operand->kind == OPERAND_TARGETS)
    for (size_t i = 0; i < operand->targets->targets.count; i++)
      add_edge(task, flow, block,
               flow->block_of[operand->targets->targets.at[i]]);
}

static void add_edges(Task *task, Flow *flow, uint32_t block) {
  const FlowNode *at = &flow->blocks[block];
  const PtxInstruction *last = flow->function->code.at[at->end - 1];
  bool is_guarded = last->guard != NO_REGISTER;
  if (flow_branches(last))
    for (unsigned k = 0; k < last->count; k++)
      add_targets(task, flow, block, &last->operands[k]);
  if (returns(last))
    add_edge(task, flow, block, flow->count);
  if (is_guarded || !flow_ends(last))
    add_edge(task, flow, block, flow->block_of[at->end]);
}

// Blocks from which there is nothing but a trap.
static void find_dead_ends(Task *task, Flow *flow) {
  Indices work = {0};
  uint32_t *left = arena_alloc(&task->arena, flow->count * sizeof *left);
  for (uint32_t i = 0; i < flow->count; i++) {
    left[i] = (uint32_t)flow->blocks[i].out.count;
    const FlowNode *block = &flow->blocks[i];
    if (left[i] == 0 && traps(flow->function->code.at[block->end - 1]))
      push(&task->arena, &work, i);
  }
  while (work.count) {
    FlowNode *block = &flow->blocks[work.at[--work.count]];
    block->is_dead_end = true;
    for (size_t i = 0; i < block->in.count; i++)
      if (--left[block->in.at[i]] == 0)
        push(&task->arena, &work, block->in.at[i]);
  }
}

static void drop_dead_ends(Task *task, Flow *flow) {
  for (uint32_t i = 0; i < flow->count; i++) {
    FlowNode *block = &flow->blocks[i];
    Indices out = block->out;
    block->out.count = 0;
    for (size_t k = 0; k < out.count; k++)
      if (block->is_dead_end || !flow->blocks[out.at[k]].is_dead_end)
        block->out.at[block->out.count++] = out.at[k];
    flow->skips_traps |= block->out.count < out.count;
  }
  for (uint32_t i = 0; i <= flow->count; i++)
    flow->blocks[i].in.count = 0;
  for (uint32_t i = 0; i < flow->count; i++)
    for (size_t k = 0; k < flow->blocks[i].out.count; k++)
      push(&task->arena, &flow->blocks[flow->blocks[i].out.at[k]].in, i);
}

// -------------------------------------------------------- postdominators ---

// Post-order of the blocks against the edges, from the exit; those that it
// does not reach stay at UINT32_MAX.
static void number_blocks(Task *task, Flow *flow, Indices *order) {
  Arena *arena = &task->arena;
  size_t *next = arena_alloc(arena, (flow->count + 1) * sizeof *next);
  bool *seen = arena_alloc(arena, flow->count + 1);
  Indices stack = {0};
  order->count = 0;
  for (uint32_t i = 0; i <= flow->count; i++)
    flow->blocks[i].position = UINT32_MAX;
  push(arena, &stack, flow->count);
  seen[flow->count] = true;
  while (stack.count) {
    uint32_t at = stack.at[stack.count - 1];
    if (next[at] == flow->blocks[at].in.count) {
      flow->blocks[at].position = (uint32_t)order->count;
      push(arena, order, at);
      stack.count--;
      continue;
    }
    uint32_t from = flow->blocks[at].in.at[next[at]++];
    if (!seen[from]) {
      seen[from] = true;
      push(arena, &stack, from);
    }
  }
}

// Endless loops and dead ends get an edge to the exit, so that it
// post-dominates everything and their branches are relevant if in doubt.
static void join_exit(Task *task, Flow *flow) {
  for (uint32_t i = 0; i < flow->count; i++)
    if (flow->blocks[i].position == UINT32_MAX)
      add_edge(task, flow, i, flow->count);
}

static uint32_t meet(const Flow *flow, uint32_t a, uint32_t b) {
  while (a != b) {
    if (flow->blocks[a].position < flow->blocks[b].position)
      a = flow->blocks[a].post_dominator;
    else
      b = flow->blocks[b].post_dominator;
  }
  return a;
}

static bool update_block(Flow *flow, uint32_t at) {
  FlowNode *block = &flow->blocks[at];
  uint32_t best = UINT32_MAX;
  for (size_t i = 0; i < block->out.count; i++) {
    uint32_t to = block->out.at[i];
    if (flow->blocks[to].post_dominator != UINT32_MAX)
      best = best == UINT32_MAX ? to : meet(flow, best, to);
  }
  bool changed = block->post_dominator != best;
  block->post_dominator = best;
  return changed;
}

// Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", 2001.
static void find_post_dominators(Task *task, Flow *flow) {
  Indices order = {0};
  number_blocks(task, flow, &order);
  join_exit(task, flow);
  number_blocks(task, flow, &order);
  assert(order.count == flow->count + 1);
  for (uint32_t i = 0; i < flow->count; i++)
    flow->blocks[i].post_dominator = UINT32_MAX;
  flow->blocks[flow->count].post_dominator = flow->count;
  for (bool changed = true; changed;) {
    task_check_time(task, flow->function->loc);
    changed = false;
    for (size_t i = order.count - 1; i-- > 0;)
      changed |= update_block(flow, order.at[i]);
  }
}

static void find_controls(Task *task, Flow *flow) {
  size_t dependences = 0;
  for (uint32_t from = 0; from < flow->count; from++) {
    const FlowNode *block = &flow->blocks[from];
    if (block->out.count < 2)
      continue;
    for (size_t i = 0; i < block->out.count; i++) {
      uint32_t at = block->out.at[i];
      for (; at != block->post_dominator;
           at = flow->blocks[at].post_dominator) {
        push(&task->arena, &flow->blocks[at].controls, from);
        if (++dependences > MOST_DEPENDENCES)
          unsupported(task, flow->function->loc,
                      "too much control flow in '%s'", flow->function->name);
      }
    }
  }
}

// ----------------------------------------------------------------- entry ---

Flow *flow_of(Task *task, const PtxFunction *function) {
  Flow *flow = NEW(&task->arena, Flow);
  flow->function = function;
  make_blocks(task, flow);
  for (uint32_t i = 0; i < flow->count; i++)
    add_edges(task, flow, i);
  find_dead_ends(task, flow);
  drop_dead_ends(task, flow);
  find_post_dominators(task, flow);
  find_controls(task, flow);
  return flow;
}
