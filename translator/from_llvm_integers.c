// Functions of whole numbers, lane by lane: minima, shifts of two words,
// products of 24 bits.
//
// OpenCL's are overloaded, and what a name means depends on the type in it.

#include "translator/from_llvm_calls.h"

#include <string.h>

typedef Expr *Function(Task *task, Expr *const *args);

// ---------------------------------------------------------------- minima ---

static Expr *pick(Task *task, ExprOp less, Expr *a, Expr *b, bool want_less) {
  Expr *is_less = expr_binary(task, less, a, b);
  return want_less ? expr_ite(task, is_less, a, b)
                   : expr_ite(task, is_less, b, a);
}

static Expr *max_signed(Task *task, Expr *const *args) {
  return pick(task, EXPR_SLT, args[0], args[1], false);
}

static Expr *min_signed(Task *task, Expr *const *args) {
  return pick(task, EXPR_SLT, args[0], args[1], true);
}

static Expr *max_unsigned(Task *task, Expr *const *args) {
  return pick(task, EXPR_ULT, args[0], args[1], false);
}

static Expr *min_unsigned(Task *task, Expr *const *args) {
  return pick(task, EXPR_ULT, args[0], args[1], true);
}

static Expr *clamp(Task *task, ExprOp less, Expr *const *args) {
  Expr *low = pick(task, less, args[0], args[1], false);
  return pick(task, less, low, args[2], true);
}

static Expr *clamp_signed(Task *task, Expr *const *args) {
  return clamp(task, EXPR_SLT, args);
}

static Expr *clamp_unsigned(Task *task, Expr *const *args) {
  return clamp(task, EXPR_ULT, args);
}

static Expr *absolute(Task *task, Expr *const *args) {
  Expr *a = args[0], *zero = expr_const(task, a->width, 0);
  return expr_ite(task, expr_binary(task, EXPR_SLT, a, zero),
                  expr_sub(task, zero, a), a);
}

// --------------------------------------------------- products of 24 bits ---

static Expr *low24(Task *task, Expr *a, bool is_signed) {
  Expr *low = expr_extract(task, a, 0, 24);
  return expr_to_width(task, low, a->width, is_signed);
}

static Expr *mul24(Task *task, Expr *const *args, bool is_signed) {
  return expr_mul(task, low24(task, args[0], is_signed),
                  low24(task, args[1], is_signed));
}

static Expr *mul24_signed(Task *task, Expr *const *args) {
  return mul24(task, args, true);
}

static Expr *mul24_unsigned(Task *task, Expr *const *args) {
  return mul24(task, args, false);
}

static Expr *mad24_signed(Task *task, Expr *const *args) {
  return expr_add(task, mul24(task, args, true), args[2]);
}

static Expr *mad24_unsigned(Task *task, Expr *const *args) {
  return expr_add(task, mul24(task, args, false), args[2]);
}

// ------------------------------------------------------- upper halves ---

typedef struct Halves {
  Expr *low, *high; // each as wide as the whole
} Halves;

static Halves halves_of(Task *task, Expr *a) {
  unsigned half = a->width / 2;
  return (Halves){expr_zext(task, expr_extract(task, a, 0, half), a->width),
                  expr_zext(task, expr_extract(task, a, half, half), a->width)};
}

// Of unsigned numbers, as by hand, in two digits: no sum here overflows.
static Expr *high_by_halves(Task *task, Expr *a, Expr *b) {
  Halves x = halves_of(task, a), y = halves_of(task, b);
  Halves low = halves_of(task, expr_mul(task, x.low, y.low));
  Halves first =
      halves_of(task, expr_add(task, expr_mul(task, x.high, y.low), low.high));
  Halves second =
      halves_of(task, expr_add(task, expr_mul(task, x.low, y.high), first.low));
  Expr *sum = expr_add(task, expr_mul(task, x.high, y.high), first.high);
  return expr_add(task, sum, second.high);
}

// What a negative factor as an unsigned number is too large by.
static Expr *excess(Task *task, Expr *factor, Expr *other) {
  Expr *zero = expr_const(task, factor->width, 0);
  return expr_ite(task, expr_binary(task, EXPR_SLT, factor, zero), other, zero);
}

static Expr *mul_high(Task *task, Expr *const *args, bool is_signed) {
  Expr *a = args[0], *b = args[1];
  unsigned width = a->width;
  if (width <= 32) {
    Expr *product = expr_mul(task, expr_to_width(task, a, 2 * width, is_signed),
                             expr_to_width(task, b, 2 * width, is_signed));
    return expr_extract(task, product, width, width);
  }
  Expr *high = high_by_halves(task, a, b);
  if (!is_signed)
    return high;
  return expr_sub(task, expr_sub(task, high, excess(task, a, b)),
                  excess(task, b, a));
}

static Expr *mul_high_signed(Task *task, Expr *const *args) {
  return mul_high(task, args, true);
}

static Expr *mul_high_unsigned(Task *task, Expr *const *args) {
  return mul_high(task, args, false);
}

static Expr *mad_high_signed(Task *task, Expr *const *args) {
  return expr_add(task, mul_high(task, args, true), args[2]);
}

static Expr *mad_high_unsigned(Task *task, Expr *const *args) {
  return expr_add(task, mul_high(task, args, false), args[2]);
}

// ---------------------------------------------------------- moves of bits ---

// The bits of high:low from bit `by` modulo the width on: from the top for
// the left funnel, from the bottom for the right one.
static Expr *funnel(Task *task, Expr *high, Expr *low, Expr *by, bool left) {
  unsigned width = high->width;
  Expr *modulus = expr_const(task, width, width);
  by = expr_binary(task, EXPR_UREM, by, modulus);
  Expr *rest = expr_sub(task, modulus, by);
  ExprOp up = EXPR_SHL, down = EXPR_LSHR;
  return expr_binary(task, EXPR_OR,
                     expr_binary(task, up, high, left ? by : rest),
                     expr_binary(task, down, low, left ? rest : by));
}

static Expr *funnel_left(Task *task, Expr *const *args) {
  return funnel(task, args[0], args[1], args[2], true);
}

static Expr *funnel_right(Task *task, Expr *const *args) {
  return funnel(task, args[0], args[1], args[2], false);
}

static Expr *rotate(Task *task, Expr *const *args) {
  return funnel(task, args[0], args[0], args[1], true);
}

static Expr *same(Task *task, Expr *const *args) {
  (void)task;
  return args[0];
}

static Expr *bit_reverse(Task *task, Expr *const *args) {
  Expr *a = args[0], *all = expr_extract(task, a, 0, 1);
  for (unsigned i = 1; i < a->width; i++)
    all = expr_concat(task, all, expr_extract(task, a, i, 1));
  return all;
}

static Expr *select(Task *task, Expr *const *args) {
  Expr *zero = expr_const(task, args[2]->width, 0);
  return expr_ite(task, expr_eq(task, args[2], zero), args[0], args[1]);
}

// -------------------------------------------------------------- overloads ---

// The Itanium mangling of OpenCL's overloads tells the type of the first
// argument after the name: i l s c are signed integers, j m t h unsigned.
static char first_type(LLVMValueRef call, const char *plain) {
  size_t length = 0;
  const char *name = LLVMGetValueName2(called_function(call), &length);
  const char *at = strstr(name, plain);
  at = at ? at + strlen(plain) : "";
  if (strncmp(at, "Dv", 2) == 0)
    at = strchr(at, '_') ? strchr(at, '_') + 1 : "";
  return *at;
}

// NULL: the overload is of no integers.
static Function *of_overload(Builder *builder, LLVMValueRef call,
                             Function *of_signed, Function *of_unsigned) {
  char type = first_type(call, builder->row->name);
  if (!type)
    return NULL;
  return strchr("ilsca", type)  ? of_signed
         : strchr("jmth", type) ? of_unsigned
                                : NULL;
}

// ----------------------------------------------------------------- calls ---

// Lane `i` of each operand; scalars serve for all lanes.
static void gather_args(Builder *builder, LLVMValueRef call, unsigned i,
                        Expr **args, unsigned most) {
  unsigned count = LLVMGetNumArgOperands(call);
  count = count < most ? count : most;
  for (unsigned k = 0; k < count; k++) {
    LlvmValue *value = value_of(builder, LLVMGetOperand(call, k));
    args[k] = value->lanes[value->count > i ? i : 0].bits;
  }
}

static void compute_lanes(Builder *builder, LLVMValueRef call,
                          Function *function) {
  LLVMTypeRef type = LLVMTypeOf(call);
  LlvmValue *result = value_new(builder, lanes_of_type(builder, type));
  for (unsigned i = 0; i < result->count; i++) {
    Expr *args[3] = {0};
    gather_args(builder, call, i, args, 3);
    result->lanes[i].bits = function(builder->task, args);
  }
  set_value(builder, call, result);
}

void call_integer(Builder *builder, LLVMValueRef call) {
  static const struct {
    Function *of_signed, *of_unsigned;
  } functions[] = {
#define MEANING(name, operands, translation)
#define INTEGER(name, operands, of_signed, of_unsigned)                        \
  [CALL_##name] = {of_signed, of_unsigned},
#include "translator/meanings.def"
  };
  Function *of_signed = functions[builder->row->meaning].of_signed;
  Function *of_unsigned = functions[builder->row->meaning].of_unsigned;
  Function *function = of_signed == of_unsigned
                           ? of_signed
                           : of_overload(builder, call, of_signed, of_unsigned);
  if (function)
    compute_lanes(builder, call, function);
  else
    call_pure(builder, call);
}

// Of vectors it is the highest bit of each element that counts.
void call_cl_select(Builder *builder, LLVMValueRef call) {
  bool is_vector = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVectorTypeKind;
  if (!is_vector && of_overload(builder, call, select, select))
    compute_lanes(builder, call, select);
  else
    call_pure(builder, call);
}
