// Calls at which threads meet: barriers, and what lanes of a warp do together.
//
// Each becomes one statement.  Its kind says who takes part; what it orders is
// all memory, none, or what its flags name.

#include "translator/from_llvm_calls.h"

Barrier *add_barrier(Builder *builder, BarrierKind kind) {
  builder->has_effect = true;
  Barrier *barrier = &builder_add(builder, STMT_BARRIER)->barrier;
  *barrier = (Barrier){.kind = kind,
                       .orders_shared = true,
                       .orders_global = true,
                       .orders_images = true};
  return barrier;
}

void add_alike(Builder *builder, Barrier *barrier, LLVMValueRef operand) {
  const LlvmValue *value = value_of(builder, operand);
  for (unsigned i = 0; i < value->count; i++) {
    push(&builder->task->arena, &barrier->alike, value->lanes[i].bits);
    if (value->lanes[i].base)
      push(&builder->task->arena, &barrier->alike, value->lanes[i].base);
  }
}

// -------------------------------------------------------- block and grid ---

// Threads that name different barriers do not meet.
void call_barrier(Builder *builder, LLVMValueRef call) {
  LLVMValueRef number = operand_for(builder, call, 'n');
  if (number && !expr_is_const(scalar_of(builder, number)))
    unsupported(builder->task, builder->loc,
                "a barrier whose number is not constant");
  add_barrier(builder, BARRIER_BLOCK);
}

void call_barrier_vote(Builder *builder, LLVMValueRef call) {
  call_barrier(builder, call);
  set_group_value(builder, call);
}

void call_barrier_grid(Builder *builder, LLVMValueRef call) {
  (void)call;
  add_barrier(builder, BARRIER_GRID);
}

// A function of the whole group, which orders no memory.  What follows the
// first operand has to be the same in all threads.
static void add_group_function(Builder *builder, LLVMValueRef call) {
  Barrier *barrier = add_barrier(builder, BARRIER_BLOCK);
  barrier->orders_shared = barrier->orders_global = false;
  for (unsigned i = 1; i < LLVMGetNumArgOperands(call); i++)
    add_alike(builder, barrier, LLVMGetOperand(call, i));
}

void call_group_vote(Builder *builder, LLVMValueRef call) {
  add_group_function(builder, call);
  set_group_value(builder, call);
}

void call_group_scan(Builder *builder, LLVMValueRef call) {
  add_group_function(builder, call);
  set_unknown(builder, call, "scan");
}

void call_fence(Builder *builder, LLVMValueRef call) {
  (void)call;
  Stmt *fence = builder_add(builder, STMT_FENCE);
  fence->scope = (Scope)builder->row->number;
  fence->is_full = !builder->kernel->is_opencl;
}

// ------------------------------------------------------------------ warp ---

// Which lanes a mask names decides what the barrier orders, and who waits.
void call_barrier_warp(Builder *builder, LLVMValueRef call) {
  Expr *mask = scalar_of(builder, operand_for(builder, call, 'm'));
  if (!expr_is_const(mask) || mask->value != 0xffffffff)
    unsupported(builder->task, builder->loc,
                "a warp barrier for some of the lanes");
  add_barrier(builder, BARRIER_WARP)->mask = mask;
}

Barrier *add_whole_warp(Builder *builder) {
  Barrier *barrier = &builder_add(builder, STMT_BARRIER)->barrier;
  *barrier = (Barrier){.kind = BARRIER_LANES,
                       .mask = expr_const(builder->task, 32, UINT32_MAX)};
  return barrier;
}

static void forget_result(Builder *builder, LLVMValueRef call) {
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    set_unknown(builder, call, called_name(builder->task, call));
}

void call_whole_warp(Builder *builder, LLVMValueRef call) {
  add_whole_warp(builder);
  forget_result(builder, call);
}

// Lanes of a warp tell each other something, see lanes.c.  `chosen`: the result
// is the mask of the lanes for which that is true.
static Barrier *add_exchange(Builder *builder, LLVMValueRef call,
                             BarrierKind kind, Expr *chosen) {
  LLVMValueRef mask = operand_for(builder, call, 'm');
  Barrier barrier = {.kind = kind,
                     .mask = mask ? scalar_of(builder, mask) : NULL,
                     .chosen = chosen};
  forget_result(builder, call);
  if (chosen)
    barrier.told = scalar_of(builder, call)->symbol;
  Stmt *stmt = builder_add(builder, STMT_BARRIER);
  stmt->barrier = barrier;
  return &stmt->barrier;
}

void call_lanes(Builder *builder, LLVMValueRef call) {
  add_exchange(builder, call, BARRIER_LANES, NULL);
}

// All lanes of the mask get the same.
void call_lanes_vote(Builder *builder, LLVMValueRef call) {
  Barrier *barrier = add_exchange(builder, call, BARRIER_LANES, NULL);
  barrier->agreed = scalar_of(builder, call)->symbol;
}

void call_lanes_ballot(Builder *builder, LLVMValueRef call) {
  LLVMValueRef predicate = operand_for(builder, call, 'i');
  Barrier *barrier =
      add_exchange(builder, call, BARRIER_LANES, scalar_of(builder, predicate));
  barrier->agreed = barrier->told;
}

// The last operand has which lanes of the warp are a segment, by the bits of
// their numbers that are the same, and the last lane of one.  A lane behind
// that is not there, and then the result is the caller's own.
void call_lanes_from(Builder *builder, LLVMValueRef call) {
  enum { VALUE = 1, LANE = 2, CLAMP = 3, SEGMENT_BIT = 8, LAST_LANE = 31 };
  Task *task = builder->task;
  Expr *value = scalar_of(builder, LLVMGetOperand(call, VALUE));
  Expr *lane = scalar_of(builder, LLVMGetOperand(call, LANE));
  Expr *clamp = scalar_of(builder, LLVMGetOperand(call, CLAMP));
  Barrier *barrier = add_exchange(builder, call, BARRIER_LANES, NULL);
  if (!expr_is_const(clamp) || (clamp->value & LAST_LANE) != LAST_LANE)
    return;
  uint64_t same = clamp->value >> SEGMENT_BIT & LAST_LANE;
  Expr *own = expr_binary(task, EXPR_AND, lane_of_thread(builder),
                          expr_const(task, 32, same));
  Expr *within = expr_binary(task, EXPR_AND, lane,
                             expr_const(task, 32, LAST_LANE & ~same));
  barrier->passed = scalar_of(builder, call)->symbol;
  barrier->value = value;
  barrier->from = expr_binary(task, EXPR_OR, own, within);
}

void call_lanes_told(Builder *builder, LLVMValueRef call) {
  add_exchange(builder, call, BARRIER_LANES, expr_bool(builder->task, true));
}

void call_sub_group(Builder *builder, LLVMValueRef call) {
  add_exchange(builder, call, BARRIER_SUB_GROUP, NULL);
}
