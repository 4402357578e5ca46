// Programs as CUDA.
//
// Parentheses everywhere: the text is for compilers, and precedence is not
// what we want to test.  Questions are of type int in C; where a number is
// wanted they are cast, so that every expression is unsigned.

#include "test/fuzz/fuzz.h"

typedef struct Printer {
  FILE *out;
  const FuzzProgram *program;
} Printer;

static const struct {
  const char *before, *between, *behind;
  bool is_question;
} operators[] = {
#define OPERATOR(name, before, between, behind, question, undefined, value)    \
  [OPERATOR_##name] = {before, between, behind, question},
#include "test/fuzz/operators.def"
#undef OPERATOR
};

static void print_term(Printer *pr, const FuzzTerm *term);

static void print_variable(Printer *pr, const FuzzVariable *variable) {
  fprintf(pr->out, "%c%u",
          variable->is_parameter ? 'n'
          : variable->is_counter ? 'i'
                                 : 'v',
          variable->number);
}

static void print_array(Printer *pr, const FuzzArray *array) {
  static const char letters[] = {
      [HOME_GLOBAL] = 'g', [HOME_SHARED] = 's', [HOME_PRIVATE] = 'l'};
  fprintf(pr->out, "%c%u", letters[array->home], array->number);
}

// By way of a struct, as views and spans have it.
static bool is_handed(const FuzzPlace *place) {
  return place->is_handed && !(place->array && place->array->columns);
}

static void print_base(Printer *pr, const FuzzPlace *place) {
  if (is_handed(place))
    fputs("handed(", pr->out);
  FuzzType own = place->array ? place->array->type : place->pointer->type;
  if (own != place->type)
    fprintf(pr->out, "((%s *)", type_text(place->type));
  if (place->array)
    print_array(pr, place->array);
  else
    fprintf(pr->out, "p%u", place->pointer->number);
  if (own != place->type)
    fputc(')', pr->out);
  if (is_handed(place))
    fputs(").at", pr->out);
}

static bool is_plain_int(const FuzzPlace *place) {
  return place->index->kind == TERM_VARIABLE &&
         place->index->variable->type == place->index_type;
}

static void print_masked(Printer *pr, const FuzzPlace *place) {
  unsigned count =
      place->array ? place->array->bytes / type_bytes(place->type) : 2;
  print_term(pr, place->index);
  if (place->array && place->array->number % 2)
    fprintf(pr->out, " %% %uu", count);
  else
    fprintf(pr->out, " & %uu", count - 1);
}

static void print_index(Printer *pr, const FuzzPlace *place) {
  if (place->is_masked) {
    print_masked(pr, place);
  } else if (is_plain_int(place)) {
    print_variable(pr, place->index->variable);
  } else {
    if (place->index_type != TYPE_U32)
      fprintf(pr->out, "(%s)", type_text(place->index_type));
    print_term(pr, place->index);
  }
}

static void print_place(Printer *pr, const FuzzPlace *place) {
  print_base(pr, place);
  unsigned columns = place->array && place->array->type == place->type
                         ? place->array->columns
                         : 0;
  if (columns) {
    fputs("[(", pr->out);
    print_index(pr, place);
    fprintf(pr->out, ") / %u][(", columns);
    print_index(pr, place);
    fprintf(pr->out, ") %% %u]", columns);
  } else {
    fputc('[', pr->out);
    print_index(pr, place);
    fputc(']', pr->out);
  }
}

static void print_load(Printer *pr, const FuzzPlace *place) {
  bool is_vector = place->type == TYPE_PAIR || place->type == TYPE_QUAD;
  if (is_vector)
    fputs("sum(", pr->out);
  else if (place->type != TYPE_U32)
    fputs("(unsigned)", pr->out);
  print_place(pr, place);
  if (is_vector)
    fputc(')', pr->out);
}

static void print_condition(Printer *pr, const FuzzTerm *term);

static void print_operand(Printer *pr, const FuzzTerm *term,
                          bool as_condition) {
  if (as_condition)
    print_condition(pr, term);
  else
    print_term(pr, term);
}

static void print_binary(Printer *pr, const FuzzTerm *term) {
  bool of_conditions = term->op == OPERATOR_BOTH || term->op == OPERATOR_EITHER;
  fputs(operators[term->op].before, pr->out);
  print_operand(pr, term->args[0], of_conditions);
  fputs(operators[term->op].between, pr->out);
  print_operand(pr, term->args[1], of_conditions);
  fputs(operators[term->op].behind, pr->out);
}

static void print_condition(Printer *pr, const FuzzTerm *term) {
  if (term->kind == TERM_BINARY)
    print_binary(pr, term);
  else
    print_term(pr, term);
}

static void print_builtin(Printer *pr, FuzzBuiltin builtin) {
  static const char *const texts[] = {
      [BUILTIN_THREAD_X] = "threadIdx.x",
      [BUILTIN_THREAD_Y] = "threadIdx.y",
      [BUILTIN_BLOCK_X] = "blockIdx.x",
      [BUILTIN_BLOCK_SIZE_X] = "blockDim.x",
      [BUILTIN_BLOCK_SIZE_Y] = "blockDim.y",
      [BUILTIN_GRID_SIZE_X] = "gridDim.x",
  };
  fputs(texts[builtin], pr->out);
}

static void print_arguments(Printer *pr, FuzzTerm *const *args,
                            bool has_first) {
  for (unsigned i = 0; i < 2 && args[i]; i++) {
    if (i || has_first)
      fputs(", ", pr->out);
    print_term(pr, args[i]);
  }
}

static void print_procedure_name(Printer *pr, const FuzzProcedure *procedure) {
  fprintf(pr->out, "f%u_%u(", pr->program->index, procedure->number);
}

static void print_term(Printer *pr, const FuzzTerm *term) {
  switch (term->kind) {
  case TERM_NUMBER:
    fprintf(pr->out, "%uu", term->number);
    break;
  case TERM_BUILTIN:
    print_builtin(pr, term->builtin);
    break;
  case TERM_VARIABLE:
    if (term->variable->type != TYPE_U32)
      fputs("(unsigned)", pr->out);
    print_variable(pr, term->variable);
    break;
  case TERM_CAST:
    fprintf(pr->out, "(unsigned)(%s)", type_text(term->type));
    print_term(pr, term->args[0]);
    break;
  case TERM_BINARY:
    if (operators[term->op].is_question)
      fputs("(unsigned)", pr->out);
    print_binary(pr, term);
    break;
  case TERM_SELECT:
    fputc('(', pr->out);
    print_condition(pr, term->args[0]);
    fputs(" ? ", pr->out);
    print_term(pr, term->args[1]);
    fputs(" : ", pr->out);
    print_term(pr, term->args[2]);
    fputc(')', pr->out);
    break;
  case TERM_LOAD:
    print_load(pr, term->place);
    break;
  case TERM_CALL:
    print_procedure_name(pr, term->procedure);
    print_arguments(pr, term->args, false);
    fputc(')', pr->out);
    break;
  }
}

static void print_steps(Printer *pr, const FuzzSteps *steps, int depth);

static void print_set(Printer *pr, const FuzzVariable *variable,
                      const FuzzTerm *value) {
  print_variable(pr, variable);
  fputs(" = ", pr->out);
  if (variable->type != TYPE_U32)
    fprintf(pr->out, "(%s)", type_text(variable->type));
  print_term(pr, value);
}

static void print_vector(Printer *pr, const FuzzStep *step) {
  fprintf(pr->out, "make_%s(", type_text(step->place->type));
  unsigned lanes = type_bytes(step->place->type) / 4;
  for (unsigned lane = 0; lane < lanes; lane++) {
    if (lane)
      fputs(", ", pr->out);
    print_term(pr, lane % 2 ? step->more : step->term);
  }
  fputc(')', pr->out);
}

static void print_store(Printer *pr, const FuzzStep *step) {
  FuzzType type = step->place->type;
  print_place(pr, step->place);
  fputs(" = ", pr->out);
  if (type == TYPE_PAIR || type == TYPE_QUAD) {
    print_vector(pr, step);
  } else {
    if (type != TYPE_U32)
      fprintf(pr->out, "(%s)", type_text(type));
    print_term(pr, step->term);
  }
}

static void print_update(Printer *pr, const FuzzStep *step) {
  print_place(pr, step->place);
  fprintf(pr->out, " %c= ", operators[step->op].between[1]);
  print_term(pr, step->term);
}

static void print_atomic(Printer *pr, const FuzzStep *step) {
  static const char *const names[] = {[ATOMIC_ADD] = "atomicAdd",
                                      [ATOMIC_MAX] = "atomicMax",
                                      [ATOMIC_EXCHANGE] = "atomicExch"};
  if (step->variable) {
    print_variable(pr, step->variable);
    fputs(" = ", pr->out);
  }
  fprintf(pr->out, "%s(&", names[step->atomic]);
  print_place(pr, step->place);
  fputs(", ", pr->out);
  print_term(pr, step->term);
  fputc(')', pr->out);
}

static void print_address(Printer *pr, FuzzType type, const FuzzPlace *place) {
  if (place->type != type)
    fprintf(pr->out, "(%s *)", type_text(type));
  fputc('&', pr->out);
  print_place(pr, place);
}

static void print_point(Printer *pr, const FuzzStep *step) {
  fprintf(pr->out, "p%u = ", step->pointer->number);
  if (step->more_place) {
    print_condition(pr, step->term);
    fputs(" ? ", pr->out);
  }
  print_address(pr, step->pointer->type, step->place);
  if (step->more_place) {
    fputs(" : ", pr->out);
    print_address(pr, step->pointer->type, step->more_place);
  }
}

static void print_call(Printer *pr, const FuzzStep *step) {
  print_procedure_name(pr, step->procedure);
  if (step->place)
    print_address(pr, step->procedure->pointer->type, step->place);
  print_arguments(pr, step->args, step->place);
  fputc(')', pr->out);
}

static void indent(Printer *pr, int depth) {
  fprintf(pr->out, "%*s", 2 * depth, "");
}

static void print_block(Printer *pr, const FuzzSteps *steps, int depth) {
  fputs(" {\n", pr->out);
  print_steps(pr, steps, depth + 1);
  indent(pr, depth);
  fputc('}', pr->out);
}

static void print_if(Printer *pr, const FuzzStep *step, int depth) {
  fputs("if (", pr->out);
  print_condition(pr, step->term);
  fputc(')', pr->out);
  print_block(pr, &step->body, depth);
  if (step->other.count) {
    fputs(" else", pr->out);
    print_block(pr, &step->other, depth);
  }
}

static void print_for(Printer *pr, const FuzzStep *step, int depth) {
  fprintf(pr->out, "for (%s ", type_text(step->variable->type));
  print_set(pr, step->variable, step->start);
  fputs("; ", pr->out);
  print_condition(pr, step->term);
  fputs("; ", pr->out);
  print_set(pr, step->variable, step->next);
  fputc(')', pr->out);
  print_block(pr, &step->body, depth);
}

static void print_while(Printer *pr, const FuzzStep *step, int depth) {
  fputs("while (", pr->out);
  print_condition(pr, step->term);
  fputc(')', pr->out);
  print_block(pr, &step->body, depth);
}

static void print_do(Printer *pr, const FuzzStep *step, int depth) {
  fputs("do", pr->out);
  print_block(pr, &step->body, depth);
  fputs(" while (", pr->out);
  print_condition(pr, step->term);
  fputs(");", pr->out);
}

static void print_switch(Printer *pr, const FuzzStep *step, int depth) {
  fputs("switch (", pr->out);
  print_term(pr, step->term);
  fputc(')', pr->out);
  print_block(pr, &step->body, depth);
}

static void print_case(Printer *pr, const FuzzStep *step, int depth) {
  if (step->is_default)
    fputs("default:\n", pr->out);
  else
    fprintf(pr->out, "case %u:\n", step->label);
  print_steps(pr, &step->body, depth + 1);
  indent(pr, depth + 1);
  fputs(step->falls_through ? ";" : "break;", pr->out);
}

static void print_vote(Printer *pr, const FuzzStep *step) {
  print_variable(pr, step->variable);
  fputs(" = (unsigned)__syncthreads_or((int)", pr->out);
  print_term(pr, step->term);
  fputc(')', pr->out);
}

// What ends with a semicolon; false: what ends with a block.
static bool print_simple(Printer *pr, const FuzzStep *step, int depth) {
  switch (step->kind) {
  case STEP_SET:
    print_set(pr, step->variable, step->term);
    return true;
  case STEP_STORE:
    print_store(pr, step);
    return true;
  case STEP_UPDATE:
    print_update(pr, step);
    return true;
  case STEP_ATOMIC:
    print_atomic(pr, step);
    return true;
  case STEP_POINT:
    print_point(pr, step);
    return true;
  case STEP_ADVANCE:
    fprintf(pr->out, "p%u += ", step->pointer->number);
    print_term(pr, step->term);
    return true;
  case STEP_IF:
    print_if(pr, step, depth);
    return false;
  case STEP_FOR:
    print_for(pr, step, depth);
    return false;
  case STEP_WHILE:
    print_while(pr, step, depth);
    return false;
  case STEP_DO:
    print_do(pr, step, depth);
    return false;
  case STEP_SWITCH:
    print_switch(pr, step, depth);
    return false;
  case STEP_CASE:
    print_case(pr, step, depth);
    return false;
  case STEP_BREAK:
    fputs("break", pr->out);
    return true;
  case STEP_CONTINUE:
    fputs("continue", pr->out);
    return true;
  case STEP_RETURN:
    fputs("return", pr->out);
    return true;
  case STEP_BARRIER:
    fputs("__syncthreads()", pr->out);
    return true;
  case STEP_VOTE:
    print_vote(pr, step);
    return true;
  case STEP_WARP_BARRIER:
    fputs("__syncwarp()", pr->out);
    return true;
  case STEP_CALL:
    print_call(pr, step);
    return true;
  }
  return true;
}

static void print_steps(Printer *pr, const FuzzSteps *steps, int depth) {
  for (size_t i = 0; i < steps->count; i++) {
    indent(pr, depth);
    bool is_simple = print_simple(pr, steps->at[i], depth);
    fputs(is_simple ? ";\n" : "\n", pr->out);
  }
}

static void print_procedure(Printer *pr, const FuzzProcedure *procedure) {
  fprintf(pr->out, "static __device__ %s ",
          procedure->result ? "unsigned" : "void");
  print_procedure_name(pr, procedure);
  if (procedure->pointer)
    fprintf(pr->out, "%s *p%u", type_text(procedure->pointer->type),
            procedure->pointer->number);
  for (size_t i = 0; i < procedure->parameters.count; i++) {
    fprintf(pr->out, "%sunsigned ", i || procedure->pointer ? ", " : "");
    print_variable(pr, procedure->parameters.at[i]);
  }
  fputs(") {\n", pr->out);
  if (procedure->result) {
    fputs("  return ", pr->out);
    print_term(pr, procedure->result);
    fputs(";\n", pr->out);
  }
  print_steps(pr, &procedure->body, 1);
  fputs("}\n\n", pr->out);
}

static void print_parameters(Printer *pr) {
  const char *separator = "";
  for (size_t i = 0; i < pr->program->arrays.count; i++) {
    const FuzzArray *array = pr->program->arrays.at[i];
    if (array->home != HOME_GLOBAL || array->is_hidden)
      continue;
    fprintf(pr->out, "%s%s *", separator, type_text(array->type));
    print_array(pr, array);
    separator = ", ";
  }
  for (size_t i = 0; i < pr->program->variables.count; i++) {
    const FuzzVariable *variable = pr->program->variables.at[i];
    if (!variable->is_parameter || variable->is_hidden)
      continue;
    fprintf(pr->out, "%s%s ", separator, type_text(variable->type));
    print_variable(pr, variable);
    separator = ", ";
  }
}

static void declare_array(Printer *pr, const FuzzArray *array) {
  fprintf(pr->out, "  %s__attribute__((aligned(16))) %s ",
          array->home == HOME_SHARED ? "__shared__ " : "",
          type_text(array->type));
  print_array(pr, array);
  unsigned count = array->bytes / type_bytes(array->type);
  if (array->columns)
    fprintf(pr->out, "[%u][%u]", count / array->columns, array->columns);
  else
    fprintf(pr->out, "[%u]", count);
  fputs(array->home == HOME_PRIVATE ? " = {0};\n" : ";\n", pr->out);
}

static void declare_locals(Printer *pr) {
  const FuzzProgram *p = pr->program;
  for (size_t i = 0; i < p->arrays.count; i++)
    if (p->arrays.at[i]->home != HOME_GLOBAL && !p->arrays.at[i]->is_hidden)
      declare_array(pr, p->arrays.at[i]);
  for (size_t i = 0; i < p->variables.count; i++) {
    const FuzzVariable *variable = p->variables.at[i];
    if (variable->is_parameter || variable->is_argument ||
        variable->is_counter || variable->is_hidden)
      continue;
    fprintf(pr->out, "  %s ", type_text(variable->type));
    print_variable(pr, variable);
    fputs(" = 0;\n", pr->out);
  }
  for (size_t i = 0; i < p->pointers.count; i++)
    if (!p->pointers.at[i]->is_argument && !p->pointers.at[i]->is_hidden)
      fprintf(pr->out, "  %s *p%u = 0;\n", type_text(p->pointers.at[i]->type),
              p->pointers.at[i]->number);
}

void print_preamble(FILE *out) {
  fputs(
      "static __device__ unsigned sum(uint2 v) { return v.x + v.y; }\n"
      "static __device__ unsigned sum(uint4 v) {\n"
      "  return v.x + v.y + v.z + v.w;\n"
      "}\n"
      "template <class T> struct Handed {\n"
      "  T *at;\n"
      "  unsigned count;\n"
      "};\n"
      "template <class T> static __device__ Handed<T> handed(T *at) {\n"
      "  Handed<T> result = {at, 1};\n"
      "  return result;\n"
      "}\n",
      out);
}

void print_program(FILE *out, const FuzzProgram *program) {
  Printer printer = {out, program};
  fputc('\n', out);
  for (size_t i = 0; i < program->procedures.count; i++)
    if (!program->procedures.at[i]->is_hidden)
      print_procedure(&printer, program->procedures.at[i]);
  fprintf(out, "extern \"C\" __global__ void k%u(", program->index);
  print_parameters(&printer);
  fputs(") {\n", out);
  declare_locals(&printer);
  print_steps(&printer, &program->body, 1);
  fputs("}\n", out);
}
