// Pointers to functions.
//
// A pointer to a function is a number of its own in the place of an array's.
// What it may be follows from the program: constants, branches between them,
// tables.  An argument that is asked which function it is has an answer that
// never changes; a pointer that was lost has none, so both ways are looked at.
//
// A call through a pointer has become one of each function that it may be, and
// the rest (llvm/pointed.c).  Of the rest nothing is known, so the proof is one
// only if no thread comes there; a null pointer there is the program's mistake.

#include "translator/from_llvm.h"

// ----------------------------------------------------------- their numbers ---

// There may be no function of this name: then the address is null.
static bool may_be_missing(LLVMValueRef function) {
  return LLVMGetLinkage(function) == LLVMExternalWeakLinkage;
}

Lane pointer_to_function(Builder *builder, LLVMValueRef function) {
  Task *task = builder->task;
  size_t i = 0;
  if (may_be_missing(function))
    return lane_unknown(builder, LLVMTypeOf(function), "address");
  while (i < builder->functions.count && builder->functions.at[i] != function)
    i++;
  if (i == builder->functions.count)
    push(&task->arena, &builder->functions, function);
  uint64_t number = BASE_CODE + i;
  if (number >= BASE_LOST)
    unsupported(task, builder->loc, "more than %d pointers to functions",
                BASE_LOST - BASE_CODE);
  return (Lane){expr_const(task, POINTER_BITS, 0),
                expr_const(task, BASE_BITS, number)};
}

static bool is_function(Lane pointer) {
  return expr_is_const(pointer.base) && pointer.base->value >= BASE_CODE &&
         pointer.base->value != BASE_LOST;
}

bool is_about_function(Lane a, Lane b) {
  return is_function(a) || is_function(b);
}

// ------------------------------------------------------------- comparisons ---

// Which function an argument is: some number, the same wherever it is asked.
static Expr *function_of(Builder *builder, Array *array) {
  if (!array->function) {
    const char *name =
        arena_printf(&builder->task->arena, "function of %s", array->name);
    array->function =
        builder_symbol(builder, SYMBOL_LAUNCH, BASE_BITS, name)->expr;
  }
  return array->function;
}

static bool may_be_function(const Array *array) {
  return array->is_parameter && !array->is_by_value &&
         array->space == SPACE_GLOBAL;
}

// A pointer that points into `array`, as its base says.
static Expr *array_is_function(Builder *builder, Array *array, Expr *function,
                               bool is_case) {
  if (may_be_function(array))
    return expr_eq(builder->task, function_of(builder, array), function);
  return is_case ? expr_bool(builder->task, false)
                 : builder_unknown(builder, 1, "pointers compare");
}

// What a lost pointer is not known to be it is called as by the rest: so a
// program is in doubt, and not taken for wrong.  Another place than where a
// function begins may be that of another one.
Expr *same_function(Builder *builder, Lane a, Lane b, bool is_case) {
  Task *task = builder->task;
  Lane known = is_function(b) ? b : a, other = is_function(b) ? a : b;
  const Roots *roots = roots_of(builder, other);
  Expr *is_same = expr_eq(task, other.base, known.base);
  for (size_t i = 0; i < roots->arrays.count; i++) {
    Array *array = roots->arrays.at[i];
    Expr *here =
        expr_eq(task, other.base, expr_const(task, BASE_BITS, array->number));
    Expr *it = array_is_function(builder, array, known.base, is_case);
    is_same = expr_ite(task, here, it, is_same);
  }
  Expr *is_begin = expr_eq(task, other.bits, known.bits);
  is_same = expr_and(task, is_same, is_begin);
  if (is_case)
    return is_same;
  Expr *lost = expr_const(task, BASE_BITS, BASE_LOST);
  Expr *is_lost =
      roots->is_lost ? expr_eq(task, other.base, lost) : expr_bool(task, false);
  return expr_ite(task, expr_or(task, is_lost, expr_not(task, is_begin)),
                  builder_unknown(builder, 1, "pointers compare"), is_same);
}

// ------------------------------------------------------------------- calls ---

// Behind the beginning of a function that is known.
static Expr *is_inside_function(Builder *builder, Lane pointer) {
  Task *task = builder->task;
  const Roots *roots = roots_of(builder, pointer);
  Expr *is_it = expr_bool(task, is_function(pointer));
  for (size_t i = 0; i < roots->arrays.count; i++) {
    Array *array = roots->arrays.at[i];
    if (!may_be_function(array))
      continue;
    Expr *here =
        expr_eq(task, pointer.base, expr_const(task, BASE_BITS, array->number));
    for (size_t k = 0; k < builder->functions.count; k++) {
      Expr *known = expr_const(task, BASE_BITS, BASE_CODE + k);
      is_it =
          expr_or(task, is_it,
                  expr_and(task, here,
                           expr_eq(task, function_of(builder, array), known)));
    }
  }
  Expr *begin = expr_const(task, POINTER_BITS, 0);
  return expr_and(task, is_it,
                  expr_not(task, expr_eq(task, pointer.bits, begin)));
}

// That the program writes down is the address of no function.
static bool is_number(LLVMValueRef pointer) {
  return LLVMIsAConstantExpr(pointer) &&
         LLVMGetConstOpcode(pointer) == LLVMIntToPtr &&
         LLVMIsAConstantInt(LLVMGetOperand(pointer, 0));
}

void call_through_pointer(Builder *builder, LLVMValueRef call) {
  Task *task = builder->task;
  Lane pointer = value_of(builder, LLVMGetCalledValue(call))->lanes[0];
  Expr *is_null =
      expr_eq(task, pointer.base, expr_const(task, BASE_BITS, BASE_NULL));
  assert_here(builder, expr_not(task, is_null), "a null pointer is called");
  assert_here(builder, expr_not(task, is_inside_function(builder, pointer)),
              "a place behind the beginning of a function is called");
  if (is_number(LLVMGetCalledValue(call)))
    assert_here(builder, expr_bool(task, false), "a number is called");
  Stmt *rest = builder_add(builder, STMT_ASSERT);
  rest->condition = expr_bool(task, false);
  rest->message = "a call through a function pointer";
  rest->doubt = "which function is called is not known";
  if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind)
    set_unknown(builder, call, "result");
}
