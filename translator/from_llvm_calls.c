// Calls: ids, barriers, atomics, annotations, pure functions.
//
// Functions with a body have been inlined; what is left are intrinsics and
// library functions.  intrinsics.def says what each means, one row a
// function.  A pure function is uninterpreted: equal arguments give equal
// results.  Anything that we do not know and that may touch memory ends the
// task.

#include "translator/from_llvm_calls.h"

#include <assert.h>
#include <string.h>

enum { EXACT = false, PREFIX = true };

static const CallRow rows[] = {
#define CALL(match, name, meaning, number)                                     \
  {match, name, CALL_##meaning, number},
#include "translator/intrinsics.def"
#undef CALL
};

// A function that LLVM knows to touch no memory.
static const CallRow pure_row = {EXACT, "", CALL_PURE, 0};

LLVMValueRef called_function(LLVMValueRef call) {
  return LLVMIsAFunction(LLVMGetCalledValue(call));
}

static const char *called_name(Task *task, LLVMValueRef call) {
  size_t length = 0;
  LLVMValueRef function = called_function(call);
  return plain_name(task, LLVMGetValueName2(function, &length));
}

// An intrinsic that depends on the other threads: LLVM's convergent.  All of
// OpenCL's functions are marked so; of those, the table knows the ones it is
// true of.
static bool is_collective(LLVMValueRef call) {
  size_t length = 0;
  LLVMValueRef function = called_function(call);
  const char *name = LLVMGetValueName2(function, &length);
  unsigned kind = LLVMGetEnumAttributeKindForName("convergent", 10);
  return strncmp(name, "llvm.", 5) == 0 &&
         LLVMGetEnumAttributeAtIndex(
             function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

// LLVM's memory(none).
static bool touches_no_memory(LLVMValueRef call) {
  unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
  LLVMAttributeRef memory = LLVMGetEnumAttributeAtIndex(
      called_function(call), (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      kind);
  return memory && LLVMGetEnumAttributeValue(memory) == 0 &&
         !is_collective(call);
}

static const CallRow *find_row(Task *task, LLVMValueRef call) {
  if (!called_function(call))
    return NULL;
  const char *name = called_name(task, call);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t length = strlen(rows[i].name);
    if (rows[i].is_prefix ? strncmp(name, rows[i].name, length) == 0
                          : strcmp(name, rows[i].name) == 0)
      return &rows[i];
  }
  return touches_no_memory(call) ? &pure_row : NULL;
}

bool call_is_pure(Task *task, LLVMValueRef call) {
  const CallRow *row = find_row(task, call);
  if (!row)
    return false;
  if (row->meaning == CALL_TILE)
    return !strstr(called_name(task, call), ".store.");
  return row->meaning != CALL_MEMCPY && row->meaning != CALL_MEMSET &&
         row->meaning != CALL_FILL && row->meaning != CALL_ASYNC_COPY &&
         row->meaning != CALL_STORE_ROWS && row->meaning != CALL_VSTORE &&
         row->meaning != CALL_CL_ATOMIC &&
         row->meaning != CALL_CL_ATOMIC_STEP &&
         row->meaning != CALL_NVVM_ATOMIC && row->meaning != CALL_PURE_OUT &&
         row->meaning != CALL_UNMODELLED;
}

// --------------------------------------------------------- ids and sizes ---

static Expr *read_thread_id(Builder *builder, unsigned axis) {
  builder->reads_thread_id[axis] = true;
  return builder->kernel->thread_id[axis];
}

static Expr *read_block_id(Builder *builder, unsigned axis) {
  builder->reads_block_id[axis] = true;
  return builder->kernel->block_id[axis];
}

// Lanes count x first: (z * blockDim.y + y) * blockDim.x + x, modulo 32.
static Expr *linear_thread_id(Builder *builder) {
  Task *task = builder->task;
  Expr *linear = read_thread_id(builder, 2);
  for (unsigned axis = 2; axis-- > 0;)
    linear = expr_add(task,
                      expr_mul(task, linear, builder->kernel->block_size[axis]),
                      read_thread_id(builder, axis));
  return linear;
}

Expr *lane_of_thread(Builder *builder) {
  return expr_binary(builder->task, EXPR_AND, linear_thread_id(builder),
                     expr_const(builder->task, 32, 31));
}

static unsigned constant_axis(Builder *builder, LLVMValueRef call) {
  Expr *axis = scalar_of(builder, LLVMGetOperand(call, 0));
  if (!expr_is_const(axis))
    unsupported(builder->task, builder->loc,
                "%s of a dimension that is not constant",
                called_name(builder->task, call));
  return axis->value > 3 ? 3 : (unsigned)axis->value;
}

static Expr *global_id(Builder *builder, unsigned axis) {
  Task *task = builder->task;
  const Kernel *kernel = builder->kernel;
  Expr *group = wide_id(builder, read_block_id(builder, axis));
  Expr *size = wide_id(builder, kernel->block_size[axis]);
  Expr *sum = expr_add(task, expr_mul(task, group, size),
                       wide_id(builder, read_thread_id(builder, axis)));
  return expr_add(task, sum, expr_const(task, 64, kernel->launch.offset[axis]));
}

static Expr *opencl_id(Builder *builder, Meaning meaning, unsigned axis) {
  Task *task = builder->task;
  const Kernel *kernel = builder->kernel;
  bool is_size = meaning == CALL_CL_LOCAL_SIZE ||
                 meaning == CALL_CL_NUM_GROUPS ||
                 meaning == CALL_CL_GLOBAL_SIZE;
  if (axis > 2)
    return expr_const(task, 64, is_size);
  if (meaning == CALL_CL_LOCAL_ID)
    return wide_id(builder, read_thread_id(builder, axis));
  if (meaning == CALL_CL_GROUP_ID)
    return wide_id(builder, read_block_id(builder, axis));
  if (meaning == CALL_CL_LOCAL_SIZE)
    return wide_id(builder, kernel->block_size[axis]);
  if (meaning == CALL_CL_NUM_GROUPS)
    return wide_id(builder, kernel->grid_size[axis]);
  if (meaning == CALL_CL_GLOBAL_OFFSET)
    return expr_const(task, 64, kernel->launch.offset[axis]);
  if (meaning == CALL_CL_GLOBAL_ID)
    return global_id(builder, axis);
  assert(meaning == CALL_CL_GLOBAL_SIZE);
  return expr_mul(task, wide_id(builder, kernel->block_size[axis]),
                  wide_id(builder, kernel->grid_size[axis]));
}

static bool translate_id(Builder *builder, LLVMValueRef call,
                         const CallRow *row) {
  unsigned axis = (unsigned)row->number;
  switch (row->meaning) {
  case CALL_THREAD_ID:
    set_scalar(builder, call, read_thread_id(builder, axis));
    return true;
  case CALL_BLOCK_ID:
    set_scalar(builder, call, read_block_id(builder, axis));
    return true;
  case CALL_BLOCK_SIZE:
    builder->reads_thread_id[axis] = true;
    set_scalar(builder, call, builder->kernel->block_size[axis]);
    return true;
  case CALL_GRID_SIZE:
    builder->reads_block_id[axis] = true;
    set_scalar(builder, call, builder->kernel->grid_size[axis]);
    return true;
  case CALL_LANE_ID:
    set_scalar(builder, call, lane_of_thread(builder));
    return true;
  case CALL_CL_LOCAL_LINEAR:
    set_scalar(builder, call, wide_id(builder, linear_thread_id(builder)));
    return true;
  case CALL_CL_LOCAL_ID:
  case CALL_CL_GROUP_ID:
  case CALL_CL_GLOBAL_ID:
  case CALL_CL_LOCAL_SIZE:
  case CALL_CL_NUM_GROUPS:
  case CALL_CL_GLOBAL_SIZE:
  case CALL_CL_GLOBAL_OFFSET:
    set_scalar(builder, call,
               opencl_id(builder, row->meaning, constant_axis(builder, call)));
    return true;
  default:
    return false;
  }
}

// -------------------------------------------------------------- barriers ---

static Barrier *add_barrier(Builder *builder, BarrierKind kind) {
  Barrier *barrier = &builder_add(builder, STMT_BARRIER)->barrier;
  *barrier =
      (Barrier){.kind = kind, .orders_shared = true, .orders_global = true};
  return barrier;
}

// OpenCL: the barrier orders the memory that its flags name.  Flags that are
// not constant order nothing that we could rely on.
static void add_flagged_barrier(Builder *builder, LLVMValueRef call) {
  enum { LOCAL_FENCE = 1, GLOBAL_FENCE = 2 };
  Expr *flags = scalar_of(builder, LLVMGetOperand(call, 0));
  uint64_t known = expr_is_const(flags) ? flags->value : 0;
  Barrier *barrier = add_barrier(builder, BARRIER_BLOCK);
  barrier->orders_shared = known & LOCAL_FENCE;
  barrier->orders_global = known & GLOBAL_FENCE;
}

static void set_uniform(Builder *builder, LLVMValueRef call, SymbolKind kind) {
  LLVMTypeRef type = LLVMTypeOf(call);
  LlvmValue *value = value_new(builder, lanes_of_type(builder, type));
  for (unsigned i = 0; i < value->count; i++) {
    unsigned bits = scalar_bits(builder, lane_type(builder, type, i));
    Symbol *symbol = builder_symbol(builder, kind, bits, "group value");
    symbol->is_vote = kind == SYMBOL_UNKNOWN;
    value->lanes[i].bits = symbol->expr;
  }
  set_value(builder, call, value);
}

// A barrier of all threads by its number, operand 0 where there is one.
// Threads that name different barriers do not meet.
static void add_block_barrier(Builder *builder, LLVMValueRef call) {
  bool is_known = LLVMGetNumArgOperands(call) == 0 ||
                  expr_is_const(scalar_of(builder, LLVMGetOperand(call, 0)));
  if (!is_known)
    unsupported(builder->task, builder->loc,
                "a barrier whose number is not constant");
  add_barrier(builder, BARRIER_BLOCK);
}

// Which lanes a mask names decides what the barrier orders, and who waits.
static void add_warp_barrier(Builder *builder, Expr *mask) {
  if (!expr_is_const(mask) || mask->value != 0xffffffff)
    unsupported(builder->task, builder->loc,
                "a warp barrier for some of the lanes");
  add_barrier(builder, BARRIER_WARP)->mask = mask;
}

// --------------------------------------------------------------- lanes ---

void add_whole_warp(Builder *builder) {
  Barrier *barrier = &builder_add(builder, STMT_BARRIER)->barrier;
  *barrier = (Barrier){.kind = BARRIER_LANES,
                       .mask = expr_const(builder->task, 32, UINT32_MAX)};
}

static void forget_result(Builder *builder, LLVMValueRef call) {
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    set_unknown(builder, call, called_name(builder->task, call));
}

// Lanes of a warp tell each other something, see lanes.c.
static void add_exchange(Builder *builder, LLVMValueRef call,
                         const CallRow *row) {
  Barrier barrier = {.kind = row->meaning == CALL_SUB_GROUP ? BARRIER_SUB_GROUP
                                                            : BARRIER_LANES};
  bool has_mask =
      row->meaning != CALL_SUB_GROUP && row->meaning != CALL_LANES_ACTIVE;
  if (has_mask)
    barrier.mask =
        scalar_of(builder, LLVMGetOperand(call, (unsigned)row->number));
  forget_result(builder, call);
  if (row->meaning == CALL_LANES_BALLOT || row->meaning == CALL_LANES_MATCH ||
      row->meaning == CALL_LANES_ACTIVE) {
    barrier.told = scalar_of(builder, call)->symbol;
    barrier.chosen = row->meaning == CALL_LANES_BALLOT
                         ? scalar_of(builder, LLVMGetOperand(call, 1))
                         : expr_bool(builder->task, true);
  }
  builder_add(builder, STMT_BARRIER)->barrier = barrier;
}

static bool translate_exchange(Builder *builder, LLVMValueRef call,
                               const CallRow *row) {
  switch (row->meaning) {
  case CALL_LANES:
  case CALL_LANES_BALLOT:
  case CALL_LANES_MATCH:
  case CALL_LANES_ACTIVE:
  case CALL_SUB_GROUP:
    add_exchange(builder, call, row);
    return true;
  case CALL_WHOLE_WARP:
    add_whole_warp(builder);
    forget_result(builder, call);
    return true;
  default:
    return false;
  }
}

static bool translate_barrier(Builder *builder, LLVMValueRef call,
                              const CallRow *row) {
  Barrier *barrier;
  switch (row->meaning) {
  case CALL_BARRIER:
    add_block_barrier(builder, call);
    return true;
  case CALL_BARRIER_VOTE:
    if (strstr(row->name, ".cta."))
      add_block_barrier(builder, call);
    else
      add_barrier(builder, BARRIER_BLOCK);
    set_uniform(builder, call, SYMBOL_UNKNOWN);
    return true;
  case CALL_BARRIER_GRID:
    add_barrier(builder, BARRIER_GRID);
    return true;
  case CALL_BARRIER_FLAGS:
    add_flagged_barrier(builder, call);
    return true;
  case CALL_BARRIER_WARP:
    add_warp_barrier(builder, scalar_of(builder, LLVMGetOperand(call, 0)));
    return true;
  case CALL_ASYNC_COPY:
    translate_async_copy(builder, call);
    return true;
  case CALL_ASYNC_WAIT:
    translate_async_wait(builder, call);
    return true;
  case CALL_GROUP_VOTE:
  case CALL_GROUP_SCAN:
    barrier = add_barrier(builder, BARRIER_BLOCK);
    barrier->orders_shared = barrier->orders_global = false;
    if (row->meaning == CALL_GROUP_VOTE)
      set_uniform(builder, call, SYMBOL_UNKNOWN);
    else
      set_unknown(builder, call, "scan");
    return true;
  default:
    return false;
  }
}

// -------------------------------------------------------- pure functions ---

enum { PURE_ARGS = 16 };

static unsigned all_args(Builder *builder, LLVMValueRef call, Expr **args) {
  unsigned count = 0;
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
    LLVMValueRef operand = LLVMGetOperand(call, k);
    if (LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMMetadataTypeKind)
      return 0;
    LlvmValue *value = value_of(builder, operand);
    for (unsigned i = 0; i < value->count; i++) {
      if (count == PURE_ARGS || value->lanes[i].base)
        return 0;
      args[count++] = value->lanes[i].bits;
    }
  }
  return count;
}

static void translate_pure(Builder *builder, LLVMValueRef call) {
  Task *task = builder->task;
  LLVMTypeRef type = LLVMTypeOf(call);
  size_t length = 0;
  const char *name = LLVMGetValueName2(called_function(call), &length);
  Expr *args[PURE_ARGS];
  unsigned count = all_args(builder, call, args);
  if (count == 0) {
    set_unknown(builder, call, plain_name(task, name));
    return;
  }
  LlvmValue *result = value_new(builder, lanes_of_type(builder, type));
  for (unsigned i = 0; i < result->count; i++) {
    LLVMTypeRef scalar = lane_type(builder, type, i);
    unsigned bits = scalar_bits(builder, scalar);
    const char *function =
        arena_printf(&task->arena, "%s/%u.%u", name, i, bits);
    result->lanes[i] = lane_unknown(builder, scalar, "result");
    if (!result->lanes[i].base)
      result->lanes[i].bits = expr_apply(task, function, bits, args, count);
  }
  set_value(builder, call, result);
}

static void translate_pure_out(Builder *builder, LLVMValueRef call,
                               unsigned bytes) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    LLVMValueRef operand = LLVMGetOperand(call, i);
    if (LLVMGetTypeKind(LLVMTypeOf(operand)) != LLVMPointerTypeKind)
      continue;
    Access access = {.kind = ACCESS_WRITE,
                     .length = bytes_constant(builder, bytes)};
    add_access(builder, value_of(builder, operand)->lanes[0], &access);
  }
  set_unknown(builder, call, called_name(builder->task, call));
}

// ---------------------------------------------------------------- memory ---

static void add_range(Builder *builder, LLVMValueRef call, unsigned operand,
                      unsigned bytes, AccessKind kind) {
  LLVMValueRef pointer = LLVMGetOperand(call, operand);
  Expr *length = scalar_of(builder, LLVMGetOperand(call, bytes));
  Access access = {.kind = kind,
                   .length = expr_zext(builder->task, length, 64)};
  Loc loc = builder->loc;
  if (expr_is_const(access.length) && access.length->value == 0)
    return;
  add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  builder->loc = loc;
}

static unsigned lane_bytes(Builder *builder, LLVMTypeRef type) {
  return (scalar_bits(builder, type) + 7) / 8;
}

// vloadn(offset, p) and vstoren(data, offset, p) touch the n elements from
// p + n * offset on.
static Lane vector_place(Builder *builder, LLVMValueRef pointer,
                         LLVMValueRef offset, unsigned bytes) {
  Task *task = builder->task;
  Lane lane = value_of(builder, pointer)->lanes[0];
  Expr *index = expr_zext(task, scalar_of(builder, offset), 64);
  lane.bits = expr_add(task, lane.bits,
                       expr_mul(task, index, bytes_constant(builder, bytes)));
  return lane;
}

static void translate_vload(Builder *builder, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  unsigned bytes = lanes_of_type(builder, type) *
                   lane_bytes(builder, lane_type(builder, type, 0));
  LLVMValueRef pointer = LLVMGetOperand(call, 1);
  Access access = {.kind = ACCESS_READ,
                   .length = bytes_constant(builder, bytes)};
  add_access(builder,
             vector_place(builder, pointer, LLVMGetOperand(call, 0), bytes),
             &access);
  set_unknown(builder, call, "loaded value");
}

static void translate_vstore(Builder *builder, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, 0));
  unsigned bytes = lanes_of_type(builder, type) *
                   lane_bytes(builder, lane_type(builder, type, 0));
  LLVMValueRef pointer = LLVMGetOperand(call, 2);
  Access access = {.kind = ACCESS_WRITE,
                   .length = bytes_constant(builder, bytes)};
  add_access(builder,
             vector_place(builder, pointer, LLVMGetOperand(call, 1), bytes),
             &access);
}

// The scope of an OpenCL 2 atomic is its last operand if it has one; else it
// is the device.  A scope that is not constant promises nothing.
static Scope cl_scope(Builder *builder, LLVMValueRef call) {
  static const Scope scopes[] = {SCOPE_THREAD, SCOPE_BLOCK, SCOPE_GRID,
                                 SCOPE_SYSTEM, SCOPE_WARP};
  size_t length = 0;
  const char *name = LLVMGetValueName2(called_function(call), &length);
  if (!strstr(name, "memory_scope"))
    return SCOPE_GRID;
  unsigned last = LLVMGetNumArgOperands(call) - 1;
  Expr *scope = scalar_of(builder, LLVMGetOperand(call, last));
  bool is_known =
      expr_is_const(scope) && scope->value < sizeof scopes / sizeof *scopes;
  return is_known ? scopes[scope->value] : SCOPE_THREAD;
}

// OpenCL's atomics: the pointer is the first operand.
static void translate_cl_atomic(Builder *builder, LLVMValueRef call,
                                const CallRow *row) {
  Task *task = builder->task;
  LLVMTypeRef type = LLVMTypeOf(call);
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  bool is_void = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
  if (is_void && LLVMGetNumArgOperands(call) > 1)
    type = LLVMTypeOf(LLVMGetOperand(call, 1));
  unsigned bits = is_void && LLVMGetNumArgOperands(call) == 1
                      ? 32
                      : scalar_bits(builder, type);
  Symbol *old = builder_symbol(builder, SYMBOL_ATOMIC, bits, "old value");
  Access access = {.kind = ACCESS_ATOMIC,
                   .scope = cl_scope(builder, call),
                   .length = bytes_constant(builder, (bits + 7) / 8),
                   .result = old};
  Expr *step = expr_const(task, bits, 1);
  if (row->meaning == CALL_CL_ATOMIC && row->number != 0)
    step = scalar_of(builder, LLVMGetOperand(call, 1));
  if (row->number < 0)
    step = expr_sub(task, expr_const(task, bits, 0), step);
  access.is_add = row->number != 0 && expr_is_const(step) && step->value != 0;
  access.step = access.is_add ? step->value : 0;
  old->stmt =
      add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  if (!is_void)
    set_scalar(builder, call, old->expr);
}

// Scoped atomics of NVPTX; without a known scope in the name they have the
// device's, which is PTX's default.
static void translate_nvvm_atomic(Builder *builder, LLVMValueRef call) {
  const char *name = called_name(builder->task, call);
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  LLVMTypeRef type = LLVMTypeOf(call);
  unsigned bits = scalar_bits(builder, type);
  Symbol *old = builder_symbol(builder, SYMBOL_ATOMIC, bits, "old value");
  Access access = {.kind = ACCESS_ATOMIC,
                   .scope = strstr(name, ".cta.") ? SCOPE_BLOCK : SCOPE_GRID,
                   .length = bytes_constant(builder, (bits + 7) / 8),
                   .result = old};
  Expr *operand = scalar_of(builder, LLVMGetOperand(call, 1));
  access.is_add = strstr(name, ".add.") && strstr(name, ".i.") &&
                  expr_is_const(operand) && operand->value != 0;
  access.step = access.is_add ? operand->value : 0;
  old->stmt =
      add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  set_scalar(builder, call, old->expr);
}

static void translate_ldg(Builder *builder, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  unsigned bytes = lanes_of_type(builder, type) *
                   lane_bytes(builder, lane_type(builder, type, 0));
  Access access = {.kind = ACCESS_READ,
                   .length = bytes_constant(builder, bytes)};
  add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  set_unknown(builder, call, "loaded value");
}

static bool translate_memory(Builder *builder, LLVMValueRef call,
                             const CallRow *row) {
  switch (row->meaning) {
  case CALL_MEMCPY:
    add_range(builder, call, 1, 2, ACCESS_READ);
    add_range(builder, call, 0, 2, ACCESS_WRITE);
    return true;
  case CALL_MEMSET:
    add_range(builder, call, 0, 2, ACCESS_WRITE);
    return true;
  case CALL_FILL:
    add_range(builder, call, 0, 1, ACCESS_WRITE);
    return true;
  case CALL_LDG:
    translate_ldg(builder, call);
    return true;
  case CALL_NVVM_ATOMIC:
    translate_nvvm_atomic(builder, call);
    return true;
  case CALL_TILE:
    translate_tile(builder, call);
    return true;
  case CALL_LOAD_ROWS:
    translate_matrix_rows(builder, call, ACCESS_READ);
    return true;
  case CALL_STORE_ROWS:
    translate_matrix_rows(builder, call, ACCESS_WRITE);
    return true;
  case CALL_VLOAD:
    translate_vload(builder, call);
    return true;
  case CALL_VSTORE:
    translate_vstore(builder, call);
    return true;
  case CALL_CL_ATOMIC:
  case CALL_CL_ATOMIC_STEP:
    translate_cl_atomic(builder, call, row);
    return true;
  default:
    return false;
  }
}

// ----------------------------------------------------------- annotations ---

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

static void translate_invariant(Builder *builder, Expr *condition,
                                bool is_asserted) {
  Loop *loop = builder->block->loop;
  if (!loop)
    unsupported(builder->task, builder->loc,
                "an invariant that is not at the head of a loop");
  add_invariant(builder, loop, condition, is_asserted);
}

// It speaks of what never changes, so it serves every loop of the kernel.
static void translate_function_invariant(Builder *builder, Expr *condition,
                                         bool is_asserted) {
  for (size_t i = 0; i < builder->kernel->loops.count; i++)
    add_invariant(builder, builder->kernel->loops.at[i], condition,
                  is_asserted);
}

static bool translate_annotation(Builder *builder, LLVMValueRef call,
                                 const CallRow *row) {
  const Options *options = builder->kernel->options;
  switch (row->meaning) {
  case CALL_FAIL:
    add_condition(builder, STMT_ASSERT, expr_bool(builder->task, false),
                  "assertion");
    return true;
  case CALL_QUIET:
    builder->is_quiet = row->number;
    return true;
  case CALL_REQUIRES:
    if (!options->no_annotations || options->only_requires) {
      add_condition(builder, STMT_ASSUME,
                    as_condition(builder, LLVMGetOperand(call, 0)),
                    "__requires");
      builder->kernel->stmts.at[builder->kernel->stmts.count - 1]->is_requires =
          true;
    }
    return true;
  case CALL_ASSUME:
    if (!options->no_annotations && !options->only_requires)
      add_condition(builder, STMT_ASSUME,
                    as_condition(builder, LLVMGetOperand(call, 0)),
                    "an assumption");
    return true;
  case CALL_ASSERT:
    if (!options->no_annotations && !options->only_requires)
      add_condition(builder, STMT_ASSERT,
                    as_condition(builder, LLVMGetOperand(call, 0)),
                    "assertion");
    return true;
  case CALL_INVARIANT:
    if (!options->no_annotations && !options->only_requires)
      translate_invariant(
          builder, as_condition(builder, LLVMGetOperand(call, 0)), row->number);
    return true;
  case CALL_FUNCTION_INVARIANT:
    if (!options->no_annotations && !options->only_requires)
      translate_function_invariant(
          builder, as_condition(builder, LLVMGetOperand(call, 0)), row->number);
    return true;
  default:
    return false;
  }
}

// -------------------------------------------------------------- dispatch ---

// SOUND(textures): one instruction, which reads a texture; clang's headers for
// the SDK are made of such.
static bool is_texture_read(const char *text) {
  const char *end = strchr(text, ';');
  bool is_one = end && !end[1 + strspn(end + 1, " \t\n")];
  return is_one && (!strncmp(text, "tex.", 4) || !strncmp(text, "tld4.", 5));
}

// Assembly that is not volatile and clobbers no memory computes a value, if it
// reads none either: PTX writes addresses in brackets.  Nor may it wait.
static bool is_asm_pure(LLVMValueRef called, const char *text) {
  size_t length = 0;
  const char *constraints = LLVMGetInlineAsmConstraintString(called, &length);
  return !LLVMGetInlineAsmHasSideEffects(called) &&
         !strstr(constraints, "memory") && !strchr(constraints, '*') &&
         !strchr(text, '[') && !strstr(text, "bar");
}

static void translate_asm(Builder *builder, LLVMValueRef called) {
  size_t length = 0;
  const char *text = LLVMGetInlineAsmAsmString(called, &length);
  if (length && !is_asm_pure(called, text) && !is_texture_read(text))
    unsupported(builder->task, builder->loc, "inline assembly '%.60s'", text);
}

static void translate_rest(Builder *builder, LLVMValueRef call,
                           const CallRow *row) {
  LlvmValue *value;
  switch (row->meaning) {
  case CALL_NUMBER:
    set_scalar(builder, call,
               expr_const(builder->task, scalar_bits(builder, LLVMTypeOf(call)),
                          (uint64_t)row->number));
    break;
  case CALL_UNKNOWN:
    set_unknown(builder, call, called_name(builder->task, call));
    break;
  case CALL_UNIFORM:
    set_uniform(builder, call, SYMBOL_LAUNCH);
    break;
  case CALL_GHOST:
    set_unknown(builder, call, "logged access");
    value = value_of(builder, call);
    for (unsigned i = 0; i < value->count; i++)
      value->lanes[i].bits->symbol->is_ghost = true;
    break;
  case CALL_PURE:
  case CALL_CL_SELECT:
  case CALL_CL_CLAMP:
  case CALL_CL_MAX:
  case CALL_CL_MIN:
  case CALL_CL_MUL24:
  case CALL_CL_MAD24:
    translate_pure(builder, call);
    break;
  case CALL_PURE_OUT:
    translate_pure_out(builder, call, (unsigned)row->number);
    break;
  case CALL_FENCE:
    builder_add(builder, STMT_FENCE);
    break;
  case CALL_NOTHING:
    break;
  default:
    unsupported(builder->task, builder->loc, "a call of '%s'",
                called_name(builder->task, call));
  }
}

void translate_call(Builder *builder, LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(called)) {
    translate_asm(builder, called);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
      set_unknown(builder, call, "assembly");
    return;
  }
  if (!called_function(call))
    unsupported(builder->task, builder->loc,
                "a call through a function pointer");
  if (!LLVMIsDeclaration(called))
    unsupported(builder->task, builder->loc, "a recursive call of '%s'",
                called_name(builder->task, call));
  const CallRow *row = find_row(builder->task, call);
  if (!row || !operands_fit(builder, call, row))
    unsupported(builder->task, builder->loc, "a call of '%s'",
                called_name(builder->task, call));
  if (!translate_id(builder, call, row) &&
      !translate_barrier(builder, call, row) &&
      !translate_exchange(builder, call, row) &&
      !translate_integer(builder, call, row) &&
      !translate_memory(builder, call, row) &&
      !translate_annotation(builder, call, row))
    translate_rest(builder, call, row);
  if (!result_fits(builder, call))
    unsupported(builder->task, builder->loc, "a call of '%s' for a '%s'",
                called_name(builder->task, call),
                llvm_type_text(builder->task, LLVMTypeOf(call)));
}
