// What the host code says about sizes and arguments, as facts.
//
// A HostTerm becomes an Expr.  The host's unknowns are launch-wide symbols;
// the kernel's own are block sizes, grid sizes and parameters.  A fact that
// speaks of a dimension which SOUND(unused-dimensions) has set to one is left
// out, for together they would say more about the host than is true.  So is a
// fact about a parameter that is not a plain number here.

#include "translator/from_llvm.h"

#include <assert.h>

static Expr *translate(Builder *builder, Exprs *unknowns, const HostTerm *term);

static Expr *unknown(Builder *builder, Exprs *unknowns, const HostTerm *term) {
  while (unknowns->count <= term->value)
    push(&builder->task->arena, unknowns, (Expr *)NULL);
  Expr **expr = &unknowns->at[term->value];
  if (!*expr)
    *expr =
        builder_symbol(builder, SYMBOL_LAUNCH, term->width, term->name)->expr;
  assert((*expr)->width == term->width);
  return *expr;
}

// NULL: it is no number of this width.
static Expr *argument(const Builder *builder, const HostTerm *term) {
  const Kernel *kernel = builder->kernel;
  const Symbol *symbol = term->value < kernel->parameters.count
                             ? kernel->parameters.at[term->value]
                             : NULL;
  return symbol && symbol->width == term->width ? symbol->expr : NULL;
}

// NULL: the kernel does not read it, or not as one number.
static Expr *member(const Builder *builder, const HostTerm *term) {
  for (size_t i = 0; i < builder->fields.count; i++) {
    const ArgumentField *field = &builder->fields.at[i];
    if (host_member(field->parameter, field->offset) == term->value &&
        field->value->width == term->width)
      return field->value;
  }
  return NULL;
}

static Array *array_behind(Builder *builder, uint64_t argument) {
  return table_get(&builder->arrays,
                   LLVMGetParam(builder->function, (unsigned)argument));
}

// NULL: the options say it, or it is no array.
static Expr *bytes_behind(Builder *builder, uint64_t argument) {
  Array *array = array_behind(builder, argument);
  if (!array || !array->is_parameter)
    return NULL;
  if (!array->bytes)
    array->bytes = builder_symbol(builder, SYMBOL_LAUNCH, POINTER_BITS,
                                  arena_printf(&builder->task->arena,
                                               "bytes of %s", array->name))
                       ->expr;
  return array->bytes->op == EXPR_CONST ? NULL : array->bytes;
}

static ExprOp operator_of(HostOp op) {
  switch (op) {
#define OP(name, text)                                                         \
  case HOST_##name:                                                            \
    return EXPR_##name;
#include "llvm/host_ops.def"
#undef OP
  case HOST_NOT:
    return EXPR_NOT;
  case HOST_ITE:
    return EXPR_ITE;
  case HOST_NUMBER:
  case HOST_UNKNOWN:
  case HOST_ARGUMENT:
  case HOST_MEMBER:
  case HOST_BLOCK:
  case HOST_GRID:
  case HOST_BYTES:
  case HOST_ZEXT:
  case HOST_SEXT:
  case HOST_TRUNC:
    break;
  }
  return EXPR_OPS;
}

static Expr *combined(Builder *builder, Exprs *unknowns, const HostTerm *term) {
  Task *task = builder->task;
  Expr *args[3] = {0};
  for (unsigned i = 0; i < 3 && term->args[i]; i++)
    if (!(args[i] = translate(builder, unknowns, term->args[i])))
      return NULL;
  if (term->op == HOST_ZEXT)
    return expr_zext(task, args[0], term->width);
  if (term->op == HOST_SEXT)
    return expr_sext(task, args[0], term->width);
  if (term->op == HOST_TRUNC)
    return expr_extract(task, args[0], 0, term->width);
  if (term->op == HOST_NOT)
    return expr_not(task, args[0]);
  if (term->op == HOST_ITE)
    push(&task->arena, &builder->kernel->choices, args[0]);
  if (term->op == HOST_ITE)
    return expr_ite(task, args[0], args[1], args[2]);
  return expr_binary(task, operator_of(term->op), args[0], args[1]);
}

static Expr *translate(Builder *builder, Exprs *unknowns,
                       const HostTerm *term) {
  switch (term->op) {
  case HOST_NUMBER:
    return expr_const(builder->task, term->width, term->value);
  case HOST_UNKNOWN:
    return unknown(builder, unknowns, term);
  case HOST_ARGUMENT:
    return argument(builder, term);
  case HOST_MEMBER:
    return member(builder, term);
  case HOST_BLOCK:
    return builder->kernel->block_size[term->value];
  case HOST_GRID:
    return builder->kernel->grid_size[term->value];
  case HOST_BYTES:
    return bytes_behind(builder, term->value);
  case HOST_NOT:
  case HOST_ITE:
  case HOST_ZEXT:
  case HOST_SEXT:
  case HOST_TRUNC:
#define OP(name, text) case HOST_##name:
#include "llvm/host_ops.def"
#undef OP
    break;
  }
  return combined(builder, unknowns, term);
}

// Is it made of what the kernel has a name for?
static bool is_of_kernel(const HostTerm *term) {
  if (term->op == HOST_UNKNOWN || term->op == HOST_BYTES)
    return false;
  for (unsigned i = 0; i < 3 && term->args[i]; i++)
    if (!is_of_kernel(term->args[i]))
      return false;
  return true;
}

// What the fact says that the size is; or NULL.
static const HostTerm *size_by(const HostTerm *holds, unsigned index) {
  for (unsigned i = 0; holds->op == HOST_EQ && i < 2; i++) {
    const HostTerm *bytes = holds->args[i], *size = holds->args[!i];
    if (bytes->op == HOST_BYTES && bytes->value == index && is_of_kernel(size))
      return size;
  }
  return NULL;
}

// A size that no fact says, or one only under a condition, is not known after
// all; one that is a number is this number everywhere.
static void conclude_bytes(Builder *builder, unsigned index) {
  const HostFacts *facts = &builder->kernel->launch.facts;
  Array *array = array_behind(builder, index);
  const HostTerm *size = NULL;
  if (!array || !array->is_parameter || !array->bytes ||
      array->bytes->op == EXPR_CONST)
    return;
  for (size_t i = 0; i < facts->count && !size; i++)
    size = size_by(facts->at[i].holds, index);
  if (!size)
    array->bytes = NULL;
  else if (size->op == HOST_NUMBER)
    array->bytes = expr_const(builder->task, POINTER_BITS, size->value);
}

// SOUND(whole-program): what is so if nobody else calls the functions that
// launch.  Of the launches that the host chooses between it may leave one.
static Expr *add_of_program(Builder *builder, Exprs *unknowns,
                            const HostFact *said) {
  Kernel *kernel = builder->kernel;
  size_t choices = kernel->choices.count;
  Expr *fact = translate(builder, unknowns, said->holds);
  kernel->choices.count = choices;
  if (fact)
    premise_add(builder->task, kernel, PREMISE_WHOLE_PROGRAM,
                (Premise){.fact = fact});
  return fact;
}

// SOUND(no-signed-overflow): the arithmetic of what the host says is defined.
static Expr *add_meant(Builder *builder, Exprs *unknowns,
                       const HostTerm *defined) {
  Expr *meant = defined ? translate(builder, unknowns, defined) : NULL;
  if (meant)
    premise_add(builder->task, builder->kernel, PREMISE_NO_SIGNED_OVERFLOW,
                (Premise){.fact = meant});
  return meant;
}

void add_host_facts(Builder *builder) {
  Kernel *kernel = builder->kernel;
  HostFacts facts = kernel->launch.facts, kept = {0};
  Exprs unknowns = {0};
  for (size_t i = 0; i < facts.count; i++) {
    bool is_of_program = facts.at[i].is_of_program;
    Expr *fact = is_of_program
                     ? add_of_program(builder, &unknowns, &facts.at[i])
                     : translate(builder, &unknowns, facts.at[i].holds);
    if (!fact || expr_is_true(fact))
      continue;
    Expr *meant = add_meant(builder, &unknowns, facts.at[i].defined);
    push(&builder->task->arena, &kept, facts.at[i]);
    if (is_of_program)
      continue;
    if (meant)
      push(&builder->task->arena, &kernel->meant, meant);
    push(&builder->task->arena, &kernel->facts, fact);
  }
  kernel->launch.facts = kept;
  for (unsigned i = 0; i < LLVMCountParams(builder->function); i++)
    conclude_bytes(builder, i);
}
