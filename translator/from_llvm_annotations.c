// Calls of include/gpuverify.h: assertions, assumptions, invariants.
//
// --no-annotations ignores what the user wrote, --only-requires all of it but
// __requires.

#include "translator/from_llvm_calls.h"

static bool mentions_ghost(Builder *builder, Expr *condition) {
  Symbols symbols = {0};
  expr_symbols(builder->task, condition, &symbols);
  for (size_t i = 0; i < symbols.count; i++)
    if (symbols.at[i]->is_ghost)
      return true;
  return false;
}

static Expr *as_condition(Builder *builder, LLVMValueRef operand) {
  Expr *value = scalar_of(builder, operand);
  if (value->width == 1)
    return value;
  return expr_not(builder->task,
                  expr_eq(builder->task, value,
                          expr_const(builder->task, value->width, 0)));
}

static void add_condition(Builder *builder, StmtKind kind, Expr *condition,
                          const char *message) {
  if (mentions_ghost(builder, condition))
    unsupported(builder->task, builder->loc,
                "an annotation about logged accesses that is no invariant");
  Stmt *stmt = builder_add(builder, kind);
  stmt->condition = condition;
  stmt->message = message;
}

// An invariant holds whenever control is at the head of its loop.  What it
// says of logged accesses is not needed by this verifier, and not used.
static void add_invariant(Builder *builder, Loop *loop, Expr *condition,
                          bool is_asserted) {
  if (mentions_ghost(builder, condition))
    return;
  if (!is_asserted) {
    push(&builder->task->arena, &loop->candidates, condition);
    return;
  }
  Stmt *stmt = NEW(&builder->task->arena, Stmt);
  stmt->kind = STMT_ASSERT;
  stmt->loc = builder->loc;
  stmt->block = loop->header;
  stmt->guard = loop->header->guard;
  stmt->condition = condition;
  push(&builder->task->arena, &loop->asserted, stmt);
}

// -------------------------------------------------------------- the calls ---

static bool is_ignored(const Builder *builder) {
  const Options *options = builder->kernel->options;
  return options->no_annotations || options->only_requires;
}

// Any byte of the arrays that the pointer may point into, and so all of them.
static void access_anywhere(Builder *builder, LLVMValueRef call,
                            AccessKind kind) {
  if (is_ignored(builder))
    return;
  if (builder->kernel->options->check_array_bounds)
    unsupported(builder->task, builder->loc,
                "which bytes a function without a body accesses");
  Lane lane = value_of(builder, LLVMGetOperand(call, 0))->lanes[0];
  lane.bits = builder_unknown(builder, POINTER_BITS, "any byte");
  Access access = {.kind = kind, .length = bytes_constant(builder, 1)};
  add_access(builder, lane, &access);
}

void call_reads_from(Builder *builder, LLVMValueRef call) {
  access_anywhere(builder, call, ACCESS_READ);
}

void call_writes_to(Builder *builder, LLVMValueRef call) {
  access_anywhere(builder, call, ACCESS_WRITE);
}

void call_fail(Builder *builder, LLVMValueRef call) {
  (void)call;
  add_condition(builder, STMT_ASSERT, expr_bool(builder->task, false),
                "assertion");
}

void call_quiet(Builder *builder, LLVMValueRef call) {
  (void)call;
  builder->is_quiet = builder->row->number;
}

void call_requires(Builder *builder, LLVMValueRef call) {
  const Kernel *kernel = builder->kernel;
  if (kernel->options->no_annotations && !kernel->options->only_requires)
    return;
  add_condition(builder, STMT_ASSUME,
                as_condition(builder, LLVMGetOperand(call, 0)), "__requires");
  kernel->stmts.at[kernel->stmts.count - 1]->is_requires = true;
}

void call_assume(Builder *builder, LLVMValueRef call) {
  if (!is_ignored(builder))
    add_condition(builder, STMT_ASSUME,
                  as_condition(builder, LLVMGetOperand(call, 0)),
                  "an assumption");
}

void call_assert(Builder *builder, LLVMValueRef call) {
  if (!is_ignored(builder))
    add_condition(builder, STMT_ASSERT,
                  as_condition(builder, LLVMGetOperand(call, 0)), "assertion");
}

void call_invariant(Builder *builder, LLVMValueRef call) {
  if (is_ignored(builder))
    return;
  Expr *condition = as_condition(builder, LLVMGetOperand(call, 0));
  Loop *loop = builder->block->loop;
  if (!loop)
    unsupported(builder->task, builder->loc,
                "an invariant that is not at the head of a loop");
  add_invariant(builder, loop, condition, builder->row->number);
}

// It speaks of what never changes, so it serves every loop of the kernel.
void call_function_invariant(Builder *builder, LLVMValueRef call) {
  if (is_ignored(builder))
    return;
  Expr *condition = as_condition(builder, LLVMGetOperand(call, 0));
  for (size_t i = 0; i < builder->kernel->loops.count; i++)
    add_invariant(builder, builder->kernel->loops.at[i], condition,
                  builder->row->number);
}
