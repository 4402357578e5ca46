// Calls of include/gpuverify.h: assertions, assumptions, invariants.
//
// --no-annotations ignores what the user wrote, --only-requires all of it but
// __requires.

#include "translator/from_llvm_calls.h"

static Expr *as_truth(Builder *builder, LLVMValueRef operand) {
  if (builder->is_quiet && builder->has_effect)
    unsupported(builder->task, builder->loc,
                "an annotation that writes or waits: an ordinary compilation "
                "leaves it out");
  Expr *value = scalar_of(builder, operand);
  if (value->width == 1)
    return value;
  return expr_not(builder->task,
                  expr_eq(builder->task, value,
                          expr_const(builder->task, value->width, 0)));
}

Expr *annotation_condition(Builder *builder, LLVMValueRef operand) {
  return known_to_who_is_here(builder, as_truth(builder, operand));
}

static Stmt *add_condition(Builder *builder, StmtKind kind, Expr *condition,
                           const char *message) {
  Stmt *stmt = builder_add(builder, kind);
  stmt->condition = condition;
  stmt->message = message;
  return stmt;
}

// What has to hold here.
static void add_check(Builder *builder, Expr *condition, const char *message) {
  bool is_ghostly = is_claim(builder, condition);
  add_condition(builder, is_ghostly ? STMT_CLAIM : STMT_ASSERT, condition,
                message);
}

// An invariant holds whenever control is at the head of its loop.  One about
// ghosts is checked there, and not used.
static void add_invariant(Builder *builder, Loop *loop, Expr *condition,
                          bool is_asserted) {
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

bool annotations_are_ignored(const Builder *builder) {
  const Options *options = builder->kernel->options;
  return options->no_annotations || options->only_requires;
}

// Any byte of the arrays that the pointer may point into, and so all of them.
static void access_anywhere(Builder *builder, LLVMValueRef call,
                            AccessKind kind) {
  if (annotations_are_ignored(builder))
    return;
  if (builder->kernel->options->check_array_bounds)
    unsupported(builder->task, builder->loc,
                "which bytes a function without a body accesses");
  Lane lane = value_of(builder, LLVMGetOperand(call, 0))->lanes[0];
  lane.bits = builder_unknown(builder, POINTER_BITS, "any byte");
  Access access = {
      .kind = kind, .length = bytes_constant(builder, 1), .is_any = true};
  add_access(builder, lane, &access);
}

void call_reads_from(Builder *builder, LLVMValueRef call) {
  access_anywhere(builder, call, ACCESS_READ);
}

void call_writes_to(Builder *builder, LLVMValueRef call) {
  access_anywhere(builder, call, ACCESS_WRITE);
}

// Each array is one of its own (SOUND(no-alias)), and a pointer that is known
// points into one: nothing has to be believed that is not believed anyway.
void call_fresh_array(Builder *builder, LLVMValueRef call) {
  Lane pointer = value_of(builder, LLVMGetOperand(call, 0))->lanes[0];
  bool is_array =
      expr_is_const(pointer.base) && is_array_number(pointer.base->value);
  want_no_found(builder, roots_of(builder, pointer));
  if (!annotations_are_ignored(builder) &&
      (!is_array || !expr_is_const(pointer.bits) || pointer.bits->value))
    unsupported(builder->task, builder->loc,
                "a fresh array where it is not known that one begins");
}

void call_fail(Builder *builder, LLVMValueRef call) {
  (void)call;
  add_check(builder, expr_bool(builder->task, false), "assertion");
}

void call_effect(Builder *builder, LLVMValueRef call) {
  (void)call;
  unsupported(builder->task, builder->loc,
              builder->row->number
                  ? "a kernel that goes on with what only an annotation knows: "
                    "an ordinary compilation leaves it out"
                  : "an annotation that changes what the kernel computes: an "
                    "ordinary compilation leaves it out");
}

void call_quiet(Builder *builder, LLVMValueRef call) {
  (void)call;
  builder->is_quiet = builder->row->number;
  builder->is_looking = false;
  builder->has_effect = false;
}

// Of ghosts nothing is assumed: none is logged when a kernel begins.
static void require_ghosts(Builder *builder, Expr *condition) {
  if (has_ghost(builder, condition, GHOST_OTHER))
    unsupported(builder->task, builder->loc,
                "a precondition of a kernel about two threads");
  add_condition(builder, STMT_CLAIM, condition, "precondition");
}

void call_assume(Builder *builder, LLVMValueRef call) {
  if (annotations_are_ignored(builder))
    return;
  Expr *condition = annotation_condition(builder, LLVMGetOperand(call, 0));
  if (is_claim(builder, condition))
    unsupported(builder->task, builder->loc,
                "an assumption about logged accesses or the other thread");
  add_condition(builder, STMT_ASSUME, condition, "an assumption");
}

// The kernel is searched for bugs, and its loops go round a few times.
static bool is_unwound(const Builder *builder) {
  return LLVMGetStringAttributeAtIndex(
      builder->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVM_UNWOUND, sizeof LLVM_UNWOUND - 1);
}

// No annotation of the user's, which an option could leave out.
void call_cut(Builder *builder, LLVMValueRef call) {
  (void)call;
  if (!is_unwound(builder))
    unsupported(builder->task, builder->loc,
                "the end of a search, in a kernel that is to be proved");
  Stmt *cut = builder_add(builder, STMT_ASSUME);
  cut->condition = expr_bool(builder->task, false);
  cut->message = "the loop goes round no further";
  cut->is_cut = true;
}

void call_assert(Builder *builder, LLVMValueRef call) {
  if (!annotations_are_ignored(builder))
    add_check(builder, annotation_condition(builder, LLVMGetOperand(call, 0)),
              "assertion");
}

void call_ensured(Builder *builder, LLVMValueRef call) {
  if (!annotations_are_ignored(builder))
    add_check(builder, annotation_condition(builder, LLVMGetOperand(call, 0)),
              "postcondition");
}

// That an invariant is about.
static Loop *loop_here(const Builder *builder) {
  if (!builder->block->loop)
    unsupported(builder->task, builder->loc,
                "an invariant that is not at the head of a loop");
  return builder->block->loop;
}

// All that come to the head of the loop come here, with the same logs.
static bool is_at_head(const Builder *builder, const Loop *loop) {
  const Kernel *kernel = builder->kernel;
  for (size_t i = 0; i < kernel->stmts.count; i++)
    if (kernel->stmts.at[i]->kind == STMT_BARRIER &&
        loop_contains(loop, kernel->stmts.at[i]->block))
      return false;
  return builder->block->guard == loop->header->guard;
}

static void claim_invariant(Builder *builder, const Loop *loop,
                            Expr *condition) {
  if (!is_at_head(builder, loop))
    unsupported(builder->task, builder->loc,
                "an invariant about logged accesses or the other thread that "
                "is not at the head of its loop");
  add_condition(builder, STMT_CLAIM, condition, "loop invariant");
}

// Else it is a guess, which is dropped where it does not hold.
static bool is_demanded(const Builder *builder) {
  return builder->row->number &&
         !builder->kernel->options->invariants_as_candidates;
}

void call_invariant(Builder *builder, LLVMValueRef call) {
  if (annotations_are_ignored(builder))
    return;
  bool is_asserted = is_demanded(builder);
  Expr *condition = annotation_condition(builder, LLVMGetOperand(call, 0));
  if (is_unwound(builder)) {
    if (is_asserted)
      add_check(builder, condition, "loop invariant");
    return;
  }
  Loop *loop = loop_here(builder);
  if (!is_claim(builder, condition))
    add_invariant(builder, loop, condition, is_asserted);
  else if (is_asserted)
    claim_invariant(builder, loop, condition);
}

// Two threads may be elsewhere in many ways.
static void add_global(Builder *builder, Expr *condition, const char *message) {
  is_claim(builder, condition); // or nothing that is known here
  if (builder->block->loop && has_ghost(builder, condition, GHOST_OTHER))
    unsupported(builder->task, builder->loc,
                "a global annotation about two threads in a loop");
  add_condition(builder, STMT_CLAIM, condition, message)->is_global = true;
}

static bool ignores_requires(const Builder *builder) {
  const Options *options = builder->kernel->options;
  return options->no_annotations && !options->only_requires;
}

// Of a kernel it is assumed, for the host sees to it.
void call_requires(Builder *builder, LLVMValueRef call) {
  if (ignores_requires(builder))
    return;
  Expr *condition = annotation_condition(builder, LLVMGetOperand(call, 0));
  if (is_claim(builder, condition))
    require_ghosts(builder, condition);
  else
    add_condition(builder, STMT_ASSUME, condition, "__requires")->is_requires =
        true;
}

// Who calls a function has to see to it.
void call_precondition(Builder *builder, LLVMValueRef call) {
  if (!ignores_requires(builder))
    add_check(builder, annotation_condition(builder, LLVMGetOperand(call, 0)),
              "precondition");
}

void call_global_precondition(Builder *builder, LLVMValueRef call) {
  if (!ignores_requires(builder))
    add_global(builder, as_truth(builder, LLVMGetOperand(call, 0)),
               "global precondition");
}

void call_global_ensured(Builder *builder, LLVMValueRef call) {
  if (!annotations_are_ignored(builder))
    add_global(builder, as_truth(builder, LLVMGetOperand(call, 0)),
               "global postcondition");
}

void call_global_assert(Builder *builder, LLVMValueRef call) {
  if (!annotations_are_ignored(builder))
    add_global(builder, as_truth(builder, LLVMGetOperand(call, 0)),
               "global assertion");
}

void call_global_invariant(Builder *builder, LLVMValueRef call) {
  if (annotations_are_ignored(builder) || is_unwound(builder))
    return;
  Loop *loop = loop_here(builder);
  Expr *condition = annotation_condition(builder, LLVMGetOperand(call, 0));
  if (is_demanded(builder))
    add_global(builder, as_truth(builder, LLVMGetOperand(call, 0)),
               "global loop invariant");
  else if (!is_claim(builder, condition))
    add_invariant(builder, loop, condition, false);
}

// It speaks of what never changes, so it serves every loop of the kernel.
void call_function_invariant(Builder *builder, LLVMValueRef call) {
  if (annotations_are_ignored(builder))
    return;
  bool is_asserted = is_demanded(builder);
  Expr *condition = annotation_condition(builder, LLVMGetOperand(call, 0));
  bool is_ghostly = is_claim(builder, condition);
  if (is_ghostly && is_asserted)
    unsupported(builder->task, builder->loc,
                "a function-wide invariant about logged accesses or the other "
                "thread");
  for (size_t i = 0; !is_ghostly && i < builder->kernel->loops.count; i++)
    add_invariant(builder, builder->kernel->loops.at[i], condition,
                  is_asserted);
}
