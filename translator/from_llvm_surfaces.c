// Surfaces of CUDA.
//
// Each argument that is a surface object is an array of its own, and so is each
// in an argument that is a struct (SOUND(no-alias)).  The byte at (x, y, z) has
// an offset of which each coordinate has bits of its own; x is in bytes, and z
// is the layer where there are some.  No surface of any device has as many as
// there are bits for.
//
// Outside of a surface nothing is accessed, so who comes to a place that no
// surface has does nothing.  With cudaBoundaryModeClamp it is the last place of
// the axis instead: where that is, is known to the host alone, so it may be
// anywhere.  What is read may be anything, as CUDA says of a place that the
// kernel has written.

#include "translator/from_llvm_calls.h"

enum { AXES = 3, CLAMP = 1 }; // cudaBoundaryModeClamp

enum { FIRST_COORDINATE = 1, BYTES = 4, BOUNDARY = 5 }; // operands

static const unsigned bits_of_axis[AXES] = {24, 20, 20};

// -------------------------------------------------------------- the array ---

static const ArgumentField *field_with(const Builder *builder,
                                       const Expr *value) {
  for (size_t i = 0; i < builder->fields.count; i++)
    if (builder->fields.at[i].value == value)
      return &builder->fields.at[i];
  return NULL;
}

static Array *surface_of(Builder *builder, LLVMValueRef handle) {
  if (LLVMIsAArgument(handle))
    return image_array(builder, handle);
  const ArgumentField *field = field_with(builder, scalar_of(builder, handle));
  if (!field || expr_is_const(field->value))
    unsupported(builder->task, builder->loc,
                "a surface that is not known to be one of the arguments");
  return field_array(builder, field);
}

// Two of them may be one: the host makes as many objects as it likes.
static void assume_apart(Builder *builder, const Array *surface) {
  if (builder->surface && builder->surface != surface)
    assume_named(builder, "no-alias");
  builder->surface = surface;
}

// ------------------------------------------------------------ coordinates ---

static Expr *number(Builder *builder, uint64_t value) {
  return expr_const(builder->task, 32, value);
}

// The nearest one that the surface has.
static Expr *clamped(Builder *builder, unsigned axis, Expr *at) {
  Task *task = builder->task;
  Expr *last = expr_zext(task,
                         builder_symbol(builder, SYMBOL_LAUNCH,
                                        bits_of_axis[axis], "end of a surface")
                             ->expr,
                         32);
  Expr *is_below = expr_binary(task, EXPR_SLT, at, number(builder, 0));
  Expr *is_behind = expr_binary(task, EXPR_SLT, last, at);
  Expr *nearest = expr_ite(task, is_behind, last, at);
  return expr_ite(task, is_below, number(builder, 0), nearest);
}

typedef struct Spot {
  Expr *offset;
  Expr *may_exist; // in some surface
} Spot;

static Spot spot_of(Builder *builder, LLVMValueRef call) {
  Task *task = builder->task;
  Spot spot = {bytes_constant(builder, 0), expr_bool(task, true)};
  Expr *boundary = scalar_of(builder, LLVMGetOperand(call, BOUNDARY));
  Expr *is_clamp = expr_eq(task, boundary, number(builder, CLAMP));
  unsigned from = 0;
  for (unsigned axis = 0; axis < AXES; axis++) {
    Expr *at =
        scalar_of(builder, LLVMGetOperand(call, FIRST_COORDINATE + axis));
    Expr *end = number(builder, UINT64_C(1) << bits_of_axis[axis]);
    if (!expr_is_false(is_clamp) && at != number(builder, 0))
      at = expr_ite(task, is_clamp, clamped(builder, axis, at), at);
    spot.may_exist =
        expr_and(task, spot.may_exist, expr_binary(task, EXPR_ULT, at, end));
    Expr *weight = bytes_constant(builder, UINT64_C(1) << from);
    spot.offset =
        expr_add(task, spot.offset,
                 expr_mul(task, expr_zext(task, at, POINTER_BITS), weight));
    from += bits_of_axis[axis];
  }
  return spot;
}

// ---------------------------------------------------------------- accesses ---

static void access_surface(Builder *builder, LLVMValueRef call,
                           AccessKind kind) {
  Expr *bytes = scalar_of(builder, LLVMGetOperand(call, BYTES));
  Array *surface = surface_of(builder, LLVMGetOperand(call, 0));
  if (!expr_is_const(bytes))
    unsupported(builder->task, builder->loc,
                "a surface is accessed with an unknown size");
  Spot spot = spot_of(builder, call);
  Access access = {.kind = kind,
                   .offset = spot.offset,
                   .length = bytes_constant(builder, bytes->value)};
  assume_apart(builder, surface);
  add_access_to(builder, surface, spot.may_exist, &access);
}

void call_surface_read(Builder *builder, LLVMValueRef call) {
  access_surface(builder, call, ACCESS_READ);
}

void call_surface_write(Builder *builder, LLVMValueRef call) {
  access_surface(builder, call, ACCESS_WRITE);
}
