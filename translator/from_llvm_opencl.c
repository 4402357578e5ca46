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

static Expr *constant(Builder *builder, uint64_t value) {
  return expr_const(builder->task, 64, value);
}

void call_cl_local_id(Builder *builder, LLVMValueRef call) {
  unsigned axis = constant_axis(builder, call);
  set_scalar(builder, call,
             axis > 2 ? constant(builder, 0)
                      : wide_id(builder, read_thread_id(builder, axis)));
}

void call_cl_group_id(Builder *builder, LLVMValueRef call) {
  unsigned axis = constant_axis(builder, call);
  set_scalar(builder, call,
             axis > 2 ? constant(builder, 0)
                      : wide_id(builder, read_block_id(builder, axis)));
}

void call_cl_global_id(Builder *builder, LLVMValueRef call) {
  unsigned axis = constant_axis(builder, call);
  set_scalar(builder, call,
             axis > 2 ? constant(builder, 0) : global_id(builder, axis));
}

void call_cl_global_offset(Builder *builder, LLVMValueRef call) {
  unsigned axis = constant_axis(builder, call);
  set_scalar(builder, call,
             axis > 2 ? constant(builder, 0)
                      : wide_id(builder, builder->kernel->global_offset[axis]));
}

// The sizes alone do not make a dimension one that the kernel reads:
// SOUND(unused-dimensions).
static void set_size(Builder *builder, LLVMValueRef call, Expr *const *sizes) {
  unsigned axis = constant_axis(builder, call);
  set_scalar(builder, call,
             axis > 2 ? constant(builder, 1) : wide_id(builder, sizes[axis]));
}

void call_cl_local_size(Builder *builder, LLVMValueRef call) {
  set_size(builder, call, builder->own_size);
}

void call_cl_enqueued_size(Builder *builder, LLVMValueRef call) {
  set_size(builder, call, builder->kernel->block_size);
}

void call_cl_num_groups(Builder *builder, LLVMValueRef call) {
  set_size(builder, call, builder->kernel->grid_size);
}

void call_cl_global_size(Builder *builder, LLVMValueRef call) {
  unsigned axis = constant_axis(builder, call);
  set_scalar(builder, call,
             axis > 2 ? constant(builder, 1) : llvm_global_size(builder, axis));
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

void call_cl_local_linear(Builder *builder, LLVMValueRef call) {
  set_scalar(builder, call, local_linear_id(builder));
}

static Expr *any_dimensions(Builder *builder) {
  enum { BITS = 32 };
  Task *task = builder->task;
  Expr *any = builder_symbol(builder, SYMBOL_LAUNCH, BITS, "work_dim")->expr;
  Expr *least = expr_const(task, BITS, 1), *most = expr_const(task, BITS, 3);
  push(&task->arena, &builder->kernel->facts,
       expr_and(task, expr_binary(task, EXPR_ULE, least, any),
                expr_binary(task, EXPR_ULE, any, most)));
  return any;
}

// As many as the user wrote, of the group's size or of the other.
void call_cl_work_dim(Builder *builder, LLVMValueRef call) {
  const Launch *launch = &builder->kernel->launch;
  unsigned written = launch->block_axes > launch->grid_axes ? launch->block_axes
                                                            : launch->grid_axes;
  bool is_given = launch->block_axes && launch->grid_axes;
  if (!builder->dimensions)
    builder->dimensions = is_given ? expr_const(builder->task, 32, written)
                                   : any_dimensions(builder);
  set_scalar(builder, call, builder->dimensions);
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
void call_barrier_flags(Builder *builder, LLVMValueRef call) {
  enum { LOCAL_FENCE = 1, GLOBAL_FENCE = 2, IMAGE_FENCE = 4 };
  Expr *flags = scalar_of(builder, operand_for(builder, call, 'f'));
  uint64_t known = expr_is_const(flags) ? flags->value : 0;
  bool is_for_all = scope_of(builder, call, SCOPE_BLOCK) >= SCOPE_BLOCK;
  Barrier *barrier = add_barrier(builder, BARRIER_BLOCK);
  barrier->orders_shared = is_for_all && (known & LOCAL_FENCE);
  barrier->orders_global = is_for_all && (known & GLOBAL_FENCE);
  barrier->orders_images = is_for_all && (known & IMAGE_FENCE);
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

void call_vload(Builder *builder, LLVMValueRef call) {
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

void call_vstore(Builder *builder, LLVMValueRef call) {
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

// vload_halfn(offset, p) and vstore_halfn(data, offset, p) are about n elements
// of two bytes.  Of those with an `a` in the name three lie where four would.
static void add_halves(Builder *builder, LLVMTypeRef data, LLVMValueRef pointer,
                       LLVMValueRef offset, AccessKind kind) {
  enum { HALF_BYTES = 2 };
  unsigned lanes = lanes_of_type(builder, data);
  unsigned apart = builder->row->number ? lanes + 1 : lanes;
  Access access = {.kind = kind,
                   .length = bytes_constant(builder, apart * HALF_BYTES)};
  add_access(builder,
             vector_place(builder, pointer, offset, apart * HALF_BYTES),
             &access);
}

void call_vload_half(Builder *builder, LLVMValueRef call) {
  add_halves(builder, LLVMTypeOf(call), LLVMGetOperand(call, 1),
             LLVMGetOperand(call, 0), ACCESS_READ);
  set_unknown(builder, call, "loaded value");
}

void call_vstore_half(Builder *builder, LLVMValueRef call) {
  add_halves(builder, LLVMTypeOf(LLVMGetOperand(call, 0)),
             LLVMGetOperand(call, 2), LLVMGetOperand(call, 1), ACCESS_WRITE);
}

static bool is_pointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

// sincos and its like: the second result lies in memory as a vector does, three
// lanes where four would.
void call_cl_out(Builder *builder, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(call);
  unsigned last = LLVMGetNumArgOperands(call) - 1;
  unsigned lanes = lanes_of_type(builder, type);
  unsigned bytes = builder->row->number
                       ? (unsigned)builder->row->number
                       : lane_bytes(builder, lane_type(builder, type, 0));
  for (unsigned i = 0; i <= last; i++)
    if (is_pointer(LLVMGetOperand(call, i)) != (i == last))
      unsupported(builder->task, builder->loc,
                  "a call of '%s' with other types",
                  called_name(builder->task, call));
  unsigned count = lanes == 3 ? 4 : lanes;
  Access access = {.kind = ACCESS_WRITE,
                   .length = bytes_constant(builder, (uint64_t)count * bytes)};
  add_access(builder, value_of(builder, LLVMGetOperand(call, last))->lanes[0],
             &access);
  set_unknown(builder, call, called_name(builder->task, call));
}

// --------------------------------------------------------------- atomics ---

// The functions of OpenCL 2 release what came before, unless an order says
// otherwise, which stands before the scope; an order that is not constant may.
// Those of OpenCL 1 order nothing, and have no type that is atomic.
static bool releases(Builder *builder, LLVMValueRef call) {
  enum { ORDER_RELEASE = 3 }; // and stronger ones
  size_t length = 0;
  const char *name = LLVMGetValueName2(called_function(call), &length);
  if (!strstr(name, "memory_order"))
    return strstr(name, "_Atomic") != NULL;
  unsigned behind = strstr(name, "memory_scope") ? 2 : 1;
  unsigned count = LLVMGetNumArgOperands(call);
  if (count < behind)
    return false;
  Expr *order = scalar_of(builder, LLVMGetOperand(call, count - behind));
  return !expr_is_const(order) || order->value >= ORDER_RELEASE;
}

// The pointer is the first operand.  The object has so many bits; what it holds
// before is access.result.
static Access atomic_access(Builder *builder, LLVMValueRef call,
                            unsigned bits) {
  Symbol *old = builder_symbol(builder, SYMBOL_ATOMIC, bits, "old value");
  return (Access){.kind = ACCESS_ATOMIC,
                  .scope = scope_of(builder, call, SCOPE_GRID),
                  .releases = releases(builder, call),
                  .length = bytes_constant(builder, (bits + 7) / 8),
                  .result = old};
}

static void add_atomic(Builder *builder, LLVMValueRef call,
                       const Access *access) {
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  access->result->stmt =
      add_access(builder, value_of(builder, pointer)->lanes[0], access);
}

static void return_old(Builder *builder, LLVMValueRef call,
                       const Access *access) {
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    set_scalar(builder, call, access->result->expr);
}

// Adds `step`: of whole numbers, not of a float.
static void translate_step(Builder *builder, LLVMValueRef call, Expr *step) {
  unsigned bits = scalar_bits(builder, LLVMTypeOf(call));
  Access access = atomic_access(builder, call, bits);
  bool is_integer = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMIntegerTypeKind;
  access.op = is_integer ? ATOMIC_ADD : ATOMIC_ANY;
  access.operand = is_integer ? step : NULL;
  add_atomic(builder, call, &access);
  return_old(builder, call, &access);
}

void call_cl_atomic_add(Builder *builder, LLVMValueRef call) {
  Expr *step = scalar_of(builder, LLVMGetOperand(call, 1));
  translate_step(builder, call, step);
}

void call_cl_atomic_sub(Builder *builder, LLVMValueRef call) {
  Expr *step = scalar_of(builder, LLVMGetOperand(call, 1));
  Expr *zero = expr_const(builder->task, step->width, 0);
  translate_step(builder, call, expr_sub(builder->task, zero, step));
}

// By the row's number.
void call_cl_atomic_step(Builder *builder, LLVMValueRef call) {
  unsigned bits = scalar_bits(builder, LLVMTypeOf(call));
  uint64_t step = (uint64_t)builder->row->number;
  translate_step(builder, call, expr_const(builder->task, bits, step));
}

// The row's number is the AtomicOp.
void call_cl_atomic(Builder *builder, LLVMValueRef call) {
  unsigned bits = scalar_bits(builder, LLVMTypeOf(call));
  Access access = atomic_access(builder, call, bits);
  access.op = (AtomicOp)builder->row->number;
  bool compares = access.op == ATOMIC_COMPARE;
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMIntegerTypeKind ||
      LLVMGetNumArgOperands(call) < (compares ? 3 : 2))
    access.op = ATOMIC_ANY;
  if (access.op != ATOMIC_ANY)
    access.operand = scalar_of(builder, LLVMGetOperand(call, compares ? 2 : 1));
  if (access.op == ATOMIC_COMPARE)
    access.expected = scalar_of(builder, LLVMGetOperand(call, 1));
  add_atomic(builder, call, &access);
  return_old(builder, call, &access);
}

void call_cl_atomic_load(Builder *builder, LLVMValueRef call) {
  unsigned bits = scalar_bits(builder, LLVMTypeOf(call));
  Access access = atomic_access(builder, call, bits);
  access.is_load = true;
  access.releases = false;
  add_atomic(builder, call, &access);
  return_old(builder, call, &access);
}

void call_cl_atomic_store(Builder *builder, LLVMValueRef call) {
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, 1));
  Access access = atomic_access(builder, call, scalar_bits(builder, type));
  add_atomic(builder, call, &access);
}

// An atomic_flag is an atomic_int, though it is asked for a Boolean, or for
// nothing.
void call_cl_flag(Builder *builder, LLVMValueRef call) {
  enum { FLAG_BITS = 32 };
  Access access = atomic_access(builder, call, FLAG_BITS);
  add_atomic(builder, call, &access);
  set_unknown(builder, call, "flag");
}

// atomic_init(p, value) is no atomic.
void call_cl_init(Builder *builder, LLVMValueRef call) {
  LLVMValueRef pointer = LLVMGetOperand(call, 0);
  Expr *value = scalar_of(builder, LLVMGetOperand(call, 1));
  Access access = {.kind = ACCESS_WRITE,
                   .length = bytes_constant(builder, (value->width + 7) / 8),
                   .value = value};
  add_access(builder, value_of(builder, pointer)->lanes[0], &access);
}
