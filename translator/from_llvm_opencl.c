// Calls of OpenCL's built-in functions: ids and sizes, barriers with flags,
// vectors in memory, atomics.
//
// From OpenCL 2 on the last group of an axis may be smaller than the others,
// unless the program was compiled with -cl-uniform-work-group-size: then
// get_local_size is another number there than get_enqueued_local_size, and the
// global ids go on where those of full groups would (Builder.own_size).

#include "translator/from_llvm_calls.h"

#include <assert.h>
#include <string.h>

// -------------------------------------------------------- ids and sizes ---

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
  return expr_add(task, sum, wide_id(builder, kernel->global_offset[axis]));
}

// The sizes alone do not make a dimension one that the kernel reads:
// SOUND(unused-dimensions).
static Expr *size_of(Builder *builder, Meaning meaning, unsigned axis) {
  const Kernel *kernel = builder->kernel;
  if (axis > 2)
    return expr_const(builder->task, 64, 1);
  if (meaning == CALL_CL_LOCAL_SIZE)
    return wide_id(builder, builder->own_size[axis]);
  if (meaning == CALL_CL_ENQUEUED_SIZE)
    return wide_id(builder, kernel->block_size[axis]);
  if (meaning == CALL_CL_NUM_GROUPS)
    return wide_id(builder, kernel->grid_size[axis]);
  assert(meaning == CALL_CL_GLOBAL_SIZE);
  return llvm_global_size(builder, axis);
}

static Expr *id_of(Builder *builder, Meaning meaning, unsigned axis) {
  const Kernel *kernel = builder->kernel;
  if (axis > 2)
    return expr_const(builder->task, 64, 0);
  if (meaning == CALL_CL_LOCAL_ID)
    return wide_id(builder, read_thread_id(builder, axis));
  if (meaning == CALL_CL_GROUP_ID)
    return wide_id(builder, read_block_id(builder, axis));
  if (meaning == CALL_CL_GLOBAL_OFFSET)
    return wide_id(builder, kernel->global_offset[axis]);
  assert(meaning == CALL_CL_GLOBAL_ID);
  return global_id(builder, axis);
}

// Of a group that may be the last one, and smaller.
static Expr *local_linear_id(Builder *builder) {
  Task *task = builder->task;
  Expr *linear = wide_id(builder, read_thread_id(builder, 2));
  for (unsigned axis = 2; axis-- > 0;)
    linear = expr_add(
        task, expr_mul(task, linear, wide_id(builder, builder->own_size[axis])),
        wide_id(builder, read_thread_id(builder, axis)));
  return linear;
}

static bool translate_id(Builder *builder, LLVMValueRef call,
                         const CallRow *row) {
  switch (row->meaning) {
  case CALL_CL_LOCAL_LINEAR:
    set_scalar(builder, call, local_linear_id(builder));
    return true;
  case CALL_CL_LOCAL_SIZE:
  case CALL_CL_ENQUEUED_SIZE:
  case CALL_CL_NUM_GROUPS:
  case CALL_CL_GLOBAL_SIZE:
    set_scalar(builder, call,
               size_of(builder, row->meaning, constant_axis(builder, call)));
    return true;
  case CALL_CL_LOCAL_ID:
  case CALL_CL_GROUP_ID:
  case CALL_CL_GLOBAL_ID:
  case CALL_CL_GLOBAL_OFFSET:
    set_scalar(builder, call,
               id_of(builder, row->meaning, constant_axis(builder, call)));
    return true;
  default:
    return false;
  }
}

// -------------------------------------------------------------- barriers ---

// The scope of an OpenCL 2 function is its last operand if it has one; else it
// is `otherwise`.  A scope that is not constant promises nothing.
static Scope scope_of(Builder *builder, LLVMValueRef call, Scope otherwise) {
  static const Scope scopes[] = {SCOPE_THREAD, SCOPE_BLOCK, SCOPE_GRID,
                                 SCOPE_SYSTEM, SCOPE_WARP};
  size_t length = 0;
  const char *name = LLVMGetValueName2(called_function(call), &length);
  if (!strstr(name, "memory_scope"))
    return otherwise;
  unsigned last = LLVMGetNumArgOperands(call) - 1;
  Expr *scope = scalar_of(builder, LLVMGetOperand(call, last));
  bool is_known =
      expr_is_const(scope) && scope->value < sizeof scopes / sizeof *scopes;
  return is_known ? scopes[scope->value] : SCOPE_THREAD;
}

// The barrier orders the memory that its flags name, for the threads of its
// scope.  Flags that are not constant order nothing that we could rely on.
static void add_flagged_barrier(Builder *builder, LLVMValueRef call) {
  enum { LOCAL_FENCE = 1, GLOBAL_FENCE = 2 };
  Expr *flags = scalar_of(builder, LLVMGetOperand(call, 0));
  uint64_t known = expr_is_const(flags) ? flags->value : 0;
  bool is_for_all = scope_of(builder, call, SCOPE_BLOCK) >= SCOPE_BLOCK;
  Barrier *barrier = add_barrier(builder, BARRIER_BLOCK);
  barrier->orders_shared = is_for_all && (known & LOCAL_FENCE);
  barrier->orders_global = is_for_all && (known & GLOBAL_FENCE);
}

// ---------------------------------------------------------------- memory ---

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

// --------------------------------------------------------------- atomics ---

static LLVMTypeRef atomic_type(LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  bool is_void = LLVMGetTypeKind(type) == LLVMVoidTypeKind;
  return is_void ? LLVMTypeOf(LLVMGetOperand(call, 1)) : type;
}

// What the object has: an atomic_flag is an atomic_int, though it is asked for
// a Boolean, or for nothing.
static unsigned atomic_bits(Builder *builder, LLVMValueRef call,
                            const CallRow *row) {
  enum { FLAG_BITS = 32 };
  return row->meaning == CALL_CL_FLAG ? FLAG_BITS
                                      : scalar_bits(builder, atomic_type(call));
}

// The constant that is added: a number of whole numbers, not of a float.
static void note_step(Builder *builder, LLVMValueRef call, const CallRow *row,
                      Access *access) {
  Task *task = builder->task;
  bool is_integer = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMIntegerTypeKind;
  if (!is_integer || row->meaning == CALL_CL_FLAG || row->number == 0)
    return;
  unsigned bits = access->result->width;
  Expr *step = row->meaning == CALL_CL_ATOMIC_STEP
                   ? expr_const(task, bits, 1)
                   : scalar_of(builder, LLVMGetOperand(call, 1));
  if (row->number < 0)
    step = expr_sub(task, expr_const(task, bits, 0), step);
  access->is_add = expr_is_const(step) && step->value != 0;
  access->step = access->is_add ? step->value : 0;
}

static bool is_load(Builder *builder, LLVMValueRef call) {
  const char *name = called_name(builder->task, call);
  return !strncmp(plain_name(builder->task, name), "atomic_load",
                  sizeof "atomic_load" - 1);
}

// The pointer is the first operand.
static void translate_cl_atomic(Builder *builder, LLVMValueRef call,
                                const CallRow *row) {
  LLVMTypeRef type = LLVMTypeOf(call);
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  unsigned bits = atomic_bits(builder, call, row);
  Symbol *old = builder_symbol(builder, SYMBOL_ATOMIC, bits, "old value");
  Access access = {.kind = ACCESS_ATOMIC,
                   .scope = scope_of(builder, call, SCOPE_GRID),
                   .is_load = is_load(builder, call),
                   .length = bytes_constant(builder, (bits + 7) / 8),
                   .result = old};
  note_step(builder, call, row, &access);
  old->stmt =
      add_access(builder, value_of(builder, pointer)->lanes[0], &access);
  if (row->meaning == CALL_CL_FLAG)
    set_unknown(builder, call, "flag");
  else if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
    set_scalar(builder, call, old->expr);
}

// atomic_init(p, value) is no atomic.
static void translate_init(Builder *builder, LLVMValueRef call) {
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  Expr *value = scalar_of(builder, LLVMGetOperand(call, 1));
  Access access = {.kind = ACCESS_WRITE,
                   .length = bytes_constant(builder, (value->width + 7) / 8),
                   .value = value};
  add_access(builder, value_of(builder, pointer)->lanes[0], &access);
}

// -------------------------------------------------------------- dispatch ---

static bool translate_memory(Builder *builder, LLVMValueRef call,
                             const CallRow *row) {
  switch (row->meaning) {
  case CALL_VLOAD:
    translate_vload(builder, call);
    return true;
  case CALL_VSTORE:
    translate_vstore(builder, call);
    return true;
  case CALL_CL_ATOMIC:
  case CALL_CL_ATOMIC_STEP:
  case CALL_CL_FLAG:
    translate_cl_atomic(builder, call, row);
    return true;
  case CALL_CL_INIT:
    translate_init(builder, call);
    return true;
  default:
    return false;
  }
}

bool translate_opencl(Builder *builder, LLVMValueRef call, const CallRow *row) {
  if (row->meaning == CALL_BARRIER_FLAGS) {
    add_flagged_barrier(builder, call);
    return true;
  }
  return translate_id(builder, call, row) ||
         translate_memory(builder, call, row);
}
