// async_work_group_copy and wait_group_events.
//
// All work-items of a group start a copy together; who copies what is not said.
// So we let one work-item, any one, make the whole copy: which one it is is a
// symbol, so a race with any other shows (SOUND(async-copies)).  A copy goes on
// until the group waits for its event; barriers in between do not end it.
//
// Events are followed as far as textbook programs go: a copy outside of loops
// stores its event in a private variable or an array element of its own, and
// a wait names the whole variable or array.

#include "translator/from_llvm_calls.h"

#include <stdlib.h>
#include <string.h>

enum { EVENT_BYTES = 8 };

static unsigned element_bytes(Builder *builder, LLVMValueRef call) {
  unsigned bytes = llvm_copied_bytes(call);
  if (!bytes)
    unsupported(builder->task, builder->loc,
                "an asynchronous copy of elements of unknown size");
  return bytes;
}

static const Array *event_array(Builder *builder, LLVMValueRef pointer) {
  Roots *roots = roots_of(builder, value_of(builder, pointer)->lanes[0]);
  bool is_one = roots->arrays.count == 1 && !roots->is_lost &&
                !roots->may_be_null &&
                roots->arrays.at[0]->space == SPACE_PRIVATE;
  if (!is_one)
    unsupported(builder->task, builder->loc,
                "an event that is not kept in a variable");
  return roots->arrays.at[0];
}

static LLVMValueRef event_store(LLVMValueRef call) {
  LLVMUseRef use = LLVMGetFirstUse(call);
  LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
  return user ? LLVMIsAStoreInst(user) : NULL;
}

// No other copy may have its event in the same place: it would be lost.
static const Array *claim_event(Builder *builder, LLVMValueRef call) {
  if (!LLVMGetFirstUse(call)) // nobody can wait for it
    return NEW(&builder->task->arena, Array);
  LLVMValueRef store = event_store(call);
  Array *array = NULL;
  uint64_t offset = 0;
  bool is_known = store && constant_place(builder, LLVMGetOperand(store, 1),
                                          &array, &offset);
  for (size_t i = 0; is_known && i < builder->events.count; i++) {
    const Event *other = &builder->events.at[i];
    is_known = other->array != array || other->offset != offset;
  }
  bool is_new = LLVMIsNull(LLVMGetOperand(call, 3));
  if (!is_known || !is_new || builder->block->loop)
    unsupported(builder->task, builder->loc,
                "an asynchronous copy in a loop, or whose event is not kept "
                "in a variable of its own");
  Event event = {array, offset, builder->kernel->stmts.count, builder->loc};
  push(&builder->task->arena, &builder->events, event);
  return array;
}

// The work-item that copies: equal for the group, otherwise any.
static Expr *is_performer(Builder *builder) {
  Task *task = builder->task;
  Expr *is_it = expr_bool(task, true);
  for (unsigned axis = 0; axis < 3; axis++) {
    Expr *id = builder->kernel->thread_id[axis];
    bool counts = axis == 0 || builder->reads_thread_id[axis] ||
                  builder->kernel->launch.block[axis].known;
    if (!counts)
      continue;
    builder->reads_thread_id[axis] = true;
    Symbol *symbol =
        builder_symbol(builder, SYMBOL_UNKNOWN, id->width, "copying id");
    symbol->is_vote = true;
    is_it = expr_and(task, is_it, expr_eq(task, id, symbol->expr));
  }
  return is_it;
}

static void add_copy(Builder *builder, LLVMValueRef call, unsigned operand,
                     AccessKind kind, Expr *performer, const Array *event) {
  Task *task = builder->task;
  Expr *elements = scalar_of(builder, LLVMGetOperand(call, 2));
  Expr *size = bytes_constant(builder, element_bytes(builder, call));
  Access access = {
      .kind = kind,
      .event = event,
      .length = expr_mul(task, expr_zext(task, elements, POINTER_BITS), size)};
  LLVMValueRef pointer = LLVMGetOperand(call, operand);
  Stmt *stmt =
      add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  if (stmt)
    stmt->guard = expr_and(task, stmt->guard, performer);
}

// Neither a copy's start nor a wait orders what the threads do themselves.
static Barrier *add_meeting(Builder *builder, BarrierKind kind) {
  Barrier *barrier = add_barrier(builder, kind);
  barrier->orders_shared = barrier->orders_global = false;
  return barrier;
}

void call_async_copy(Builder *builder, LLVMValueRef call) {
  const Array *event = claim_event(builder, call);
  Barrier *start = add_meeting(builder, BARRIER_COPY);
  for (unsigned operand = 0; operand < 3; operand++)
    add_alike(builder, start, LLVMGetOperand(call, operand));
  Expr *performer = is_performer(builder);
  add_copy(builder, call, 1, ACCESS_READ, performer, event);
  add_copy(builder, call, 0, ACCESS_WRITE, performer, event);
  set_value(builder, call,
            value_from(builder, builder_unknown(builder, 64, "event")));
}

static size_t count_copies(const Builder *builder, const Array *array) {
  size_t copies = 0;
  for (size_t i = 0; i < builder->events.count; i++)
    copies += builder->events.at[i].array == array;
  return copies;
}

// A wait is for what the variable holds then: nothing but the copies may write
// it, once the first of them has.
void check_events(Builder *builder) {
  const Kernel *kernel = builder->kernel;
  for (size_t i = 0; i < builder->events.count; i++) {
    const Event *event = &builder->events.at[i];
    size_t writes = 0;
    for (size_t k = event->start; k < kernel->stmts.count; k++) {
      const Stmt *stmt = kernel->stmts.at[k];
      writes += stmt->kind == STMT_ACCESS &&
                stmt->access.array == event->array &&
                stmt->access.kind != ACCESS_READ;
    }
    if (writes > count_copies(builder, event->array))
      unsupported(builder->task, event->loc,
                  "an event whose variable is written again");
  }
}

void call_async_wait(Builder *builder, LLVMValueRef call) {
  Task *task = builder->task;
  Expr *count = scalar_of(builder, LLVMGetOperand(call, 0));
  const Array *array = event_array(builder, LLVMGetOperand(call, 1));
  Expr *bytes = expr_mul(task, expr_to_width(task, count, POINTER_BITS, true),
                         bytes_constant(builder, EVENT_BYTES));
  if (bytes != array->bytes)
    unsupported(task, builder->loc, "a wait for some of an array of events");
  add_meeting(builder, BARRIER_EVENT)->event = array;
}
