// AMD's devices: barriers and fences, what a launch tells, lanes.
//
// s_barrier alone waits and orders no memory.  What orders it are fences of the
// block's scope or a wider one, as HIP's __syncthreads has them: one that
// releases right before the barrier, and one that acquires right behind it
// (LLVM, "User Guide for AMDGPU Backend", Memory Model).  Nothing that anybody
// notices may lie between, and whoever comes to one comes to the others.
//
// Sizes of the launch are read from memory: from the packet that it was queued
// with, whose layout HSA fixes, and from arguments behind the kernel's own.
//
// Nobody waits for another lane of the wavefront, and lanes are not taken to be
// in step.  So what they tell each other is anything (intrinsics.def), and
// llvm.amdgcn.wave.barrier is not modelled.

#include "translator/from_llvm_calls.h"

// -------------------------------------------------------------- barriers ---

// What the threads of this place did last, in this iteration; NULL: it was done
// elsewhere.
static Stmt *last_stmt(const Builder *builder) {
  const Kernel *kernel = builder->kernel;
  size_t i = kernel->stmts.count;
  while (i > 0 && expr_is_false(kernel->stmts.at[i - 1]->guard))
    i--;
  Stmt *last = i > 0 ? kernel->stmts.at[i - 1] : NULL;
  bool is_here = last && last->guard == builder->block->guard &&
                 last->block->loop == builder->block->loop;
  return is_here ? last : NULL;
}

static void acquire(Builder *builder, FenceSides sides) {
  Stmt *barrier = last_stmt(builder);
  if (!barrier || barrier != builder->fence || barrier->kind != STMT_BARRIER)
    return;
  barrier->barrier.orders_shared = builder->sides.shared && sides.shared;
  barrier->barrier.orders_global = builder->sides.global && sides.global;
}

static void release(Builder *builder, Scope scope, FenceSides sides) {
  bool is_of_all = sides.shared && sides.global;
  Stmt *stmt = builder_add(builder, STMT_FENCE);
  stmt->scope = is_of_all ? scope : SCOPE_THREAD;
  builder->fence = scope >= SCOPE_BLOCK ? stmt : NULL;
  builder->sides = sides;
}

static void add_fence(Builder *builder, Scope scope, FenceSides sides) {
  if (sides.acquires && scope >= SCOPE_BLOCK)
    acquire(builder, sides);
  if (sides.releases)
    release(builder, scope, sides);
}

void translate_amd_fence(Builder *builder, LLVMValueRef fence) {
  Scope scope;
  bool is_known = llvm_scope(fence, &scope);
  add_fence(builder, is_known ? scope : SCOPE_THREAD, llvm_fence_sides(fence));
}

// __atomic_work_item_fence(flags, order, scope) of ROCm's library, with the
// numbers of OpenCL; its fences are about all memory, whatever the flags say.
void call_amd_fence(Builder *builder, LLVMValueRef call) {
  enum { ACQUIRE = 2, RELEASE, BOTH, CONSISTENT };
  static const Scope scopes[] = {SCOPE_THREAD, SCOPE_BLOCK, SCOPE_GRID,
                                 SCOPE_SYSTEM, SCOPE_WARP};
  Expr *order = scalar_of(builder, LLVMGetOperand(call, 1));
  Expr *scope = scalar_of(builder, LLVMGetOperand(call, 2));
  uint64_t count = sizeof scopes / sizeof *scopes;
  if (!expr_is_const(order) || !expr_is_const(scope) || scope->value >= count)
    call_unmodelled(builder, call);
  add_fence(builder, scopes[scope->value],
            (FenceSides){.releases = order->value >= RELEASE,
                         .acquires = order->value == ACQUIRE ||
                                     order->value == BOTH ||
                                     order->value == CONSISTENT,
                         .shared = true,
                         .global = true});
}

// The fence before it is its own, and tells nobody else.
void call_amd_barrier(Builder *builder, LLVMValueRef call) {
  (void)call;
  Stmt *fence = last_stmt(builder);
  bool is_released =
      fence && fence == builder->fence && fence->kind == STMT_FENCE;
  if (is_released)
    fence->scope = SCOPE_THREAD;
  Barrier *barrier = add_barrier(builder, BARRIER_BLOCK);
  barrier->orders_shared = barrier->orders_global = false;
  builder->fence = is_released ? last_stmt(builder) : NULL;
}

// ---------------------------------------------------------------- launch ---

static const char packet_key, arguments_key;

void call_amd_words(Builder *builder, LLVMValueRef call) {
  bool is_packet = builder->row->number == AMD_PACKET;
  LlvmValue *value = value_new(builder, 1);
  value->lanes[0] = pointer_to_array(
      builder, is_packet
                   ? launch_array(builder, &packet_key, "the dispatch packet")
                   : launch_array(builder, &arguments_key, "hidden arguments"));
  set_value(builder, call, value);
}

static Expr *size_of_block(Builder *builder, uint64_t axis) {
  builder->reads_thread_id[axis] = true;
  return builder->kernel->block_size[axis];
}

static Expr *size_of_grid(Builder *builder, uint64_t axis) {
  builder->reads_block_id[axis] = true;
  return builder->kernel->grid_size[axis];
}

static Expr *short_of(Builder *builder, Expr *size) {
  return expr_extract(builder->task, size, 0, 16);
}

// struct hsa_kernel_dispatch_packet_s: a block's sizes in 16 bits, and the
// grid's, in threads, in 32.
static Expr *word_of_packet(Builder *builder, uint64_t at, unsigned bits) {
  enum { BLOCK = 4, GRID = 12, END = 24 };
  if (at >= BLOCK && at < BLOCK + 3 * 2 && at % 2 == 0 && bits == 16)
    return short_of(builder, size_of_block(builder, (at - BLOCK) / 2));
  if (at < GRID || at >= END || at % 4 || bits != 32)
    return NULL;
  uint64_t axis = (at - GRID) / 4;
  return expr_mul(builder->task, size_of_grid(builder, axis),
                  size_of_block(builder, axis));
}

// hidden_block_count_x, hidden_group_size_x and hidden_remainder_x: all blocks
// are of one size, so none remains.
static Expr *word_of_arguments(Builder *builder, uint64_t at, unsigned bits) {
  enum { COUNT = 0, SIZE = 12, REST = 18, END = 24 };
  if (!llvm_has_known_arguments(builder->module))
    return NULL;
  if (at < SIZE && at % 4 == 0 && bits == 32)
    return size_of_grid(builder, (at - COUNT) / 4);
  if (at < SIZE || at >= END || at % 2 || bits != 16)
    return NULL;
  return at < REST ? short_of(builder, size_of_block(builder, (at - SIZE) / 2))
                   : expr_const(builder->task, bits, 0);
}

Expr *launch_word(Builder *builder, const Array *array, const Expr *offset,
                  unsigned bits) {
  if (!builder->kernel->is_amdgcn || !expr_is_const(offset))
    return NULL;
  if (array == table_get(&builder->arrays, &packet_key))
    return word_of_packet(builder, offset->value, bits);
  if (array == table_get(&builder->arrays, &arguments_key))
    return word_of_arguments(builder, offset->value, bits);
  return NULL;
}

// ----------------------------------------------------------------- lanes ---

void call_amd_wavefront(Builder *builder, LLVMValueRef call) {
  set_scalar(builder, call,
             expr_const(builder->task, scalar_bits(builder, LLVMTypeOf(call)),
                        builder->kernel->warp_lanes));
}

// How many of the lanes in one half of a wavefront of 64 are below this one:
// of all, if the mask has all.
static Expr *below_in_half(Builder *builder, bool is_high) {
  Task *task = builder->task;
  Expr *lane = lane_of_thread(builder), *half = expr_const(task, 32, 32);
  Expr *is_above = expr_binary(task, EXPR_ULE, half, lane);
  return is_high ? expr_ite(task, is_above, expr_sub(task, lane, half),
                            expr_const(task, 32, 0))
                 : expr_ite(task, is_above, half, lane);
}

// v_mbcnt_lo and v_mbcnt_hi.
void call_amd_lanes_below(Builder *builder, LLVMValueRef call) {
  Expr *mask = scalar_of(builder, LLVMGetOperand(call, 0));
  Expr *more = scalar_of(builder, LLVMGetOperand(call, 1));
  if (!expr_is_const(mask) || mask->value != UINT32_MAX || more->width != 32) {
    set_unknown(builder, call, "lanes below");
    return;
  }
  set_scalar(
      builder, call,
      expr_add(builder->task, more,
               below_in_half(builder, builder->row->number == AMD_HIGH)));
}
