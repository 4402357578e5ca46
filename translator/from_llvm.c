// One LLVM function as a Kernel.
//
// The body is translated once, in reverse post-order.  Control flow becomes
// guards on the way: the guard of a basic block is the condition under which a
// thread gets there in the current iteration of each loop around it, or in the
// last one of each loop it has left.  Back edges are cut: a value that a loop
// carries is a symbol, and what the loop does to it is kept beside (Symbol.init
// and .next).  Irreducible graphs are not modelled.

#include "translator/from_llvm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------- helpers ---

// It is the same from the start to the end of the launch, wherever it is read.
static bool is_of_launch(SymbolKind kind) {
  return kind == SYMBOL_PARAMETER || kind == SYMBOL_LAUNCH;
}

Symbol *builder_symbol(Builder *builder, SymbolKind kind, unsigned width,
                       const char *name) {
  Kernel *kernel = builder->kernel;
  Symbol *symbol = NEW(&builder->task->arena, Symbol);
  symbol->kind = kind;
  symbol->number = (unsigned)kernel->symbols.count;
  symbol->width = width;
  symbol->name = name;
  symbol->loc = builder->loc;
  symbol->loop =
      builder->block && !is_of_launch(kind) ? builder->block->loop : NULL;
  expr_symbol(builder->task, symbol);
  push(&builder->task->arena, &kernel->symbols, symbol);
  return symbol;
}

Expr *builder_unknown(Builder *builder, unsigned width, const char *name) {
  return builder_symbol(builder, SYMBOL_UNKNOWN, width, name)->expr;
}

Stmt *builder_add(Builder *builder, StmtKind kind) {
  Kernel *kernel = builder->kernel;
  Stmt *stmt = NEW(&builder->task->arena, Stmt);
  stmt->kind = kind;
  stmt->number = (unsigned)kernel->stmts.count;
  stmt->loc = builder->loc;
  stmt->block = builder->block;
  stmt->guard = builder->block->guard;
  push(&builder->task->arena, &kernel->stmts, stmt);
  push(&builder->task->arena, &builder->block->stmts, stmt);
  invariants_meet(builder, stmt);
  return stmt;
}

void assert_here(Builder *builder, Expr *condition, const char *message) {
  Stmt *stmt = builder_add(builder, STMT_ASSERT);
  stmt->condition = condition;
  stmt->message = message;
}

// ----------------------------------------------------------------- graph ---

unsigned node_of(const Builder *builder, LLVMBasicBlockRef block) {
  for (unsigned i = 0; i < builder->graph->count; i++)
    if (builder->llvm_blocks[i] == block)
      return i;
  assert(!"a block of another function");
  return 0;
}

static bool has_edge(const Graph *graph, unsigned from, unsigned to) {
  for (size_t i = 0; i < graph->out[from].count; i++)
    if (graph->out[from].at[i] == to)
      return true;
  return false;
}

static void make_graph(Builder *builder) {
  unsigned count = LLVMCountBasicBlocks(builder->function);
  builder->graph = graph_new(builder->task, count);
  builder->llvm_blocks =
      arena_alloc(&builder->task->arena, count * sizeof *builder->llvm_blocks);
  LLVMGetBasicBlocks(builder->function, builder->llvm_blocks);
  for (unsigned from = 0; from < count; from++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(builder->llvm_blocks[from]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
      unsigned to = node_of(builder, LLVMGetSuccessor(end, i));
      if (!has_edge(builder->graph, from, to))
        graph_add_edge(builder->task, builder->graph, from, to);
    }
  }
  graph_analyse(builder->task, builder->graph);
  if (!builder->graph->is_reducible)
    unsupported(builder->task, builder->loc,
                "irreducible control flow (a jump into a loop)");
}

static void make_blocks(Builder *builder) {
  Graph *graph = builder->graph;
  Arena *arena = &builder->task->arena;
  builder->blocks = arena_alloc(arena, graph->count * sizeof(BasicBlock *));
  for (size_t i = 0; i < graph->order.count; i++) {
    BasicBlock *block = NEW(arena, BasicBlock);
    block->index = (unsigned)i;
    builder->blocks[graph->order.at[i]] = block;
    push(arena, &builder->kernel->blocks, block);
  }
}

static Loc loop_location(Builder *builder, unsigned header) {
  LLVMBasicBlockRef block = builder->llvm_blocks[header];
  Loc end = llvm_location(builder->task, LLVMGetBasicBlockTerminator(block));
  return end.line ? end : builder->kernel->loc;
}

static void make_loop(Builder *builder, const GraphLoop *found) {
  Arena *arena = &builder->task->arena;
  Loop *loop = NEW(arena, Loop);
  loop->index = (unsigned)builder->kernel->loops.count;
  loop->header = builder->blocks[found->header];
  loop->parent = found->parent == GRAPH_NONE
                     ? NULL
                     : builder->kernel->loops.at[found->parent];
  loop->depth = loop->parent ? loop->parent->depth + 1 : 1;
  loop->loc = loop_location(builder, found->header);
  for (size_t i = 0; i < builder->graph->order.count; i++) {
    unsigned node = builder->graph->order.at[i];
    if (!found->contains[node])
      continue;
    push(arena, &loop->blocks, builder->blocks[node]);
    builder->blocks[node]->loop = loop; // inner loops come later and stay
  }
  push(arena, &builder->kernel->loops, loop);
  const char *name = arena_printf(arena, "iteration%u", loop->index + 1);
  builder->loc = loop->loc;
  loop->iteration = builder_symbol(builder, SYMBOL_ITERATION, 64, name);
  loop->iteration->loop = loop;
}

// ---------------------------------------------------------------- guards ---

// The condition of going from block to block.
static Expr *edge_condition(Builder *builder, unsigned from, unsigned to) {
  Task *task = builder->task;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(builder->llvm_blocks[from]);
  if (LLVMGetNumSuccessors(end) < 2)
    return expr_bool(task, true);
  unsigned yes = node_of(builder, LLVMGetSuccessor(end, 0));
  unsigned no = node_of(builder, LLVMGetSuccessor(end, 1));
  if (yes == no)
    return expr_bool(task, true);
  Expr *condition = scalar_of(builder, LLVMGetCondition(end));
  return to == yes ? condition : expr_not(task, condition);
}

static Edge *make_edge(Builder *builder, unsigned from, unsigned to,
                       Expr *guard) {
  Edge *edge = NEW(&builder->task->arena, Edge);
  edge->from = builder->blocks[from];
  edge->to = builder->blocks[to];
  edge->guard = guard;
  edge->condition = edge_condition(builder, from, to);
  edge->is_back = graph_is_back_edge(builder->graph, from, to);
  push(&builder->task->arena, &edge->from->out, edge);
  push(&builder->task->arena, &edge->to->in, edge);
  return edge;
}

// Conditions of reaching blocks when control is at `start`, which dominates
// them.  NULL: not yet computed.
typedef struct Reach {
  unsigned start;
  Expr **at; // by node
} Reach;

static Expr *reach_edge(Builder *builder, Reach *reach, unsigned from,
                        unsigned to);

static Expr *reach_block(Builder *builder, Reach *reach, unsigned node) {
  if (reach->at[node])
    return reach->at[node];
  Graph *graph = builder->graph;
  Task *task = builder->task;
  unsigned above = graph->dominator[node];
  Expr *guard = expr_bool(task, node == reach->start);
  if (node != reach->start && graph_must_pass(graph, above, node)) {
    guard = reach_block(builder, reach, above);
  } else if (node != reach->start) {
    for (size_t i = 0; i < graph->in[node].count; i++) {
      unsigned from = graph->in[node].at[i];
      if (graph->position[from] != GRAPH_NONE &&
          !graph_is_back_edge(graph, from, node))
        guard = expr_or(task, guard, reach_edge(builder, reach, from, node));
    }
  }
  return reach->at[node] = guard;
}

static Expr *reach_edge(Builder *builder, Reach *reach, unsigned from,
                        unsigned to) {
  return expr_and(builder->task, reach_block(builder, reach, from),
                  edge_condition(builder, from, to));
}

static Reach reach_from(Builder *builder, unsigned start) {
  Reach reach = {start, arena_alloc(&builder->task->arena,
                                    builder->graph->count * sizeof(Expr *))};
  return reach;
}

// ------------------------------------------------------------------ phis ---

static bool is_header(const Builder *builder, unsigned node) {
  unsigned loop = graph_loop_of(builder->graph, node);
  return loop != GRAPH_NONE && builder->graph->loops[loop].header == node;
}

static bool comes_along(const Builder *builder, LLVMValueRef phi, unsigned i,
                        unsigned node, bool want_back) {
  unsigned from = node_of(builder, LLVMGetIncomingBlock(phi, i));
  return builder->graph->position[from] != GRAPH_NONE &&
         graph_is_back_edge(builder->graph, from, node) == want_back;
}

// The value that a phi takes along its forward (or back) edges, chosen by the
// conditions since their common dominator.
static LlvmValue *merge_incoming(Builder *builder, LLVMValueRef phi,
                                 unsigned node, bool want_back) {
  unsigned start = want_back ? node : builder->graph->dominator[node];
  Reach reach = reach_from(builder, start);
  LlvmValue *merged = NULL;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    if (!comes_along(builder, phi, i, node, want_back))
      continue;
    LlvmValue *value = value_of(builder, LLVMGetIncomingValue(phi, i));
    if (!merged) {
      merged = value;
      continue;
    }
    unsigned from = node_of(builder, LLVMGetIncomingBlock(phi, i));
    Expr *here = reach_edge(builder, &reach, from, node);
    LlvmValue *both = value_new(builder, value->count);
    for (unsigned k = 0; k < value->count; k++)
      both->lanes[k] =
          lane_ite(builder, here, value->lanes[k], merged->lanes[k]);
    merged = both;
  }
  assert(merged);
  return merged;
}

static Expr *phi_symbol(Builder *builder, unsigned width, const char *name) {
  Symbol *symbol = builder_symbol(builder, SYMBOL_PHI, width, name);
  push(&builder->task->arena, &builder->block->loop->phis, symbol);
  return symbol->expr;
}

static bool is_one(const Roots *roots) {
  return roots->arrays.count + roots->may_be_null + roots->is_lost == 1;
}

static unsigned number_of(const Roots *roots) {
  if (roots->arrays.count)
    return roots->arrays.at[0]->number;
  return roots->is_lost ? BASE_LOST : BASE_NULL;
}

// A pointer that walks through one array has that array for ever.
static Expr *phi_base(Builder *builder, LLVMValueRef phi, unsigned node,
                      unsigned lane) {
  LlvmValue *init = merge_incoming(builder, phi, node, false);
  Roots *roots = &carried_roots(builder, phi, init->count)[lane];
  roots_add(builder, roots, init->lanes[lane].base);
  if (is_one(roots))
    return expr_const(builder->task, BASE_BITS, number_of(roots));
  Expr *base = phi_symbol(builder, BASE_BITS, "array of a pointer");
  table_put(builder->task, &builder->carried, base->symbol, roots);
  return base;
}

static void start_phi(Builder *builder, LLVMValueRef phi, unsigned node) {
  LLVMTypeRef type = LLVMTypeOf(phi);
  const char *name = llvm_name_of(builder->task, &builder->names, phi);
  LlvmValue *value = value_new(builder, lanes_of_type(builder, type));
  for (unsigned i = 0; i < value->count; i++) {
    LLVMTypeRef scalar = lane_type(builder, type, i);
    value->lanes[i].bits = phi_symbol(builder, scalar_bits(builder, scalar),
                                      name ? name : "carried");
    if (LLVMGetTypeKind(scalar) == LLVMPointerTypeKind)
      value->lanes[i].base = phi_base(builder, phi, node, i);
  }
  set_value(builder, phi, value);
}

static void finish_lane(Expr *phi, Expr *init, Expr *next) {
  if (!phi || phi->op != EXPR_SYMBOL || phi->symbol->kind != SYMBOL_PHI)
    return;
  phi->symbol->init = init;
  phi->symbol->next = next;
}

// A sum of signed numbers, of which the phi is one, as the language adds them,
// and not of what the phi became by a sum that may wrap.  No more than one of
// the others may be negative, or what two of them make of it might wrap, too.
static bool is_signed_sum(LLVMValueRef sum, LLVMValueRef phi, bool may_be_any) {
  if (!LLVMIsABinaryOperator(sum) || !LLVMGetNSW(sum))
    return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(sum);
  LLVMValueRef a = LLVMGetOperand(sum, 0), b = LLVMGetOperand(sum, 1);
  if (op == LLVMAdd && (b == phi || LLVMIsAConstantInt(a)))
    b = a, a = LLVMGetOperand(sum, 1);
  bool is_up = op == LLVMAdd && LLVMIsAConstantInt(b) &&
               LLVMConstIntGetSExtValue(b) >= 0;
  if ((op != LLVMAdd && op != LLVMSub) || (!is_up && !may_be_any))
    return false;
  return a == phi || is_signed_sum(a, phi, may_be_any && is_up);
}

// It is the phi and one number.
static bool is_one_signed_sum(LLVMValueRef sum, LLVMValueRef phi) {
  return is_signed_sum(sum, phi, true) &&
         LLVMGetInstructionOpcode(sum) == LLVMAdd &&
         (LLVMGetOperand(sum, 0) == phi || LLVMGetOperand(sum, 1) == phi);
}

// Whoever goes round adds as the language adds signed numbers; once, if asked.
static bool steps_as_signed(Builder *builder, LLVMValueRef phi, unsigned node,
                            bool is_once) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef next = LLVMGetIncomingValue(phi, i);
    if (!comes_along(builder, phi, i, node, true))
      continue;
    if (is_once ? !is_one_signed_sum(next, phi)
                : !is_signed_sum(next, phi, true))
      return false;
  }
  return true;
}

static void note_counter(Builder *builder, LLVMValueRef phi, unsigned node,
                         Symbol *symbol) {
  symbol->steps_as_signed = steps_as_signed(builder, phi, node, false);
  symbol->steps_once = steps_as_signed(builder, phi, node, true);
  symbol->is_for_annotations = is_for_annotations(builder, phi);
}

static void finish_phi(Builder *builder, LLVMValueRef phi, unsigned node) {
  LlvmValue *value = value_of(builder, phi);
  LlvmValue *init = merge_incoming(builder, phi, node, false);
  LlvmValue *next = merge_incoming(builder, phi, node, true);
  Roots *roots = carried_roots(builder, phi, value->count);
  for (unsigned i = 0; i < value->count; i++) {
    finish_lane(value->lanes[i].bits, init->lanes[i].bits, next->lanes[i].bits);
    if (value->lanes[i].bits->op == EXPR_SYMBOL)
      note_counter(builder, phi, node, value->lanes[i].bits->symbol);
    finish_lane(value->lanes[i].base, init->lanes[i].base, next->lanes[i].base);
    if (next->lanes[i].base)
      builder->has_learnt |= roots_add(builder, &roots[i], next->lanes[i].base);
  }
}

static void translate_phi(Builder *builder, LLVMValueRef phi, unsigned node) {
  if (is_header(builder, node))
    start_phi(builder, phi, node);
  else
    set_value(builder, phi, merge_incoming(builder, phi, node, false));
}

// ---------------------------------------------------------- instructions ---

static void note_line(Builder *builder, Loc loc) {
  BasicBlock *block = builder->block;
  const BlockLine *last =
      block->lines.count ? &block->lines.at[block->lines.count - 1] : NULL;
  if (!loc_is_in_users_code(loc) ||
      (last && last->loc.line == loc.line && !strcmp(last->loc.file, loc.file)))
    return;
  push(&builder->task->arena, &block->lines,
       ((BlockLine){loc, (unsigned)builder->kernel->stmts.count}));
}

static void translate_instruction(Builder *builder, LLVMValueRef instruction,
                                  unsigned node) {
  Loc loc = llvm_location(builder->task, instruction);
  if (loc.line)
    builder->loc = loc;
  note_line(builder, loc);
  builder->instruction = instruction;
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMPHI:
    translate_phi(builder, instruction, node);
    break;
  case LLVMLoad:
    translate_load(builder, instruction);
    break;
  case LLVMStore:
    translate_store(builder, instruction);
    break;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    translate_atomic(builder, instruction);
    break;
  case LLVMCall:
    translate_call(builder, instruction);
    break;
  case LLVMAlloca:
    translate_alloca(builder, instruction);
    break;
  case LLVMFence:
    translate_fence(builder, instruction);
    break;
  case LLVMBr:
  case LLVMUnreachable:
    break;
  case LLVMRet:
    builder->kernel->exit =
        expr_or(builder->task, builder->kernel->exit, builder->block->guard);
    break;
  default:
    translate_arithmetic(builder, instruction);
  }
}

// An invariant of a barrier may have branches.
static bool goes_on_looking(const Builder *builder, const BasicBlock *block) {
  bool goes_on = block->in.count > 0;
  for (size_t i = 0; i < block->in.count; i++)
    goes_on &= builder->looks[block->in.at[i]->from->index];
  return goes_on;
}

static void translate_block(Builder *builder, Reach *reach, unsigned node) {
  BasicBlock *block = builder->blocks[node];
  builder->block = block;
  block->guard = reach_block(builder, reach, node);
  builder->is_quiet = builder->is_looking = goes_on_looking(builder, block);
  for (LLVMValueRef i = LLVMGetFirstInstruction(builder->llvm_blocks[node]); i;
       i = LLVMGetNextInstruction(i)) {
    task_check_time(builder->task, builder->loc);
    translate_instruction(builder, i, node);
  }
  want_no_open_invariants(builder);
  builder->looks[block->index] = builder->is_looking;
  Graph *graph = builder->graph;
  for (size_t i = 0; i < graph->out[node].count; i++) {
    unsigned to = graph->out[node].at[i];
    make_edge(builder, node, to, reach_edge(builder, reach, node, to));
  }
}

static void finish_loop(Builder *builder, Loop *loop) {
  Task *task = builder->task;
  loop->entry = loop->again = expr_bool(task, false);
  for (size_t i = 0; i < loop->header->in.count; i++) {
    Edge *edge = loop->header->in.at[i];
    Expr **to = edge->is_back ? &loop->again : &loop->entry;
    *to = expr_or(task, *to, edge->guard);
  }
  loop->entry = loop->header->guard;
  unsigned node = builder->graph->order.at[loop->header->index];
  builder->block = loop->header;
  for (LLVMValueRef i = LLVMGetFirstInstruction(builder->llvm_blocks[node]);
       i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
    finish_phi(builder, i, node);
}

static void translate_body(Builder *builder) {
  Graph *graph = builder->graph;
  Reach reach = reach_from(builder, 0);
  builder->looks = arena_alloc(&builder->task->arena, graph->order.count);
  builder->kernel->exit = expr_bool(builder->task, false);
  for (size_t i = 0; i < graph->order.count; i++)
    translate_block(builder, &reach, graph->order.at[i]);
  for (size_t i = 0; i < builder->kernel->loops.count; i++)
    finish_loop(builder, builder->kernel->loops.at[i]);
}

// ------------------------------------------------------------ parameters ---

static bool lies_in(const Field *field, uint64_t offset, uint64_t bytes) {
  return field->offset < offset + bytes &&
         offset < field->offset + field->bytes;
}

void find_sign(Builder *builder, unsigned index, uint64_t offset,
               Symbol *symbol) {
  enum { LEAST_BITS = 32 };
  Fields fields = {0};
  const Field *field = NULL;
  uint64_t bytes = symbol->width / 8;
  llvm_fields(builder->task, builder->function, index, &fields);
  for (size_t i = 0; i < fields.count; i++) {
    const Field *one = &fields.at[i];
    if (field && lies_in(one, offset, bytes))
      return;
    if (lies_in(one, offset, bytes))
      field = one;
  }
  if (!field || field->kind != FIELD_INTEGER || field->is_enum ||
      symbol->width < LEAST_BITS || field->offset != offset ||
      8 * field->bytes != symbol->width)
    return;
  symbol->is_signed = field->is_signed;
  symbol->is_unsigned = field->is_unsigned;
  symbol->is_member |= *field->name != '\0'; // of a struct that is one number
}

static Expr *parameter_value(Builder *builder, unsigned index, unsigned width,
                             const char *name) {
  Kernel *kernel = builder->kernel;
  Symbol *symbol = builder_symbol(builder, SYMBOL_PARAMETER, width, name);
  find_sign(builder, index, 0, symbol);
  push(&builder->task->arena, &kernel->parameters, symbol);
  if (index >= kernel->launch.arguments.count)
    return symbol->expr;
  const Argument *argument = &kernel->launch.arguments.at[index];
  symbol->is_shown_negative = argument->is_shown_negative;
  return argument->known && width <= 64
             ? expr_const(builder->task, width, argument->value)
             : symbol->expr;
}

// Of an argument that is a vector or a struct: a pointer in it is lost.
static Lane lane_of_parameter(Builder *builder, LLVMTypeRef type,
                              const char *name) {
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
    return lane_unknown(builder, type, name);
  unsigned bits = scalar_bits(builder, type);
  return (Lane){
      .bits = builder_symbol(builder, SYMBOL_PARAMETER, bits, name)->expr};
}

static void make_parameter(Builder *builder, unsigned index) {
  LLVMValueRef parameter = LLVMGetParam(builder->function, index);
  LLVMTypeRef type = LLVMTypeOf(parameter);
  const char *name = llvm_name_of(builder->task, &builder->names, parameter);
  if (!name)
    name = arena_printf(&builder->task->arena, "argument %u", index + 1);
  LlvmValue *value = value_new(builder, lanes_of_type(builder, type));
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
    Array *array = table_get(&builder->arrays, parameter);
    value->lanes[0] =
        (Lane){expr_const(builder->task, POINTER_BITS, 0),
               expr_const(builder->task, BASE_BITS, array->number)};
    push(&builder->task->arena, &builder->kernel->parameters, (Symbol *)NULL);
  } else if (LLVMGetTypeKind(type) == LLVMTargetExtTypeKind) {
    value->lanes[0].bits = builder_symbol(builder, SYMBOL_PARAMETER,
                                          scalar_bits(builder, type), name)
                               ->expr;
    push(&builder->task->arena, &builder->kernel->parameters, (Symbol *)NULL);
  } else if (value->count == 1) {
    value->lanes[0].bits =
        parameter_value(builder, index, scalar_bits(builder, type), name);
  } else {
    for (unsigned i = 0; i < value->count; i++)
      value->lanes[i] = lane_of_parameter(
          builder, lane_type(builder, type, i),
          arena_printf(&builder->task->arena, "%s.%u", name, i));
    push(&builder->task->arena, &builder->kernel->parameters, (Symbol *)NULL);
  }
  set_value(builder, parameter, value);
}

static void set_array_sizes(Builder *builder) {
  const Options *options = builder->kernel->options;
  for (size_t k = 0; k < options->kernel_arrays.count; k++) {
    const KernelValues *given = &options->kernel_arrays.at[k];
    if (strcmp(given->kernel, builder->kernel->name) != 0 &&
        strcmp(given->kernel, builder->kernel->source) != 0)
      continue;
    size_t next = 0;
    for (size_t i = 0; i < builder->kernel->arrays.count; i++) {
      Array *array = builder->kernel->arrays.at[i];
      if (!array->is_parameter || array->is_by_value || array->holder ||
          next == given->values.count)
        continue;
      Argument bytes = given->values.at[next++];
      if (bytes.known)
        array->bytes = expr_const(builder->task, POINTER_BITS, bytes.value);
    }
  }
}

// --------------------------------------------------------------- the end ---

static void assert_false_at_exit(Builder *builder) {
  Graph *graph = builder->graph;
  for (size_t i = 0; i < graph->order.count; i++) {
    unsigned node = graph->order.at[i];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(builder->llvm_blocks[node]);
    if (LLVMGetInstructionOpcode(end) != LLVMRet)
      continue;
    builder->block = builder->blocks[node];
    builder->loc = builder->kernel->loc;
    Stmt *stmt = builder_add(builder, STMT_ASSERT);
    stmt->condition = expr_bool(builder->task, false);
    stmt->message = "the end of the kernel is reached";
  }
}

static bool is_own_allocation(const Builder *builder, unsigned argument) {
  const Launch *launch = &builder->kernel->launch;
  return argument < launch->arguments.count &&
         launch->arguments.at[argument].allocation.line;
}

// The pointers that the host gives, and of how many it is not known that they
// are allocations of their own.
typedef struct Pointers {
  unsigned all, unknown;
} Pointers;

static Pointers count_pointers(const Builder *builder) {
  const Kernel *kernel = builder->kernel;
  Pointers count = {0};
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    const Array *array = kernel->arrays.at[i];
    bool is_given = array->is_parameter || array->is_image;
    count.all += is_given && (array->space == SPACE_GLOBAL ||
                              array->space == SPACE_CONSTANT);
  }
  count.unknown = count.all;
  for (unsigned i = 0; i < LLVMCountParams(builder->function); i++) {
    const Array *array =
        table_get(&builder->arrays, LLVMGetParam(builder->function, i));
    count.unknown -= array && array->is_parameter && !array->is_by_value &&
                     is_own_allocation(builder, i);
  }
  return count;
}

// In CUDA that is possible, in OpenCL each argument has memory of its own.
static bool points_to_shared(const Kernel *kernel, const Array *array) {
  return !kernel->is_opencl && array->space == SPACE_SHARED &&
         (array->is_parameter || array->holder);
}

// The host may pass the address of a variable, too, and in OpenCL one buffer
// for a __constant pointer and another one.
static bool may_alias(const Kernel *kernel, Pointers pointers) {
  unsigned variables = 0;
  bool is_written = false;
  for (size_t i = 0; i < kernel->arrays.count; i++) {
    const Array *array = kernel->arrays.at[i];
    bool is_global = array->space == SPACE_GLOBAL;
    if (points_to_shared(kernel, array))
      return true;
    variables += is_global && !array->is_parameter && !array->is_image;
    is_written |= is_global && array->is_written;
  }
  return pointers.unknown && pointers.all + variables > 1 && is_written;
}

// What takes the place of the assumption.
static void tell_allocations(Builder *builder) {
  Kernel *kernel = builder->kernel;
  for (unsigned i = 0; i < LLVMCountParams(builder->function); i++) {
    const Array *array =
        table_get(&builder->arrays, LLVMGetParam(builder->function, i));
    if (!array || !array->is_parameter || !is_own_allocation(builder, i))
      continue;
    HostFact told = {.text = arena_printf(&builder->task->arena,
                                          "'%s' is an allocation of its own",
                                          array->name),
                     .where = kernel->launch.arguments.at[i].allocation};
    push(&builder->task->arena, &kernel->launch.facts, told);
  }
}

static void assume_no_alias(Builder *builder) {
  Pointers pointers = count_pointers(builder);
  Pointers unknown = {pointers.all, pointers.all};
  if (may_alias(builder->kernel, pointers))
    assume_named(builder, "no-alias");
  else if (may_alias(builder->kernel, unknown))
    tell_allocations(builder);
}

// What a proof of this kernel rests on beside the launch: SOUND(no-alias),
// SOUND(requires), SOUND(termination).
static void list_assumptions(Builder *builder) {
  const Kernel *kernel = builder->kernel;
  assume_no_alias(builder);
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->kind == STMT_ASSUME)
      assume_named(builder, "requires");
  if (kernel->loops.count)
    assume_named(builder, "termination");
  for (unsigned i = 0; i < PREMISES; i++)
    if (kernel->options->assumed[i])
      assume_named(builder, premise_name((PremiseKind)i));
}

static Builder *new_builder(Task *task, const KernelEntry *entry) {
  Builder *builder = NEW(&task->arena, Builder);
  builder->task = task;
  builder->function = entry->function;
  builder->module = LLVMGetGlobalParent(entry->function);
  builder->layout = LLVMGetModuleDataLayout(builder->module);
  builder->loc = entry->loc;
  return builder;
}

static Kernel *new_kernel(Task *task, const KernelEntry *entry,
                          const Options *options, const Launch *launch) {
  enum { NVIDIA_LANES = 32 };
  Kernel *kernel = NEW(&task->arena, Kernel);
  kernel->loc = entry->loc;
  kernel->name = entry->name;
  kernel->source = entry->source;
  kernel->options = options;
  kernel->is_opencl = llvm_is_opencl_kernel(entry->function);
  kernel->is_amdgcn = llvm_is_amdgcn(LLVMGetGlobalParent(entry->function));
  kernel->warp_lanes =
      kernel->is_amdgcn ? llvm_wavefront(entry->function) : NVIDIA_LANES;
  kernel->launch = *launch;
  return kernel;
}

// What is known of the arrays stays, all else begins anew.
static void begin(Builder *builder, Kernel *kernel) {
  if (builder->kernel)
    kernel->arrays = builder->kernel->arrays;
  for (size_t i = 0; i < kernel->arrays.count; i++)
    kernel->arrays.at[i]->address = kernel->arrays.at[i]->window =
        kernel->arrays.at[i]->function = NULL;
  builder->kernel = kernel;
  builder->block = NULL;
  builder->loc = kernel->loc;
  builder->values = builder->carried = builder->numbers = (ValueTable){0};
  builder->deeds = (ValueTable){0};
  builder->events.count = builder->fields.count = 0;
  builder->forgotten.count = builder->calm.count = 0;
  memset(builder->reads_thread_id, 0, sizeof builder->reads_thread_id);
  memset(builder->reads_block_id, 0, sizeof builder->reads_block_id);
  builder->dimensions = builder->pointers_apart = NULL;
  builder->fence = NULL;
  builder->has_learnt = false;
}

static void translate_function(Builder *builder) {
  make_blocks(builder);
  for (unsigned i = 0; i < builder->graph->loop_count; i++)
    make_loop(builder, &builder->graph->loops[i]);
  find_arrays(builder);
  make_launch(builder);
  for (unsigned i = 0; i < LLVMCountParams(builder->function); i++)
    make_parameter(builder, i);
  set_array_sizes(builder);
  translate_body(builder);
  reread_check(builder);
  settle_image_fences(builder);
  finish_launch(builder);
}

Kernel *kernel_from_llvm(Task *task, const KernelEntry *entry,
                         const Options *options, const Launch *launch) {
  Builder *builder = new_builder(task, entry);
  make_graph(builder);
  find_annotations(builder);
  llvm_find_names(builder->task, builder->function, &builder->names);
  do {
    begin(builder, new_kernel(task, entry, options, launch));
    translate_function(builder);
  } while (builder->has_learnt);
  list_assumptions(builder);
  if (options->assert_false)
    assert_false_at_exit(builder);
  kernel_find_premises(task, builder->kernel);
  return builder->kernel;
}
