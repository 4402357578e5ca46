// Addresses: arithmetic on pointers, pointers as numbers, numbers as pointers.
//
// A pointer is an array's number and a byte offset.  As a number it is the
// array's address, which is unknown, and the offset; what is computed from
// that points into the array again if the address, and no other one, can be
// taken off.

#include "translator/from_llvm.h"

#include <string.h>

enum { SHARED_SPACE = 3 };

// ----------------------------------------------------------------- width ---

// Of another array than `own`, or of any.
static bool mentions_address(Builder *builder, Expr *a, const Array *own) {
  for (size_t i = 0; i < builder->kernel->arrays.count; i++) {
    const Array *array = builder->kernel->arrays.at[i];
    if (array != own &&
        ((array->address &&
          expr_mentions(builder->task, a, array->address->symbol)) ||
         (array->window &&
          expr_mentions(builder->task, a, array->window->symbol))))
      return true;
  }
  return false;
}

static unsigned pointer_bits(Builder *builder, LLVMTypeRef type) {
  unsigned space = LLVMGetPointerAddressSpace(type);
  unsigned bits = 8 * LLVMPointerSizeForAS(builder->layout, space);
  if (bits > POINTER_BITS)
    unsupported(builder->task, builder->loc, "a pointer of %u bits", bits);
  return bits;
}

// An offset is counted modulo 2^64; where pointers are narrower it is what
// they keep of it.
static Lane as_wide_as(Builder *builder, LLVMTypeRef type, Lane pointer) {
  unsigned bits = pointer_bits(builder, type);
  if (bits < POINTER_BITS)
    pointer.bits = expr_to_width(
        builder->task, expr_extract(builder->task, pointer.bits, 0, bits),
        POINTER_BITS, true);
  return pointer;
}

// ------------------------------------------------------------- arithmetic ---

// SOUND(address-arithmetic): index * bytes does not wrap where the program
// says that it stays inside an object.
static void assume_no_wrap(Builder *builder, LLVMValueRef gep, Expr *index,
                           uint64_t bytes) {
  enum { NARROW = 32 };
  Task *task = builder->task;
  bool is_narrow = index->op == EXPR_SEXT && index->args[0]->width <= NARROW;
  bool can_wrap = bytes > 1 && !expr_is_const(index) && !is_narrow &&
                  counter_bits(index) > NARROW;
  if (!can_wrap || !builder->block || !LLVMIsInBounds(gep) ||
      is_for_annotations(builder, gep))
    return;
  uint64_t most = INT64_MAX / bytes;
  Expr *high = expr_const(task, POINTER_BITS, most);
  Expr *low = expr_const(task, POINTER_BITS, -most);
  Expr *stays = expr_and(task, expr_binary(task, EXPR_SLE, low, index),
                         expr_binary(task, EXPR_SLE, index, high));
  Kernel *kernel = builder->kernel;
  Stmt *stmt = NEW(&task->arena, Stmt);
  *stmt = (Stmt){.kind = STMT_ASSUME,
                 .number = (unsigned)kernel->stmts.count,
                 .loc = builder->loc,
                 .block = builder->block,
                 .guard = builder->block->guard,
                 .condition = stays};
  push(&task->arena, &kernel->addresses, stmt);
}

// Vectors have a lane for each pointer; scalars serve for all of them.
static Lane lane_of(Builder *builder, LLVMValueRef value, unsigned lane) {
  LlvmValue *all = value_of(builder, value);
  return all->lanes[all->count > 1 ? lane : 0];
}

static unsigned field_of(LLVMValueRef index) {
  if (LLVMGetTypeKind(LLVMTypeOf(index)) == LLVMVectorTypeKind)
    index = LLVMGetAggregateElement(index, 0);
  return (unsigned)LLVMConstIntGetZExtValue(index);
}

static Expr *scaled_index(Builder *builder, LLVMValueRef gep, Lane index,
                          uint64_t bytes) {
  Task *task = builder->task;
  Expr *wide = expr_to_width(task, index.bits, POINTER_BITS, true);
  assume_no_wrap(builder, gep, wide, bytes);
  return expr_mul(task, wide, expr_const(task, POINTER_BITS, bytes));
}

// How many bytes a lane of a GEP is behind what it starts from.
static Expr *distance(Builder *builder, LLVMValueRef gep, unsigned lane) {
  Task *task = builder->task;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  Expr *offset = expr_const(task, POINTER_BITS, 0);
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned field = field_of(index);
      uint64_t at = LLVMOffsetOfElement(builder->layout, type, field);
      offset = expr_add(task, offset, expr_const(task, POINTER_BITS, at));
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1)
      type = LLVMGetElementType(type);
    offset = expr_add(task, offset,
                      scaled_index(builder, gep, lane_of(builder, index, lane),
                                   bytes_of_object(builder, type)));
  }
  return offset;
}

// What alignments are made of.
static bool is_few_bits(const Expr *a) {
  enum { PAGE = 4096 };
  return a->width < 12 ||
         ((a->op == EXPR_AND || a->op == EXPR_UREM) &&
          expr_is_const(a->args[1]) && a->args[1]->value < PAGE);
}

// By more than a few bits of it: with  p - a  for p of anywhere,  a + (p - a)
// is anywhere.
static bool depends_on(Builder *builder, Expr *a, Expr *address) {
  Task *task = builder->task;
  ExprMap *dependent = expr_map_new(task);
  Exprs terms = {0};
  if (!address)
    return false;
  expr_order(task, a, expr_map_new(task), &terms);
  for (size_t i = 0; i < terms.count; i++) {
    Expr *e = terms.at[i];
    bool depends = e == address;
    for (unsigned k = 0; k < e->count; k++)
      depends |= expr_map_get(dependent, e->args[k]) != NULL;
    if (depends && !is_few_bits(e))
      expr_map_put(task, dependent, e, e);
  }
  return expr_map_get(dependent, a) != NULL;
}

// From the address of one array it is not far to another one.
static bool may_leave(Builder *builder, Expr *base, Expr *distance) {
  bool is_known = expr_is_const(base) && is_array_number(base->value);
  const Array *array =
      is_known ? builder->kernel->arrays.at[base->value - 1] : NULL;
  return mentions_address(builder, distance, array) ||
         (array && (depends_on(builder, distance, array->address) ||
                    depends_on(builder, distance, array->window)));
}

static Lane moved(Builder *builder, LLVMValueRef gep, unsigned lane) {
  LLVMTypeRef type = lane_type(builder, LLVMTypeOf(gep), lane);
  Lane base = lane_of(builder, LLVMGetOperand(gep, 0), lane);
  Expr *bytes = distance(builder, gep, lane);
  if (may_leave(builder, base.base, bytes))
    return lane_unknown(builder, type, "address");
  base.bits = expr_add(builder->task, base.bits, bytes);
  return as_wide_as(builder, type, base);
}

void translate_gep(Builder *builder, LLVMValueRef gep) {
  LlvmValue *result =
      value_new(builder, lanes_of_type(builder, LLVMTypeOf(gep)));
  for (unsigned i = 0; i < result->count; i++)
    result->lanes[i] = moved(builder, gep, i);
  set_value(builder, gep, result);
}

bool constant_distance(Builder *builder, LLVMValueRef gep, uint64_t *bytes) {
  for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++)
    if (!LLVMIsAConstantInt(LLVMGetOperand(gep, i)))
      return false;
  *bytes = distance(builder, gep, 0)->value;
  return true;
}

static bool was_number(Builder *builder, Lane pointer) {
  return pointer.bits->op == EXPR_SYMBOL &&
         table_get(&builder->numbers, pointer.bits->symbol);
}

// Shared memory has other numbers as such than among all memory.
static Lane cast_lane(Builder *builder, LLVMTypeRef type, LLVMTypeRef before,
                      Lane from) {
  bool is_renumbered = (LLVMGetPointerAddressSpace(type) == SHARED_SPACE) !=
                       (LLVMGetPointerAddressSpace(before) == SHARED_SPACE);
  if (is_renumbered && was_number(builder, from))
    return lane_unknown(builder, type, "address");
  return as_wide_as(builder, type, from);
}

void translate_space_cast(Builder *builder, LLVMValueRef cast) {
  LLVMValueRef operand = LLVMGetOperand(cast, 0);
  LlvmValue *from = value_of(builder, operand);
  LlvmValue *result = value_new(builder, from->count);
  for (unsigned i = 0; i < from->count; i++)
    result->lanes[i] =
        cast_lane(builder, lane_type(builder, LLVMTypeOf(cast), i),
                  lane_type(builder, LLVMTypeOf(operand), i), from->lanes[i]);
  set_value(builder, cast, result);
}

// ------------------------------------------------------------ as a number ---

// The address that an array starts at: a number that never changes.  Shared
// memory as PTX addresses it has another, of 32 bits: `mov` and `ld.shared`
// take that, and programs compute with it in either width.
static Expr *address_of(Builder *builder, Expr *base, bool is_window) {
  if (!expr_is_const(base))
    return NULL;
  if (base->value == BASE_NULL)
    return expr_const(builder->task, POINTER_BITS, 0);
  if (!is_array_number(base->value))
    return NULL;
  Array *array = builder->kernel->arrays.at[base->value - 1];
  if (array->space == SPACE_PRIVATE)
    return NULL;
  is_window = is_window && array->space == SPACE_SHARED;
  Expr **address = is_window ? &array->window : &array->address;
  if (!*address) {
    const char *name = arena_printf(&builder->task->arena, "&%s", array->name);
    unsigned bits = is_window ? WINDOW_BITS : POINTER_BITS;
    *address = builder_symbol(builder, SYMBOL_LAUNCH, bits, name)->expr;
  }
  return expr_zext(builder->task, *address, POINTER_BITS);
}

// The address as a number, as wide as the pointer.  One that was a number
// before, and points nowhere, is that number.
static Expr *number_of(Builder *builder, LLVMTypeRef type, Lane pointer) {
  Expr *before = pointer.bits->op == EXPR_SYMBOL
                     ? table_get(&builder->numbers, pointer.bits->symbol)
                     : NULL;
  if (before)
    return before;
  bool is_window = LLVMGetPointerAddressSpace(type) == SHARED_SPACE;
  Expr *address = address_of(builder, pointer.base, is_window);
  if (!address)
    return builder_unknown(builder, POINTER_BITS, "address");
  Expr *sum = expr_add(builder->task, address, pointer.bits);
  unsigned bits = pointer_bits(builder, type);
  return bits == POINTER_BITS ? sum : expr_extract(builder->task, sum, 0, bits);
}

void translate_ptrtoint(Builder *builder, LLVMValueRef value) {
  LLVMValueRef operand = LLVMGetOperand(value, 0);
  LlvmValue *from = value_of(builder, operand);
  LlvmValue *result = value_new(builder, from->count);
  for (unsigned i = 0; i < from->count; i++) {
    LLVMTypeRef type = lane_type(builder, LLVMTypeOf(operand), i);
    LLVMTypeRef integer = lane_type(builder, LLVMTypeOf(value), i);
    result->lanes[i].bits =
        expr_to_width(builder->task, number_of(builder, type, from->lanes[i]),
                      scalar_bits(builder, integer), false);
  }
  set_value(builder, value, result);
}

// The number without the address, if that makes the address vanish, else NULL.
static Expr *without(Task *task, Expr *number, Expr *address) {
  if (!address || !expr_mentions(task, number, address->symbol))
    return NULL;
  Expr *offset =
      expr_sub(task, number, expr_zext(task, address, number->width));
  return expr_mentions(task, offset, address->symbol) ? NULL : offset;
}

// The offset that a number is in an array.  Where it was computed in 32 bits,
// what it is before and behind the array is modulo 2^32, too.
static Expr *offset_in(Task *task, Expr *number, const Array *array,
                       bool is_window) {
  if (!is_window)
    return without(task, number, array->address);
  Expr *offset = without(task, number, array->window);
  if (offset || !array->window || number->op != EXPR_ZEXT ||
      number->args[0]->width != WINDOW_BITS)
    return offset;
  offset = without(task, number->args[0], array->window);
  return offset ? expr_sext(task, offset, POINTER_BITS) : NULL;
}

static bool rounds_down(const Expr *mask) {
  enum { WIDEST = 1 << 16 };
  return expr_is_const(mask) &&
         (~mask->value & UINT64_MAX >> (64 - mask->width)) < WIDEST;
}

// Is it the address, plus offsets, and rounded to some alignment?  Then it is
// a pointer into that array, and as far from its start as subtraction says.
static bool is_rounded(Builder *builder, Expr *a, const Expr *address) {
  if (a == address)
    return true;
  if (a->op == EXPR_ZEXT)
    return is_rounded(builder, a->args[0], address);
  if (a->op == EXPR_AND)
    return rounds_down(a->args[1]) && is_rounded(builder, a->args[0], address);
  return a->op == EXPR_ADD && ((is_rounded(builder, a->args[0], address) &&
                                !mentions_address(builder, a->args[1], NULL)) ||
                               (is_rounded(builder, a->args[1], address) &&
                                !mentions_address(builder, a->args[0], NULL)));
}

static Expr *rounded_offset(Builder *builder, Expr *number, const Array *array,
                            bool is_window) {
  Expr *start = is_window ? array->window : array->address;
  if (!start || !is_rounded(builder, number, start))
    return NULL;
  return expr_sub(builder->task, number,
                  expr_zext(builder->task, start, number->width));
}

// An integer is a pointer into an array if subtracting the array's address
// makes that address vanish from it, or if it is that address rounded; and if
// no other address is in it, for which of two arrays a sum points to depends
// on what the addresses are.  The address is that of the pointer's space.
static Lane pointer_from(Builder *builder, LLVMTypeRef type, Expr *number) {
  bool is_window = LLVMGetPointerAddressSpace(type) == SHARED_SPACE;
  for (size_t i = 0; i < builder->kernel->arrays.count; i++) {
    const Array *array = builder->kernel->arrays.at[i];
    Expr *offset = offset_in(builder->task, number, array, is_window);
    if (!offset)
      offset = rounded_offset(builder, number, array, is_window);
    if (offset && !mentions_address(builder, offset, array))
      return as_wide_as(
          builder, type,
          (Lane){offset, expr_const(builder->task, BASE_BITS, array->number)});
  }
  Lane lost = lane_unknown(builder, type, "address");
  if (pointer_bits(builder, type) == POINTER_BITS)
    table_put(builder->task, &builder->numbers, lost.bits->symbol, number);
  return lost;
}

void translate_inttoptr(Builder *builder, LLVMValueRef value) {
  LlvmValue *from = value_of(builder, LLVMGetOperand(value, 0));
  LlvmValue *result = value_new(builder, from->count);
  for (unsigned i = 0; i < from->count; i++) {
    Expr *number =
        expr_to_width(builder->task, from->lanes[i].bits, POINTER_BITS, false);
    result->lanes[i] =
        pointer_from(builder, lane_type(builder, LLVMTypeOf(value), i), number);
  }
  set_value(builder, value, result);
}

// -------------------------------------------------------------- constants ---

Lane pointer_to_array(Builder *builder, const Array *array) {
  return (Lane){expr_const(builder->task, POINTER_BITS, 0),
                expr_const(builder->task, BASE_BITS, array->number)};
}

// A pointer that was never set points as little to anything as null does.
static Lane pointer_undefined(Builder *builder) {
  return (Lane){builder_unknown(builder, POINTER_BITS, "undef"),
                expr_const(builder->task, BASE_BITS, BASE_NULL)};
}

Lane pointer_constant(Builder *builder, LLVMValueRef constant) {
  if (LLVMIsUndef(constant))
    return pointer_undefined(builder);
  if (LLVMIsAGlobalAlias(constant) && llvm_is_replaceable(constant))
    return lane_unknown(builder, LLVMTypeOf(constant), "address");
  if (LLVMIsAGlobalAlias(constant))
    return value_of(builder, LLVMAliasGetAliasee(constant))->lanes[0];
  if (LLVMIsAGlobalVariable(constant))
    return pointer_to_array(builder, global_array(builder, constant));
  if (LLVMIsAFunction(constant))
    return pointer_to_function(builder, constant);
  if (LLVMIsAConstantExpr(constant)) {
    switch (LLVMGetConstOpcode(constant)) {
    case LLVMGetElementPtr:
      translate_gep(builder, constant);
      return value_of(builder, constant)->lanes[0];
    case LLVMAddrSpaceCast:
      translate_space_cast(builder, constant);
      return value_of(builder, constant)->lanes[0];
    case LLVMIntToPtr:
      translate_inttoptr(builder, constant);
      return value_of(builder, constant)->lanes[0];
    default:
      break;
    }
  }
  return lane_unknown(builder, LLVMTypeOf(constant), "address");
}
