// A tree as CUDA, for people: what print_llvm.c says in LLVM IR.

#include "test/skeletons/skeleton.h"

static const char *value_text(SkeletonTerm value) {
  static const char *const texts[] = {
      [TERM_ZERO] = "0",
      [TERM_ONE] = "1",
      [TERM_TWO] = "2",
      [TERM_THREAD] = "(int)threadIdx.x",
      [TERM_OWN] = "own",
      [TERM_OWN_NEXT] = "own + 1",
      [TERM_OWN_XOR] = "own ^ 1",
      [TERM_N] = "n",
      [TERM_N_LESS] = "n - 1",
      [TERM_F] = "f",
      [TERM_X] = "x",
      [TERM_I] = "i",
      [TERM_J] = "j",
      [TERM_I_NEXT] = "i + 1",
      [TERM_J_NEXT] = "j + 1",
      [TERM_DATA] = "in[threadIdx.x]",
      [TERM_UNIFORM_DATA] = "in[0]",
  };
  return texts[value];
}

static void print_condition(FILE *out, const Condition *c) {
  static const char *const relations[] = {[RELATION_EQ] = "==",
                                          [RELATION_NE] = "!=",
                                          [RELATION_LT] = "<",
                                          [RELATION_GT] = ">"};
  if (c->relation == RELATION_ODD)
    fprintf(out, "%s & 1", value_text(c->left));
  else
    fprintf(out, "%s %s %s", value_text(c->left), relations[c->relation],
            value_text(c->right));
}

static void print_when(FILE *out, const Condition *c) {
  if (c->relation == RELATION_ALWAYS)
    return;
  fprintf(out, "if (");
  print_condition(out, c);
  fprintf(out, ") ");
}

static void print_array(FILE *out, const Statement *s) {
  const char *name = s->is_global ? "g" : "s";
  switch (s->via) {
  case VIA_NOTHING:
    fprintf(out, "%s", name);
    break;
  case VIA_RETURNED:
    fprintf(out, "view_of(%s).data", name);
    break;
  case VIA_STORED:
    fprintf(out, "stored(View{%s, 1}).data", name);
    break;
  case VIA_INTEGER:
    fprintf(out, "((int *)((size_t)%s * 1))", name);
    break;
  case VIA_VECTOR:
    fprintf(out, "vector{%s, 0}[0]", name);
    break;
  }
  fprintf(out, "[%s]", value_text(s->index));
}

static void print_access(FILE *out, const Statement *s) {
  static const char *const befores[] = {
      [OP_READ] = "f = ",      [OP_READ_ATOMIC] = "f = atomicAdd(&",
      [OP_ASSERT] = "assert(", [OP_WRITE] = "",
      [OP_WRITE_ONE] = "",     [OP_ATOMIC] = "atomicAdd(&"};
  static const char *const behinds[] = {
      [OP_READ] = ";\n",          [OP_READ_ATOMIC] = ", 1);\n",
      [OP_ASSERT] = " == f);\n",  [OP_WRITE] = " = own + 1;\n",
      [OP_WRITE_ONE] = " = 1;\n", [OP_ATOMIC] = ", 1);\n"};
  fprintf(out, "%s", befores[s->op]);
  print_array(out, s);
  fprintf(out, "%s", behinds[s->op]);
}

static void print_barrier(FILE *out, const Statement *s) {
  static const char *const texts[] = {[BARRIER_OF_BLOCK] = "__syncthreads()",
                                      [BARRIER_OF_WARP] = "__syncwarp()",
                                      [BARRIER_OF_GRID] = "grid.sync()"};
  fprintf(out, "%s;\n", texts[s->barrier]);
}

static void print_exit(FILE *out, const Statement *s) {
  static const char *const texts[] = {[EXIT_NONE] = "",
                                      [EXIT_BREAK] = "break",
                                      [EXIT_CONTINUE] = "continue",
                                      [EXIT_RETURN] = "return",
                                      [EXIT_BREAK_OUTER] = "goto behind"};
  fprintf(out, "%s;\n", texts[s->exit]);
}

static void print_all(FILE *out, const Tree *tree, const Statement *s,
                      int depth);

// Does a statement of a loop in this one go behind this one?
static bool is_left_from_inside(const Statement *s) {
  for (s = s->body; s; s = s->next)
    for (const Statement *in = s->body; in; in = in->next)
      if (in->exit == EXIT_BREAK_OUTER)
        return true;
  return false;
}

static void print_loop(FILE *out, const Tree *tree, const Statement *s,
                       int depth) {
  const char *counter = value_text(s->counter ? TERM_J : TERM_I);
  const char *step = s->is_halving ? " /= 2" : "++";
  if (s->is_tested_behind) {
    fprintf(out, "%s = 0;\n%*sdo {\n", counter, depth, "");
    print_all(out, tree, s->body, depth + 2);
    fprintf(out, "%*s} while (++%s < n);\n", depth, "", counter);
    return;
  }
  fprintf(out, "for (%s = %s; ", counter, value_text(s->start));
  print_condition(out, &s->condition);
  fprintf(out, "; %s%s) {\n", counter, step);
  print_all(out, tree, s->body, depth + 2);
  fprintf(out, "%*s}\n", depth, "");
}

static void print_statement(FILE *out, const Tree *tree, const Statement *s,
                            int depth) {
  if (s->kind == STATEMENT_CARRY && !tree->uses_x)
    return;
  fprintf(out, "%*s", depth, "");
  if (s->kind != STATEMENT_LOOP)
    print_when(out, &s->condition);
  switch (s->kind) {
  case STATEMENT_LOOP:
    print_loop(out, tree, s, depth);
    if (is_left_from_inside(s))
      fprintf(out, "%*sbehind:;\n", depth, "");
    break;
  case STATEMENT_ACCESS:
    print_access(out, s);
    break;
  case STATEMENT_BARRIER:
    print_barrier(out, s);
    break;
  case STATEMENT_EXIT:
    print_exit(out, s);
    break;
  case STATEMENT_CARRY:
    fprintf(out, s->is_counting ? "x++;\n" : "x = %s;\n", value_text(s->value));
    break;
  }
}

static void print_all(FILE *out, const Tree *tree, const Statement *s,
                      int depth) {
  for (; s; s = s->next)
    print_statement(out, tree, s, depth);
}

void print_cuda(FILE *out, const Tree *tree, const char *name) {
  fprintf(out,
          "__global__ void %s(const int *in, int *g, int n) { // %u block%s\n"
          "  __shared__ int s[64];\n"
          "  int own = blockIdx.x * blockDim.x + threadIdx.x;\n"
          "  int i = 0, j = 0, f = 0, x = 0;\n",
          name, tree->blocks, tree->blocks > 1 ? "s" : "");
  print_all(out, tree, tree->body, 2);
  fprintf(out, "}\n");
}
