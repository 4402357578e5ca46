// Invariants at barriers: __barrier_invariant of include/gpuverify.h.
//
// Such an annotation stands directly before a barrier.  What it says of its
// thread becomes an assertion, and the loads in it STMT_LOOKs; whom it names
// is noted for contents.c, which makes facts of it for those who have passed
// the barrier.

#include "translator/from_llvm_calls.h"

static bool is_open(const BarrierInvariant *invariant) {
  return !invariant->barrier;
}

// The last one, if it still waits for its barrier, or NULL.
static BarrierInvariant *open_invariant(const Builder *builder) {
  const Kernel *kernel = builder->kernel;
  size_t count = kernel->barrier_invariants.count;
  BarrierInvariant *last =
      count ? kernel->barrier_invariants.at[count - 1] : NULL;
  return last && is_open(last) ? last : NULL;
}

static void refuse(const Builder *builder) {
  unsupported(builder->task, builder->loc,
              "a barrier invariant that is not directly before a barrier");
}

// What an annotation makes leaves memory as it is.
static bool is_of_annotations(const Stmt *stmt) {
  switch (stmt->kind) {
  case STMT_ASSUME:
  case STMT_ASSERT:
  case STMT_CLAIM:
  case STMT_LOOK:
    return true;
  case STMT_ACCESS:
  case STMT_BARRIER:
  case STMT_FENCE:
    break;
  }
  return false;
}

// Whoever comes to one comes to the other, in the same iteration.
static void close(const Builder *builder, BarrierInvariant *invariant,
                  Stmt *stmt) {
  const Stmt *check = invariant->check;
  if (stmt->kind != STMT_BARRIER || stmt->guard != check->guard ||
      stmt->block->loop != check->block->loop)
    refuse(builder);
  invariant->barrier = stmt;
}

void invariants_meet(Builder *builder, Stmt *stmt) {
  const Kernel *kernel = builder->kernel;
  if (!open_invariant(builder) || is_of_annotations(stmt))
    return;
  for (size_t i = kernel->barrier_invariants.count;
       i > 0 && is_open(kernel->barrier_invariants.at[i - 1]); i--)
    close(builder, kernel->barrier_invariants.at[i - 1], stmt);
}

void want_no_open_invariants(Builder *builder) {
  if (open_invariant(builder) && !builder->is_looking)
    refuse(builder);
}

// -------------------------------------------------------------- the calls ---

void call_at_barrier(Builder *builder, LLVMValueRef call) {
  (void)call;
  builder->is_looking = !annotations_are_ignored(builder);
  builder->alike = (Exprs){0};
}

static void want_no_logs(Builder *builder, Expr *condition) {
  if (has_ghost(builder, condition, GHOST_OCCURRED) ||
      has_ghost(builder, condition, GHOST_OFFSET))
    unsupported(builder->task, builder->loc,
                "a barrier invariant about logged accesses");
}

void call_barrier_invariant(Builder *builder, LLVMValueRef call) {
  Arena *arena = &builder->task->arena;
  if (annotations_are_ignored(builder))
    return;
  Expr *condition = annotation_condition(builder, LLVMGetOperand(call, 0));
  want_no_logs(builder, condition);
  bool is_of_two = is_claim(builder, condition);
  Stmt *check = builder_add(builder, is_of_two ? STMT_CLAIM : STMT_ASSERT);
  check->condition = condition;
  check->message = "barrier invariant";
  check->is_of_barrier = is_of_two;
  BarrierInvariant *invariant = NEW(arena, BarrierInvariant);
  *invariant = (BarrierInvariant){
      .check = check, .is_of_two = is_of_two, .alike = builder->alike};
  push(arena, &builder->kernel->barrier_invariants, invariant);
}

// That with this number along x, and the caller's along y and z.
static NamedThread named_thread(Builder *builder, LLVMValueRef number) {
  Task *task = builder->task;
  Expr *thread = of_partner(builder, scalar_of(builder, number));
  Expr *threads =
      expr_to_width(task, builder->own_size[0], thread->width, false);
  return (NamedThread){.thread = thread,
                       .exists = expr_binary(task, EXPR_ULT, thread, threads)};
}

void call_instantiate(Builder *builder, LLVMValueRef call) {
  BarrierInvariant *invariant = open_invariant(builder);
  if (!invariant)
    return;
  if (invariant->is_of_two)
    unsupported(builder->task, builder->loc,
                "a barrier invariant of two threads for one");
  NamedThread self = named_thread(builder, LLVMGetOperand(call, 0));
  push(&builder->task->arena, &invariant->named,
       ((NamedThreads){.self = self}));
}

void call_instantiate_pair(Builder *builder, LLVMValueRef call) {
  BarrierInvariant *invariant = open_invariant(builder);
  if (!invariant)
    return;
  NamedThreads two = {.self = named_thread(builder, LLVMGetOperand(call, 0)),
                      .other = named_thread(builder, LLVMGetOperand(call, 1))};
  push(&builder->task->arena, &invariant->named, two);
}
