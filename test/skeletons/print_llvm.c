// A tree as LLVM IR, as clang writes it at -O0: variables in memory, a block
// of instructions for each part of a statement.
//
// A loop is for (counter = start; condition; step) body, with the blocks
// "head", "body", "step" and "behind", each with the statement's number, which
// exits jump to.

#include "test/skeletons/skeleton.h"

#include <assert.h>

typedef struct Writer {
  FILE *out;
  const Tree *tree;
  const char *name;
  unsigned values, labels;       // so many have a number
  const Statement *loops[LOOPS]; // around the statement, outer first
  unsigned depth;
} Writer;

void print_llvm_preamble(FILE *out) {
  fprintf(out,
          "target datalayout = "
          "\"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n"
          "target triple = \"nvptx64-nvidia-cuda\"\n"
          "%%view = type { ptr, i32 }\n"
          "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
          "declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
          "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
          "declare void @llvm.nvvm.bar.warp.sync(i32)\n"
          "declare void @__gpuverify_grid_sync()\n"
          "declare void @__assertfail(ptr, ptr, i32, ptr, i64)\n"
          "define internal %%view @view_of(ptr %%data) {\n"
          "  %%a = insertvalue %%view undef, ptr %%data, 0\n"
          "  %%b = insertvalue %%view %%a, i32 1, 1\n"
          "  ret %%view %%b\n"
          "}\n");
}

// ---------------------------------------------------------------- values ---

// "%v12 = ", and the number.
static unsigned begin_value(Writer *w) {
  fprintf(w->out, "  %%v%u = ", w->values);
  return w->values++;
}

static unsigned load_variable(Writer *w, const char *variable) {
  unsigned result = begin_value(w);
  fprintf(w->out, "load i32, ptr %%%s\n", variable);
  return result;
}

static unsigned with_number(Writer *w, const char *op, unsigned a, int b) {
  unsigned result = begin_value(w);
  fprintf(w->out, "%s i32 %%v%u, %d\n", op, a, b);
  return result;
}

static unsigned load_input(Writer *w, bool is_own) {
  unsigned address = begin_value(w);
  fprintf(w->out, "getelementptr inbounds i32, ptr %%in, i32 %s\n",
          is_own ? "%thread" : "0");
  unsigned result = begin_value(w);
  fprintf(w->out, "load i32, ptr %%v%u\n", address);
  return result;
}

static unsigned number(Writer *w, int n) {
  unsigned result = begin_value(w);
  fprintf(w->out, "add i32 0, %d\n", n);
  return result;
}

static unsigned compute(Writer *w, SkeletonTerm value) {
  switch (value) {
  case TERM_ZERO:
    return number(w, 0);
  case TERM_ONE:
    return number(w, 1);
  case TERM_TWO:
    return number(w, 2);
  case TERM_THREAD:
    return load_variable(w, "thread.at");
  case TERM_OWN:
    return load_variable(w, "own.at");
  case TERM_OWN_NEXT:
    return with_number(w, "add nsw", load_variable(w, "own.at"), 1);
  case TERM_OWN_XOR:
    return with_number(w, "xor", load_variable(w, "own.at"), 1);
  case TERM_N:
    return load_variable(w, "n.at");
  case TERM_N_LESS:
    return with_number(w, "sub nsw", load_variable(w, "n.at"), 1);
  case TERM_F:
    return load_variable(w, "f");
  case TERM_X:
    return load_variable(w, "x");
  case TERM_I:
    return load_variable(w, "i");
  case TERM_J:
    return load_variable(w, "j");
  case TERM_I_NEXT:
    return with_number(w, "add nsw", load_variable(w, "i"), 1);
  case TERM_J_NEXT:
    return with_number(w, "add nsw", load_variable(w, "j"), 1);
  case TERM_DATA:
    return load_input(w, true);
  case TERM_UNIFORM_DATA:
    return load_input(w, false);
  }
  assert(false);
  return 0;
}

static void set(Writer *w, const char *variable, unsigned value) {
  fprintf(w->out, "  store i32 %%v%u, ptr %%%s\n", value, variable);
}

static unsigned compute_condition(Writer *w, const Condition *c) {
  static const char *const relations[] = {[RELATION_EQ] = "eq",
                                          [RELATION_NE] = "ne",
                                          [RELATION_LT] = "slt",
                                          [RELATION_GT] = "sgt",
                                          [RELATION_ODD] = "ne"};
  unsigned left = compute(w, c->left);
  if (c->relation == RELATION_ODD)
    left = with_number(w, "and", left, 1);
  unsigned right = compute(w, c->right);
  unsigned result = begin_value(w);
  fprintf(w->out, "icmp %s i32 %%v%u, %%v%u\n", relations[c->relation], left,
          right);
  return result;
}

// ------------------------------------------------------------- addresses ---

static unsigned take_field(Writer *w, const char *type, unsigned from) {
  unsigned result = begin_value(w);
  fprintf(w->out, "extractvalue %s %%v%u, 0\n", type, from);
  return result;
}

static unsigned returned(Writer *w, unsigned base) {
  unsigned view = begin_value(w);
  fprintf(w->out, "call %%view @view_of(ptr %%v%u)\n", base);
  return take_field(w, "%view", view);
}

static unsigned stored(Writer *w, unsigned base) {
  fprintf(w->out, "  store ptr %%v%u, ptr %%view.at\n", base);
  unsigned view = begin_value(w);
  fprintf(w->out, "load %%view, ptr %%view.at\n");
  fprintf(w->out, "  store %%view %%v%u, ptr %%other.at\n", view);
  unsigned result = begin_value(w);
  fprintf(w->out, "load ptr, ptr %%other.at\n");
  return result;
}

static unsigned by_integer(Writer *w, unsigned base) {
  unsigned integer = begin_value(w);
  fprintf(w->out, "ptrtoint ptr %%v%u to i64\n", base);
  unsigned same = begin_value(w);
  fprintf(w->out, "mul i64 %%v%u, 1\n", integer);
  unsigned result = begin_value(w);
  fprintf(w->out, "inttoptr i64 %%v%u to ptr\n", same);
  return result;
}

static unsigned by_vector(Writer *w, unsigned base) {
  unsigned vector = begin_value(w);
  fprintf(w->out, "insertelement <2 x ptr> zeroinitializer, ptr %%v%u, i32 0\n",
          base);
  unsigned result = begin_value(w);
  fprintf(w->out, "extractelement <2 x ptr> %%v%u, i32 0\n", vector);
  return result;
}

static unsigned base_of(Writer *w, const Statement *s) {
  unsigned base = begin_value(w);
  if (s->is_global)
    fprintf(w->out, "load ptr, ptr %%g.at\n");
  else
    fprintf(w->out,
            "getelementptr i8, ptr addrspacecast (ptr addrspace(3) @%s.s to "
            "ptr), i64 0\n",
            w->name);
  switch (s->via) {
  case VIA_NOTHING:
    return base;
  case VIA_RETURNED:
    return returned(w, base);
  case VIA_STORED:
    return stored(w, base);
  case VIA_INTEGER:
    return by_integer(w, base);
  case VIA_VECTOR:
    return by_vector(w, base);
  }
  assert(false);
  return 0;
}

static unsigned element(Writer *w, const Statement *s) {
  unsigned base = base_of(w, s), index = compute(w, s->index);
  unsigned result = begin_value(w);
  fprintf(w->out, "getelementptr inbounds i32, ptr %%v%u, i32 %%v%u\n", base,
          index);
  return result;
}

// ------------------------------------------------------------ statements ---

static unsigned read_at(Writer *w, unsigned address) {
  unsigned result = begin_value(w);
  fprintf(w->out, "load i32, ptr %%v%u\n", address);
  return result;
}

static unsigned add_at(Writer *w, unsigned address) {
  unsigned result = begin_value(w);
  fprintf(w->out, "atomicrmw add ptr %%v%u, i32 1 seq_cst\n", address);
  return result;
}

static void write_assert(Writer *w, unsigned address) {
  unsigned a = read_at(w, address), f = load_variable(w, "f");
  unsigned label = w->labels++, same = begin_value(w);
  fprintf(w->out,
          "icmp eq i32 %%v%u, %%v%u\n"
          "  br i1 %%v%u, label %%holds%u, label %%fails%u\n"
          "fails%u:\n"
          "  call void @__assertfail(ptr null, ptr null, i32 0, ptr null, "
          "i64 1)\n"
          "  unreachable\n"
          "holds%u:\n",
          a, f, same, label, label, label, label);
}

static void write_value(Writer *w, unsigned address, unsigned value) {
  fprintf(w->out, "  store i32 %%v%u, ptr %%v%u\n", value, address);
}

static void write_access(Writer *w, const Statement *s) {
  unsigned address = element(w, s);
  switch (s->op) {
  case OP_READ:
    set(w, "f", read_at(w, address));
    break;
  case OP_READ_ATOMIC:
    set(w, "f", add_at(w, address));
    break;
  case OP_ASSERT:
    write_assert(w, address);
    break;
  case OP_WRITE:
    write_value(w, address, compute(w, TERM_OWN_NEXT));
    break;
  case OP_WRITE_ONE:
    write_value(w, address, compute(w, TERM_ONE));
    break;
  case OP_ATOMIC:
    add_at(w, address);
    break;
  }
}

static void write_barrier(Writer *w, const Statement *s) {
  static const char *const calls[] = {
      [BARRIER_OF_BLOCK] = "@llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
      [BARRIER_OF_WARP] = "@llvm.nvvm.bar.warp.sync(i32 -1)",
      [BARRIER_OF_GRID] = "@__gpuverify_grid_sync()"};
  fprintf(w->out, "  call void %s\n", calls[s->barrier]);
}

// What stands behind a jump is not reached, and begins a block.
static void jump(Writer *w, const char *label, unsigned number) {
  fprintf(w->out, "  br label %%%s%u\n", label, number);
}

static void write_exit(Writer *w, const Statement *s) {
  unsigned label = w->labels++;
  switch (s->exit) {
  case EXIT_BREAK:
    jump(w, "behind", w->loops[w->depth - 1]->number);
    break;
  case EXIT_CONTINUE:
    jump(w, "step", w->loops[w->depth - 1]->number);
    break;
  case EXIT_BREAK_OUTER:
    jump(w, "behind", w->loops[0]->number);
    break;
  case EXIT_RETURN:
    fprintf(w->out, "  ret void\n");
    break;
  case EXIT_NONE:
    assert(false);
  }
  fprintf(w->out, "dead%u:\n", label);
}

static void write_carry(Writer *w, const Statement *s) {
  if (s->is_counting)
    set(w, "x", with_number(w, "add nsw", load_variable(w, "x"), 1));
  else
    set(w, "x", compute(w, s->value));
}

static void write_all(Writer *w, const Statement *s);

static void write_loop(Writer *w, const Statement *s) {
  const char *counter = s->counter ? "j" : "i";
  set(w, counter, compute(w, s->start));
  jump(w, s->is_tested_behind ? "body" : "head", s->number);
  fprintf(w->out, "head%u:\n", s->number);
  unsigned condition = compute_condition(w, &s->condition);
  fprintf(w->out,
          "  br i1 %%v%u, label %%body%u, label %%behind%u\n"
          "body%u:\n",
          condition, s->number, s->number, s->number);
  w->loops[w->depth++] = s;
  write_all(w, s->body);
  w->depth--;
  jump(w, "step", s->number);
  fprintf(w->out, "step%u:\n", s->number);
  set(w, counter,
      with_number(w, s->is_halving ? "ashr" : "add nsw",
                  load_variable(w, counter), 1));
  jump(w, "head", s->number);
  fprintf(w->out, "behind%u:\n", s->number);
}

static void write_what(Writer *w, const Statement *s) {
  switch (s->kind) {
  case STATEMENT_LOOP:
    write_loop(w, s);
    break;
  case STATEMENT_ACCESS:
    write_access(w, s);
    break;
  case STATEMENT_BARRIER:
    write_barrier(w, s);
    break;
  case STATEMENT_EXIT:
    write_exit(w, s);
    break;
  case STATEMENT_CARRY:
    if (w->tree->uses_x)
      write_carry(w, s);
    break;
  }
}

static void write_statement(Writer *w, const Statement *s) {
  if (s->kind == STATEMENT_LOOP || s->condition.relation == RELATION_ALWAYS) {
    write_what(w, s);
    return;
  }
  unsigned label = w->labels++;
  unsigned condition = compute_condition(w, &s->condition);
  fprintf(w->out, "  br i1 %%v%u, label %%then%u, label %%else%u\nthen%u:\n",
          condition, label, label, label);
  write_what(w, s);
  jump(w, "else", label);
  fprintf(w->out, "else%u:\n", label);
}

static void write_all(Writer *w, const Statement *s) {
  for (; s; s = s->next)
    write_statement(w, s);
}

// ---------------------------------------------------------------- kernel ---

static void declare(Writer *w, const char *variable) {
  fprintf(w->out,
          "  %%%s = alloca i32\n"
          "  store i32 0, ptr %%%s\n",
          variable, variable);
}

static void write_entry(Writer *w) {
  static const char *const variables[] = {"i", "j", "f", "x"};
  for (unsigned i = 0; i < 4; i++)
    declare(w, variables[i]);
  fprintf(w->out,
          "  %%view.at = alloca %%view\n"
          "  %%other.at = alloca %%view\n"
          "  %%thread.at = alloca i32\n"
          "  %%own.at = alloca i32\n"
          "  %%n.at = alloca i32\n"
          "  %%g.at = alloca ptr\n"
          "  store ptr %%g, ptr %%g.at\n"
          "  store i32 %%n, ptr %%n.at\n"
          "  %%thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
          "  store i32 %%thread, ptr %%thread.at\n"
          "  %%block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
          "  %%size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n"
          "  %%before = mul i32 %%block, %%size\n"
          "  %%own = add i32 %%before, %%thread\n"
          "  store i32 %%own, ptr %%own.at\n");
}

void print_llvm(FILE *out, const Tree *tree, const char *name) {
  Writer w = {.out = out, .tree = tree, .name = name};
  fprintf(out,
          "@%s.s = internal addrspace(3) global [64 x i32] undef, align 4\n"
          "define ptx_kernel void @%s(ptr %%in, ptr %%g, i32 %%n) {\n"
          "entry:\n",
          name, name);
  write_entry(&w);
  write_all(&w, tree->body);
  fprintf(out, "  ret void\n}\n");
}
