// The launch: sizes, ids, and what hardware fixes about them.
//
// A dimension is a number where the launch or an attribute of the kernel says
// so, else a symbol within the limits of the hardware: SOUND(launch-limits).
// A free second or third dimension whose ids and sizes the kernel never reads
// has extent one, SOUND(unused-dimensions).  That the threads along a free
// dimension can be counted in 31 bits is assumed, SOUND(thread-count), unless
// --huge-grids says otherwise: then a 32-bit index may wrap.
//
// Where the groups of OpenCL are not counted by the user, their global ids may
// begin anywhere, and the last one may be smaller than the others.

#include "translator/from_llvm.h"

#include <stdlib.h>
#include <string.h>

enum {
  CUDA_BLOCK_THREADS = 1024,
  OPENCL_GROUP_THREADS = 65536,
  ASKED_THREADS = 1 << 27, // if somebody asks for more than that
  CUDA_BLOCK_Z = 64,
  GRID_YZ = 65535,
  MOST_GROUPS = 0x7fffffff,
  ID_BITS = 32,
};

static const char *const axis_names[] = {"x", "y", "z"};

static Expr *id_const(Builder *builder, uint64_t value) {
  return expr_const(builder->task, ID_BITS, value);
}

// "128" or "16,16,1" of a function's string attribute: the product.
static uint32_t attribute_product(Builder *builder, const char *name) {
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
      builder->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
      (unsigned)strlen(name));
  if (!attribute)
    return 0;
  unsigned length = 0;
  const char *text = LLVMGetStringAttributeValue(attribute, &length);
  uint32_t product = 1;
  for (char *rest; length; text = rest + (*rest == ',')) {
    unsigned long factor = strtoul(text, &rest, 10);
    if (rest == text)
      break;
    product *= (uint32_t)factor;
  }
  return product;
}

// OpenCL's reqd_work_group_size fixes the block.
static void read_required_size(Builder *builder) {
  Launch *launch = &builder->kernel->launch;
  uint32_t size[3];
  if (!llvm_required_block(builder->function, size))
    return;
  uint64_t threads = 1;
  for (unsigned axis = 0; axis < 3; axis++) {
    if (launch->block[axis].known && launch->block[axis].value != size[axis])
      unsupported(builder->task, builder->kernel->loc,
                  "the work-group size differs from reqd_work_group_size");
    launch->block[axis] = (Extent){true, size[axis]};
    threads = threads > ASKED_THREADS ? threads : threads * size[axis];
  }
  if (threads > ASKED_THREADS)
    unsupported(builder->task, builder->kernel->loc,
                "reqd_work_group_size is more than %d work-items",
                ASKED_THREADS);
}

// How many groups the user's global size is along an axis.
static Extent make_grid(Builder *builder, unsigned axis) {
  const Launch *launch = &builder->kernel->launch;
  Extent block = launch->block[axis], global = launch->global[axis];
  if (launch->grid[axis].known || !global.known || !block.known)
    return launch->grid[axis];
  if (global.value % block.value)
    unsupported(builder->task, builder->kernel->loc,
                "the global size is no multiple of reqd_work_group_size");
  if (global.value / block.value > MOST_GROUPS)
    unsupported(builder->task, builder->kernel->loc, "more than %d groups",
                MOST_GROUPS);
  return (Extent){true, global.value / block.value};
}

static Expr *make_size(Builder *builder, SymbolKind kind, unsigned axis,
                       Extent extent, const char *name) {
  if (extent.known)
    return id_const(builder, extent.value);
  name = arena_printf(&builder->task->arena, "%s.%s", name, axis_names[axis]);
  Symbol *symbol = builder_symbol(builder, kind, ID_BITS, name);
  symbol->axis = axis;
  return symbol->expr;
}

static Expr *make_id(Builder *builder, SymbolKind kind, unsigned axis,
                     Extent extent, const char *name) {
  if (extent.known && extent.value == 1)
    return id_const(builder, 0);
  return make_size(builder, kind, axis, (Extent){0}, name);
}

// Clang says of a kernel of OpenCL, and of AMD, whether all groups are of one
// size.
static bool has_equal_groups(const Builder *builder) {
  const char *name = "uniform-work-group-size";
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
      builder->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name,
      (unsigned)strlen(name));
  unsigned length = 0;
  const char *text =
      attribute ? LLVMGetStringAttributeValue(attribute, &length) : "false";
  const Kernel *kernel = builder->kernel;
  return !attribute ? !kernel->is_opencl && !kernel->is_amdgcn
                    : strncmp(text, "false", strlen("false")) != 0;
}

// The size of the last group along an axis, or NULL: that of the others.
static Expr *make_last_size(Builder *builder, unsigned axis) {
  const Kernel *kernel = builder->kernel;
  Extent block = kernel->launch.block[axis];
  bool is_one = block.known && block.value == 1;
  if (kernel->launch.grid[axis].known || is_one || has_equal_groups(builder))
    return NULL;
  const char *name = arena_printf(&builder->task->arena, "last_local_size.%s",
                                  axis_names[axis]);
  return builder_symbol(builder, SYMBOL_LAUNCH, ID_BITS, name)->expr;
}

// Of the group that the thread is in.
static Expr *make_own_size(Builder *builder, unsigned axis) {
  Task *task = builder->task;
  const Kernel *kernel = builder->kernel;
  Expr *last = builder->last_size[axis];
  if (!last)
    return kernel->block_size[axis];
  Expr *number = expr_add(task, kernel->block_id[axis], id_const(builder, 1));
  return expr_ite(task, expr_eq(task, number, kernel->grid_size[axis]), last,
                  kernel->block_size[axis]);
}

// An enqueued range with sizes that the user gave begins where the user says,
// or at 0.
static Expr *make_offset(Builder *builder, unsigned axis) {
  const Launch *launch = &builder->kernel->launch;
  Extent offset = launch->offset[axis];
  bool is_given = offset.known || launch->grid[axis].known ||
                  launch->global[axis].known || !builder->kernel->is_opencl;
  if (is_given)
    return id_const(builder, offset.known ? offset.value : 0);
  const char *name =
      arena_printf(&builder->task->arena, "global_offset.%s", axis_names[axis]);
  return builder_symbol(builder, SYMBOL_LAUNCH, ID_BITS, name)->expr;
}

Expr *llvm_global_size(Builder *builder, unsigned axis) {
  Task *task = builder->task;
  const Kernel *kernel = builder->kernel;
  Expr *size = wide_id(builder, kernel->block_size[axis]);
  Expr *groups = wide_id(builder, kernel->grid_size[axis]);
  Expr *last = builder->last_size[axis];
  if (!last)
    return expr_mul(task, size, groups);
  Expr *full = expr_sub(task, groups, expr_const(task, 64, 1));
  return expr_add(task, expr_mul(task, size, full), wide_id(builder, last));
}

// Of blocks that somebody asks for though no device has them.
static void mark_large(const Kernel *kernel, Expr *size) {
  if (size->op == EXPR_SYMBOL)
    size->symbol->is_large = kernel_most_threads(kernel) > OPENCL_GROUP_THREADS;
}

void make_launch(Builder *builder) {
  Kernel *kernel = builder->kernel;
  bool opencl = kernel->is_opencl;
  if (kernel->is_amdgcn && !has_equal_groups(builder))
    unsupported(builder->task, kernel->loc, "blocks that may differ in size");
  read_required_size(builder);
  for (unsigned axis = 0; axis < 3; axis++) {
    Extent block = kernel->launch.block[axis];
    Extent grid = make_grid(builder, axis);
    kernel->launch.grid[axis] = grid;
    kernel->block_size[axis] =
        make_size(builder, SYMBOL_BLOCK_SIZE, axis, block,
                  opencl ? "local_size" : "blockDim");
    kernel->grid_size[axis] = make_size(builder, SYMBOL_GRID_SIZE, axis, grid,
                                        opencl ? "num_groups" : "gridDim");
    kernel->thread_id[axis] = make_id(builder, SYMBOL_THREAD_ID, axis, block,
                                      opencl ? "local_id" : "threadIdx");
    kernel->block_id[axis] = make_id(builder, SYMBOL_BLOCK_ID, axis, grid,
                                     opencl ? "group_id" : "blockIdx");
    mark_large(kernel, kernel->block_size[axis]);
    mark_large(kernel, kernel->thread_id[axis]);
    kernel->global_offset[axis] = make_offset(builder, axis);
    builder->last_size[axis] = make_last_size(builder, axis);
    builder->own_size[axis] = make_own_size(builder, axis);
  }
}

// ----------------------------------------------------------------- facts ---

static void add_fact(Builder *builder, Expr *fact) {
  if (!expr_is_true(fact))
    push(&builder->task->arena, &builder->kernel->facts, fact);
}

void assume_named(Builder *builder, const char *name) {
  kernel_assume(builder->task, builder->kernel, name);
}

static void add_range(Builder *builder, Expr *size, Expr *most) {
  add_fact(builder,
           expr_binary(builder->task, EXPR_ULE, id_const(builder, 1), size));
  add_fact(builder, expr_binary(builder->task, EXPR_ULE, size, most));
}

// Along x a launch has as many threads as it likes.  Few kernels are meant for
// more dimensions, and those read an id or a size of them, or the user says how
// many work-items there are.
static void note_meant_dimensions(Builder *builder) {
  const Extent *global = builder->kernel->launch.global;
  for (unsigned axis = 0; axis < 3; axis++)
    if (!axis || (global[axis].known && global[axis].value > 1))
      builder->reads_thread_id[axis] = builder->reads_block_id[axis] = true;
}

// SOUND(unused-dimensions): nobody reads it, and nobody gave a size.  The
// number of a lane has it in it.
static void forget_dimension(Builder *builder, Expr **id, Expr *size) {
  add_fact(builder, expr_eq(builder->task, *id, id_const(builder, 0)));
  *id = id_const(builder, 0);
  add_fact(builder, expr_eq(builder->task, size, id_const(builder, 1)));
  assume_named(builder, "unused-dimensions");
}

uint32_t kernel_most_threads(const Kernel *kernel) {
  uint64_t threads = 1;
  for (unsigned axis = 0; axis < 3; axis++)
    if (kernel->launch.block[axis].known && threads <= OPENCL_GROUP_THREADS)
      threads *= kernel->launch.block[axis].value;
  if (threads > OPENCL_GROUP_THREADS)
    return ASKED_THREADS;
  if (kernel->is_opencl)
    return OPENCL_GROUP_THREADS;
  bool is_large = threads > CUDA_BLOCK_THREADS;
  return is_large ? OPENCL_GROUP_THREADS : CUDA_BLOCK_THREADS;
}

static uint64_t block_limit(const Kernel *kernel, unsigned axis) {
  bool is_cuda = !kernel->is_opencl && !kernel->is_amdgcn;
  return axis == 2 && is_cuda ? CUDA_BLOCK_Z : kernel_most_threads(kernel);
}

// AMD counts the threads of an axis in 32 bits, whatever the blocks are.
static uint64_t grid_limit(const Kernel *kernel, unsigned axis) {
  if (kernel->is_amdgcn)
    return UINT32_MAX;
  return axis && !kernel->is_opencl ? GRID_YZ : MOST_GROUPS;
}

Expr *wide_id(Builder *builder, Expr *id) {
  return expr_zext(builder->task, id, 64);
}

// Somebody reads it or gives it: it may be more than one.
static bool is_meant(const Builder *builder, unsigned axis) {
  const Launch *launch = &builder->kernel->launch;
  return builder->reads_thread_id[axis] || launch->block[axis].known ||
         launch->gives_block[axis];
}

// The axes of a block whose size is neither given nor plainly one.
static unsigned count_free(const Builder *builder) {
  unsigned free = 0;
  for (unsigned axis = 0; axis < 3; axis++)
    free += is_meant(builder, axis) &&
            !expr_is_const(builder->kernel->block_size[axis]);
  return free;
}

// A size in as few bits as its limit has, which keeps products small.
static Expr *short_size(Builder *builder, unsigned axis) {
  Expr *size = builder->kernel->block_size[axis];
  unsigned bits = 0;
  for (uint64_t limit = block_limit(builder->kernel, axis); limit; limit >>= 1)
    bits++;
  return expr_is_const(size) ? size
                             : expr_extract(builder->task, size, 0, bits);
}

// SOUND(full-launch-bounds): where nobody says how many threads a block has,
// and no launch is seen, there are as many as its launch bounds allow.
static void add_full_bounds(Builder *builder, Expr *threads) {
  Kernel *kernel = builder->kernel;
  Task *task = builder->task;
  uint32_t most = attribute_product(builder, "nvvm.maxntid");
  if (!most || expr_is_const(threads) || kernel->launch.is_seen)
    return;
  Expr *full = expr_eq(task, threads, expr_const(task, threads->width, most));
  premise_add(task, kernel, PREMISE_FULL_LAUNCH_BOUNDS,
              (Premise){.fact = full});
}

// With more than one free dimension the product is not linear: a fact for
// those who look for a model, and seldom needed for a proof.
static void add_block_limit(Builder *builder) {
  Kernel *kernel = builder->kernel;
  Task *task = builder->task;
  uint32_t most = kernel->is_amdgcn
                      ? llvm_most_workitems(builder->function)
                      : attribute_product(builder, "nvvm.maxntid");
  if (!most)
    most = kernel_most_threads(kernel);
  unsigned free = count_free(builder);
  Expr *product = expr_const(task, 64, 1);
  for (unsigned axis = 0; axis < 3; axis++)
    if (is_meant(builder, axis))
      product = expr_mul(task, product,
                         wide_id(builder, free > 1 ? short_size(builder, axis)
                                                   : kernel->block_size[axis]));
  Expr *few = expr_binary(task, EXPR_ULE, product, expr_const(task, 64, most));
  if (free == 1)
    add_fact(builder, few);
  if (free > 1)
    kernel->block_limit = few;
  add_full_bounds(builder, product);
}

// SOUND(thread-count)
static void add_thread_limit(Builder *builder, unsigned axis) {
  Kernel *kernel = builder->kernel;
  Task *task = builder->task;
  Expr *block = kernel->block_size[axis], *grid = kernel->grid_size[axis];
  if (expr_is_const(block) && expr_is_const(grid))
    return;
  if (kernel->launch.global[axis].known) {
    add_fact(builder,
             expr_eq(task, llvm_global_size(builder, axis),
                     expr_const(task, 64, kernel->launch.global[axis].value)));
    return;
  }
  Expr *end =
      expr_add(task, wide_id(builder, kernel->global_offset[axis]),
               expr_mul(task, wide_id(builder, block), wide_id(builder, grid)));
  Expr *few =
      expr_binary(task, EXPR_ULT, end, expr_const(task, 64, UINT64_C(1) << 31));
  if (kernel->options->huge_grids && kernel->is_amdgcn)
    add_fact(builder, expr_binary(task, EXPR_ULE, end,
                                  expr_const(task, 64, UINT32_MAX)));
  if (kernel->options->huge_grids) {
    push(&task->arena, &kernel->no_overflow, few);
  } else {
    add_fact(builder, few);
    assume_named(builder, "thread-count");
  }
}

static void add_id_range(Builder *builder, Expr *id, Expr *size) {
  if (!expr_is_const(id))
    add_fact(builder, expr_binary(builder->task, EXPR_ULT, id, size));
}

void finish_launch(Builder *builder) {
  Kernel *kernel = builder->kernel;
  const Launch *launch = &kernel->launch;
  note_meant_dimensions(builder);
  for (unsigned axis = 0; axis < 3; axis++) {
    if (!builder->reads_thread_id[axis] && !launch->block[axis].known &&
        !launch->gives_block[axis])
      forget_dimension(builder, &kernel->thread_id[axis],
                       kernel->block_size[axis]);
    if (!builder->reads_block_id[axis] && !launch->grid[axis].known &&
        !launch->gives_grid[axis])
      forget_dimension(builder, &kernel->block_id[axis],
                       kernel->grid_size[axis]);
    add_range(builder, kernel->block_size[axis],
              id_const(builder, block_limit(kernel, axis)));
    add_range(builder, kernel->grid_size[axis],
              id_const(builder, grid_limit(kernel, axis)));
    if (builder->last_size[axis])
      add_range(builder, builder->last_size[axis], kernel->block_size[axis]);
    add_id_range(builder, kernel->thread_id[axis], builder->own_size[axis]);
    add_id_range(builder, kernel->block_id[axis], kernel->grid_size[axis]);
    add_thread_limit(builder, axis);
  }
  add_block_limit(builder);
  add_host_facts(builder);
  assume_named(builder, "launch-limits");
  if (kernel->options->no_overflow)
    assume_named(builder, "no-overflow");
}
