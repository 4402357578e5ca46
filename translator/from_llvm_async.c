// async_work_group_copy and wait_group_events.
//
// All work-items of a group start a copy together; who copies what is not said.
// So we let one work-item, any one, make the whole copy: which one it is is a
// symbol, so a race with any other shows (SOUND(async-copies)).  A copy goes on
// until the group waits for its event; barriers in between do not end it.
//
// Events are followed as far as textbook programs go: a copy stores its event
// in a private variable, or in an element of an array whose index is constant,
// and a wait names a constant range of such elements.  What else writes there
// before the wait loses the event: events.c finds that.  A copy that is given
// the event of an element and stores what it returns there, or nowhere, belongs
// to the event in that element.

#include "translator/from_llvm_calls.h"

enum { EVENT_BYTES = 8 };

static unsigned element_bytes(Builder *builder, LLVMValueRef call) {
  unsigned bytes = llvm_copied_bytes(call);
  if (!bytes)
    unsupported(builder->task, builder->loc,
                "an asynchronous copy of elements of unknown size");
  return bytes;
}

static bool may_matter(LLVMValueRef instruction) {
  return LLVMIsAStoreInst(instruction) || LLVMIsACallInst(instruction) ||
         LLVMIsAAtomicRMWInst(instruction) ||
         LLVMIsAAtomicCmpXchgInst(instruction);
}

// Nothing is written or waited for between them.
static bool is_soon_behind(LLVMValueRef first, LLVMValueRef then) {
  LLVMValueRef at = LLVMGetNextInstruction(first);
  while (at && at != then && !may_matter(at))
    at = LLVMGetNextInstruction(at);
  return at == then;
}

// From the call on the event is taken to lie in its variable.
static LLVMValueRef event_store(LLVMValueRef call) {
  LLVMUseRef use = LLVMGetFirstUse(call);
  LLVMValueRef user = use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
  LLVMValueRef store = user ? LLVMIsAStoreInst(user) : NULL;
  return store && is_soon_behind(call, store) ? store : NULL;
}

// What was read from its variable just before the call is still there.
static LLVMValueRef event_load(LLVMValueRef call, LLVMValueRef given) {
  LLVMValueRef load = LLVMIsALoadInst(given);
  return load && is_soon_behind(load, call) ? load : NULL;
}

static bool find_place(Builder *builder, LLVMValueRef pointer, Event *event) {
  Array *array = NULL;
  bool is_known = constant_place(builder, pointer, &array, &event->offset) &&
                  array->space == SPACE_PRIVATE;
  event->array = is_known ? array : NULL;
  return is_known;
}

static bool is_one_place(const Event *a, const Event *b) {
  return a->array == b->array && a->offset == b->offset;
}

static bool has_wait_since(const Builder *builder, size_t start) {
  const Kernel *kernel = builder->kernel;
  for (size_t i = start; i < kernel->stmts.count; i++) {
    const Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_BARRIER && stmt->barrier.kind == BARRIER_EVENT)
      return true;
  }
  return false;
}

// A copy whose result nobody keeps belongs to the event it was given only if
// there is one: whoever comes here has just started the copy it is of.
static bool has_event(const Builder *builder, const Event *given) {
  for (size_t i = 0; i < builder->events.count; i++) {
    const Event *other = &builder->events.at[i];
    if (is_one_place(other, given) && other->block == builder->block &&
        !has_wait_since(builder, other->start))
      return true;
  }
  return false;
}

static bool find_event(Builder *builder, LLVMValueRef call, Event *event) {
  LLVMValueRef given = LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1);
  LLVMValueRef store = event_store(call);
  if (store && !find_place(builder, LLVMGetOperand(store, 1), event))
    return false;
  if (LLVMIsNull(given))
    return store != NULL;
  LLVMValueRef load = event_load(call, given);
  Event passed = {0};
  if (!load || !find_place(builder, LLVMGetOperand(load, 0), &passed))
    return false;
  if (store) {
    event->is_passed_on = true;
    return is_one_place(event, &passed);
  }
  event->array = passed.array;
  event->offset = passed.offset;
  return !LLVMGetFirstUse(call) && has_event(builder, &passed);
}

static Event claim_event(Builder *builder, LLVMValueRef call) {
  LLVMValueRef given = LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1);
  Event event = {.start = builder->kernel->stmts.count,
                 .block = builder->block};
  if (!LLVMGetFirstUse(call) && LLVMIsNull(given)) { // nobody can wait for it
    event.array = NEW(&builder->task->arena, Array);
    return event;
  }
  if (!find_event(builder, call, &event))
    unsupported(
        builder->task, builder->loc,
        "an asynchronous copy whose event is not kept in a variable, or "
        "in an element that is known");
  push(&builder->task->arena, &builder->events, event);
  return event;
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

// What a call copies, and who does.
typedef struct Copy {
  LLVMValueRef call;
  Expr *performer;
  Event event;
} Copy;

// The pointer may point into several arrays, so there may be several accesses.
static void add_performed(Builder *builder, const Copy *copy,
                          LLVMValueRef pointer, Expr *offset, Access *access) {
  Task *task = builder->task;
  const Kernel *kernel = builder->kernel;
  size_t start = kernel->stmts.count;
  Lane lane = value_of(builder, pointer)->lanes[0];
  lane.bits = expr_add(task, lane.bits, offset);
  access->event = copy->event.array;
  access->event_at = copy->event.offset;
  access->is_passed_on = copy->event.is_passed_on;
  add_access(builder, lane, access);
  for (size_t i = start; i < kernel->stmts.count; i++) {
    Stmt *stmt = kernel->stmts.at[i];
    if (stmt->kind == STMT_ACCESS)
      stmt->guard = expr_and(task, stmt->guard, copy->performer);
  }
}

static void add_copy(Builder *builder, const Copy *copy, unsigned operand,
                     AccessKind kind) {
  Task *task = builder->task;
  Expr *elements = scalar_of(builder, LLVMGetOperand(copy->call, 2));
  Expr *size = bytes_constant(builder, element_bytes(builder, copy->call));
  Access access = {
      .kind = kind,
      .length = expr_mul(task, expr_zext(task, elements, POINTER_BITS), size)};
  add_performed(builder, copy, LLVMGetOperand(copy->call, operand),
                bytes_constant(builder, 0), &access);
}

// Neither a copy's start nor a wait orders what the threads do themselves.
static Barrier *add_meeting(Builder *builder, BarrierKind kind) {
  Barrier *barrier = add_barrier(builder, kind);
  barrier->orders_shared = barrier->orders_global = false;
  return barrier;
}

static Copy start_copy(Builder *builder, LLVMValueRef call) {
  Copy copy = {.call = call, .event = claim_event(builder, call)};
  Barrier *start = add_meeting(builder, BARRIER_COPY);
  for (unsigned operand = 0; operand + 1 < LLVMGetNumArgOperands(call);
       operand++)
    add_alike(builder, start, LLVMGetOperand(call, operand));
  copy.performer = is_performer(builder);
  return copy;
}

void call_async_copy(Builder *builder, LLVMValueRef call) {
  Copy copy = start_copy(builder, call);
  add_copy(builder, &copy, 1, ACCESS_READ);
  add_copy(builder, &copy, 0, ACCESS_WRITE);
  set_value(builder, call,
            value_from(builder, builder_unknown(builder, 64, "event")));
}

// Any one of the elements: which, is a symbol.
static void add_element(Builder *builder, Copy copy, unsigned operand,
                        AccessKind kind) {
  enum { GLOBAL = 1 };
  Task *task = builder->task;
  LLVMValueRef pointer = LLVMGetOperand(copy.call, operand);
  bool is_strided = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == GLOBAL;
  Expr *count = expr_zext(
      task, scalar_of(builder, LLVMGetOperand(copy.call, 2)), POINTER_BITS);
  Expr *stride = expr_zext(
      task, scalar_of(builder, LLVMGetOperand(copy.call, 3)), POINTER_BITS);
  if (expr_is_const(stride) && !stride->value)
    unsupported(task, builder->loc, "a copy with a stride of 0");
  Expr *size = bytes_constant(builder, element_bytes(builder, copy.call));
  Expr *which = builder_unknown(builder, POINTER_BITS, "copied element");
  Expr *place = is_strided ? expr_mul(task, which, stride) : which;
  Access access = {.kind = kind, .length = size, .is_any = true};
  copy.performer =
      expr_and(task, copy.performer, expr_binary(task, EXPR_ULT, which, count));
  add_performed(builder, &copy, pointer, expr_mul(task, place, size), &access);
}

// async_work_group_strided_copy(to, from, elements, stride, event): the
// elements of the array in global memory lie so many elements apart.
void call_async_strided(Builder *builder, LLVMValueRef call) {
  Copy copy = start_copy(builder, call);
  add_element(builder, copy, 1, ACCESS_READ);
  add_element(builder, copy, 0, ACCESS_WRITE);
  set_value(builder, call,
            value_from(builder, builder_unknown(builder, 64, "event")));
}

// Threads that pass different pointers wait for different events, which is
// found; which events they are, if it is the same, is not known, so nothing is
// known of who has come here.
static void wait_for_some(Builder *builder, LLVMValueRef call) {
  Barrier *barrier = add_meeting(builder, BARRIER_EVENT);
  barrier->event = NEW(&builder->task->arena, Array);
  add_alike(builder, barrier, LLVMGetOperand(call, 1));
  Stmt *rest = builder_add(builder, STMT_ASSERT);
  rest->condition = expr_bool(builder->task, false);
  rest->message =
      "a wait for events that are not kept in a variable, or in "
      "elements that are known";
  rest->doubt = "which events are waited for is not known";
}

void call_async_wait(Builder *builder, LLVMValueRef call) {
  Task *task = builder->task;
  Expr *count = scalar_of(builder, LLVMGetOperand(call, 0));
  Event first = {0};
  if (!expr_is_const(count) || count->value > INT32_MAX)
    unsupported(task, builder->loc,
                "a wait for a number of events that is "
                "not constant");
  if (!find_place(builder, LLVMGetOperand(call, 1), &first)) {
    wait_for_some(builder, call);
    return;
  }
  Barrier *barrier = add_meeting(builder, BARRIER_EVENT);
  barrier->event = first.array;
  barrier->event_from = first.offset;
  barrier->event_to = first.offset + count->value * EVENT_BYTES;
}
