// Memory behind arrays of pointers.
//
//     float *row = rows[blockIdx.x];
//     row[threadIdx.x] = 0;
//
// SOUND(pointed-apart): an array of pointers that an argument points to, and
// that nobody in the kernel writes, has pointers to memory of their own, apart
// from each other and from all other arrays.  What is behind all pointers of
// one array is one Array here, "rows[..]".  A pointer into it has, beside its
// offset, the place where it was found: so many bytes into the array of
// pointers.  An access is at
//
//     place * 2^35 + offset,
//
// which is one cell if place and offset are the same, and another one if they
// are not, as long as both are within limits that hold of every device: 2^25
// pointers before and behind the argument, and 2^37 bytes before and behind
// each of them.  Without these limits two cells might be taken for one, and
// never one cell for two.
//
// Whether such a pointer is null is a function of where it was found, and any
// answer is looked at.  What lies behind it are no pointers: these are lost.

#include "translator/from_llvm.h"

enum {
  PLACE_SHIFT = 35, // bytes behind each byte of the array of pointers
  PLACE_BITS = 29,  // of a place
  OFFSET_BITS = 38, // of an offset, with its sign
  POINTER_BYTES = POINTER_BITS / 8,
};

static bool may_be_assumed(const Builder *builder) {
  const Options *options = builder->kernel->options;
  return options->tried[PREMISE_POINTED_APART] ||
         options->assumed[PREMISE_POINTED_APART];
}

// Of a variable each pointer that is read by itself is an array of its own.
static bool holds_pointers(const Array *array) {
  return array->is_parameter && !array->is_by_value && !array->is_written &&
         !array->is_image && !array->is_behind &&
         (array->space == SPACE_GLOBAL || array->space == SPACE_CONSTANT);
}

// ------------------------------------------------------------- the pointer ---

static Array *array_behind(Builder *builder, Array *holder) {
  const Kernel *kernel = builder->kernel;
  for (size_t i = 0; i < kernel->arrays.count; i++)
    if (kernel->arrays.at[i]->is_behind &&
        kernel->arrays.at[i]->holder == holder)
      return kernel->arrays.at[i];
  return array_held_behind(builder, holder);
}

Lane pointer_behind(Builder *builder, Array *holder, Expr *place,
                    LLVMTypeRef type, Lane lost) {
  bool is_generic = LLVMGetPointerAddressSpace(type) <= 1;
  if (!may_be_assumed(builder) || !holds_pointers(holder) || !is_generic ||
      LLVMPointerSizeForAS(builder->layout, LLVMGetPointerAddressSpace(type)) !=
          POINTER_BYTES)
    return lost;
  assume_named(builder, premise_name(PREMISE_POINTED_APART));
  Lane lane = pointer_to_array(builder, array_behind(builder, holder));
  lane.place = place;
  return lane;
}

// ------------------------------------------------------------- the address ---

static Expr *is_behind(Builder *builder, Lane pointer) {
  Task *task = builder->task;
  const Roots *roots = roots_of(builder, pointer);
  Expr *is_it = expr_bool(task, false);
  for (size_t i = 0; i < roots->arrays.count; i++) {
    const Array *array = roots->arrays.at[i];
    Expr *number = expr_const(task, BASE_BITS, array->number);
    if (array->is_behind)
      is_it = expr_or(task, is_it, expr_eq(task, pointer.base, number));
  }
  return is_it;
}

// -2^(bits-1) <= a < 2^(bits-1).
static Expr *is_within(Task *task, Expr *a, unsigned bits) {
  uint64_t half = UINT64_C(1) << (bits - 1);
  Expr *above = expr_add(task, a, expr_const(task, POINTER_BITS, half));
  return expr_binary(task, EXPR_ULT, above,
                     expr_const(task, POINTER_BITS, 2 * half));
}

static void assume_limits(Builder *builder, Expr *here, Lane pointer) {
  Task *task = builder->task;
  Kernel *kernel = builder->kernel;
  Stmt *stmt = NEW(&task->arena, Stmt);
  *stmt = (Stmt){.kind = STMT_ASSUME,
                 .number = (unsigned)kernel->stmts.count,
                 .loc = builder->loc,
                 .block = builder->block,
                 .guard = expr_and(task, builder->block->guard, here),
                 .condition =
                     expr_and(task, is_within(task, pointer.place, PLACE_BITS),
                              is_within(task, pointer.bits, OFFSET_BITS))};
  push(&task->arena, &kernel->addresses, stmt);
}

Lane located(Builder *builder, Lane pointer) {
  Task *task = builder->task;
  if (!pointer.place)
    return pointer;
  Expr *here = is_behind(builder, pointer);
  if (!builder->is_quiet)
    assume_limits(builder, here, pointer);
  Expr *start =
      expr_mul(task, pointer.place,
               expr_const(task, POINTER_BITS, UINT64_C(1) << PLACE_SHIFT));
  pointer.bits =
      expr_ite(task, here, expr_add(task, start, pointer.bits), pointer.bits);
  pointer.place = NULL;
  return pointer;
}

Behind offset_behind(uint64_t offset) {
  enum { ABOVE = POINTER_BITS - OFFSET_BITS };
  Behind behind = {.offset = (int64_t)(offset << ABOVE) >> ABOVE};
  behind.place = (int64_t)(offset - (uint64_t)behind.offset) >> PLACE_SHIFT;
  return behind;
}

Expr *expr_behind(Task *task, Expr *offset) {
  return expr_extract(task, offset, 0, OFFSET_BITS);
}

// ------------------------------------------------------------ comparisons ---

static const Array *known_behind(Builder *builder, Lane pointer) {
  bool is_known = pointer.place && expr_is_const(pointer.base) &&
                  is_array_number(pointer.base->value);
  const Array *array =
      is_known ? builder->kernel->arrays.at[pointer.base->value - 1] : NULL;
  return array && array->is_behind ? array : NULL;
}

Expr *null_behind(Builder *builder, Lane pointer) {
  const Array *array = known_behind(builder, pointer);
  if (!array)
    return NULL;
  Expr *args[] = {pointer.place, pointer.bits};
  const char *function = arena_printf(&builder->task->arena, "%s.%u is null",
                                      array->name, array->number);
  return expr_apply(builder->task, function, 1, args, 2);
}

// ------------------------------------------------------------------ roots ---

bool roots_are_behind(const Roots *roots) {
  for (size_t i = 0; i < roots->arrays.count; i++)
    if (roots->arrays.at[i]->is_behind)
      return true;
  return false;
}
