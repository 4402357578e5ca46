// The Boogie text and the dumps of an obligation.
//
// Where boogie is installed it has to agree with expr_evaluate on every
// operator; without it only the text is looked at, and we say so.

#define _DEFAULT_SOURCE // mkstemps

#include "test/unit/suite.h"
#include "translator/expr.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Task task;
static Kernel kernel;
static Pair pair;
static unsigned symbols_made;

static void setup(void) {
  task = (Task){0};
  kernel = (Kernel){.name = "k", .source = "k", .warp_lanes = 32};
  pair = (Pair){.kernel = &kernel};
  symbols_made = 0;
}

static void teardown(void) { arena_free(&task.arena); }

static Expr *fresh(const char *name, unsigned width) {
  Symbol *symbol = NEW(&task.arena, Symbol);
  symbol->number = symbols_made++;
  symbol->width = width;
  symbol->name = name;
  return expr_symbol(&task, symbol);
}

static Obligation *oblige(Expr *violation) {
  Obligation *obligation = NEW(&task.arena, Obligation);
  obligation->kind = OBLIGATION_ASSERTION;
  obligation->sentence = "something is wrong";
  obligation->violation = violation;
  push(&task.arena, &pair.obligations, obligation);
  obligation->number = (unsigned)pair.obligations.count;
  return obligation;
}

static void know(Obligation *obligation, Expr *fact) {
  push(&task.arena, &obligation->facts, fact);
}

typedef void Printing(Task *task, const Pair *pair, FILE *out);

static char *printed(Printing *print) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  ck_assert_ptr_nonnull(out);
  print(&task, &pair, out);
  fclose(out);
  char *copy = arena_copy(&task.arena, text);
  free(text);
  return copy;
}

static void has(const char *text, const char *part) {
  ck_assert_msg(strstr(text, part) != NULL, "no '%s' in:\n%s", part, text);
}

static void has_not(const char *text, const char *part) {
  ck_assert_msg(strstr(text, part) == NULL, "'%s' in:\n%s", part, text);
}

static Expr *below(Expr *a, Expr *b) {
  return expr_binary(&task, EXPR_ULT, a, b);
}

static Stmt access_at(AccessKind kind, Array *array, Expr *offset,
                      unsigned line) {
  Access access = {.kind = kind, .array = array, .offset = offset};
  access.length = expr_const(&task, 64, 4);
  return (Stmt){.kind = STMT_ACCESS,
                .number = line,
                .loc = {"k.cu", line, 3},
                .guard = expr_bool(&task, true),
                .access = access};
}

// ------------------------------------------------------------------ text ---

START_TEST(an_obligation_is_a_procedure) {
  Expr *a = fresh("threadIdx.x$1", 32), *n = fresh("n", 32);
  Stmt stmt = {.kind = STMT_ASSERT, .loc = {"k.cu", 3, 9}, .condition = a};
  Obligation *obligation = oblige(below(n, a));
  obligation->first = &stmt;
  know(obligation, below(a, n));
  const char *text = printed(boogie_print);
  has(text, "// something is wrong\n//   at k.cu:3:9\n");
  has(text, "procedure obligation_1()\n{\n  var threadIdx.x$1: bv32;\n");
  has(text, "  assume BV32_ULT(threadIdx.x$1, n);\n");
  has(text, "  assert !(BV32_ULT(n, threadIdx.x$1));\n}\n");
  has(text,
      "function {:bvbuiltin \"bvult\"} "
      "BV32_ULT(bv32, bv32) returns (bool);");
}
END_TEST

START_TEST(only_connected_facts_are_printed) {
  Expr *a = fresh("a", 32), *b = fresh("b", 32), *c = fresh("c", 32);
  Expr *far = fresh("far", 32), *further = fresh("further", 32);
  Obligation *obligation = oblige(below(a, b));
  know(obligation, below(far, further));
  know(obligation, below(c, far)); // reached through the next
  know(obligation, below(b, c));
  know(obligation, below(fresh("alone", 32), fresh("lonely", 32)));
  ck_assert_uint_eq(obligation_facts(&task, obligation).count, 3);
  has_not(printed(boogie_print), "alone");
  has(printed(boogie_print), "further");
  has(printed(dump_pair), "facts, 3 of 4");
}
END_TEST

START_TEST(functions_connect_facts) {
  Expr *a = fresh("a", 32), *b = fresh("b", 32), *c = fresh("c", 32);
  Obligation *obligation = oblige(below(expr_apply(&task, "f", 32, &a, 1), a));
  know(obligation, below(b, expr_apply(&task, "f", 32, &b, 1)));
  know(obligation, below(c, expr_apply(&task, "g", 32, &c, 1)));
  ck_assert_uint_eq(obligation_facts(&task, obligation).count, 1);
}
END_TEST

START_TEST(names_are_legal_and_apart) {
  Expr *sum = expr_add(&task, fresh("a b", 32), fresh("a_b", 32));
  sum = expr_add(&task, sum, fresh("var", 32));
  sum = expr_add(&task, sum, fresh("v1", 32));
  sum = expr_add(&task, sum, fresh("9", 32));
  oblige(below(sum, fresh("bv32", 32)));
  const char *text = printed(boogie_print);
  has(text, "var a_b: bv32;");
  has(text, "var a_b#1: bv32;");
  has(text, "var var#2: bv32;");
  has(text, "var v1#3: bv32;");
  has(text, "var _9: bv32;");
  has(text, "var bv32#5: bv32;");
}
END_TEST

START_TEST(what_occurs_twice_gets_a_name) {
  Expr *a = fresh("a", 32), *b = fresh("b", 32);
  Expr *product = expr_mul(&task, a, b);
  Obligation *obligation = oblige(below(product, fresh("m", 32)));
  know(obligation, below(fresh("l", 32), product));
  know(obligation, below(product, fresh("n", 32)));
  const char *text = printed(boogie_print);
  has(text, "  v1 := BV32_MUL(a, b);\n");
  has(text, "  assume BV32_ULT(v1, n);\n");
  ck_assert_ptr_eq(strstr(text, "BV32_MUL("), strstr(text, "BV32_MUL(a, b);"));
}
END_TEST

START_TEST(a_large_term_is_cut_into_pieces) {
  Expr *chain = fresh("x", 32);
  for (unsigned i = 0; i < 5000; i++)
    chain =
        expr_binary(&task, EXPR_UDIV, expr_const(&task, 32, 3000 + i), chain);
  oblige(below(chain, fresh("y", 32)));
  const char *text = printed(boogie_print);
  for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
    ck_assert_uint_lt(strcspn(line, "\n"), 400);
  has(printed(dump_pair), "v100 = ");
  has_not(printed(dump_pair), "...");
}
END_TEST

START_TEST(the_dump_says_what_and_where) {
  Array tile = {.name = "tile", .space = SPACE_SHARED};
  Expr *i = fresh("i$1", 64), *j = fresh("j$2", 64);
  Expr *four = expr_const(&task, 64, 4);
  Stmt write = access_at(ACCESS_WRITE, &tile, expr_mul(&task, i, four), 5);
  Stmt read = access_at(ACCESS_READ, &tile, expr_mul(&task, j, four), 6);
  Obligation *obligation = oblige(expr_eq(&task, i, j));
  obligation->kind = OBLIGATION_RACE;
  obligation->sentence = "possible read-write race on 'tile'";
  obligation->first = &write;
  obligation->second = &read;
  obligation->same_block = true;
  const char *text = printed(dump_pair);
  has(text,
      "obligation 1: possible read-write race on 'tile'  "
      "(race, threads of one block)\n");
  has(text, "thread 1  5: write tile[4 * i$1 .. +4] ");
  has(text, "k.cu:5:3\n");
  has(text, "thread 2  6: read tile[4 * j$2 .. +4] ");
  has(text, "violated if\n    i$1 == j$2\n");
}
END_TEST

START_TEST(the_kernel_dump_shows_loops_blocks_and_places) {
  Array out = {.name = "out", .space = SPACE_GLOBAL, .is_written = true};
  Expr *k = fresh("k", 32), *zero = expr_const(&task, 32, 0);
  Expr *next = expr_add(&task, k, expr_const(&task, 32, 1));
  k->symbol->init = zero;
  k->symbol->next = next;
  Expr *guard = below(k, fresh("n", 32));
  BasicBlock block = {.index = 1, .guard = guard};
  Loop loop = {.header = &block, .depth = 1, .loc = {"k.cu", 4, 3}};
  loop.entry = expr_bool(&task, true);
  loop.again = guard;
  block.loop = &loop;
  push(&task.arena, &loop.phis, k->symbol);
  Stmt write = access_at(ACCESS_WRITE, &out, expr_zext(&task, k, 64), 7);
  write.guard = guard;
  push(&task.arena, &block.stmts, &write);
  push(&task.arena, &kernel.arrays, &out);
  push(&task.arena, &kernel.loops, &loop);
  push(&task.arena, &kernel.blocks, &block);
  kernel.launch.block[0] = (Extent){true, 64};
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  dump_kernel(&task, &kernel, file);
  fclose(file);
  has(text, "kernel k\n");
  has(text, "block 64 x any x any\n");
  has(text, "out              global, any number of bytes, written\n");
  has(text, "loop 0, at block 1");
  has(text, "repeats if  k <u n\n");
  has(text, "then     k + 1\n");
  has(text, "block 1 in loop 0   if k <u n\n");
  has(text, "     7: write out[zext64(k) .. +4]");
  has(text, "k.cu:7:3\n");
  free(text);
}
END_TEST

// ----------------------------------------------------------- with boogie ---

static bool has_boogie(void) {
  return system("command -v boogie >/dev/null 2>&1") == 0;
}

typedef struct Outcome {
  unsigned verified, errors;
} Outcome;

static Outcome run_boogie(void) {
  char file[] = "/tmp/test_boogie.XXXXXX.bpl", command[200], line[512];
  int descriptor = mkstemps(file, 4);
  ck_assert_int_ge(descriptor, 0);
  FILE *out = fdopen(descriptor, "w");
  boogie_print(&task, &pair, out);
  fclose(out);
  snprintf(command, sizeof command,
           "boogie /nologo /errorLimit:1 /proverOpt:O:smt.relevancy=0 %s",
           file);
  FILE *in = popen(command, "r");
  Outcome outcome = {0};
  bool is_finished = false;
  while (fgets(line, sizeof line, in)) {
    ck_assert_msg(!strstr(line, "detected in"), "%s", line);
    if (sscanf(line, "Boogie program verifier finished with %u verified, %u",
               &outcome.verified, &outcome.errors) == 2)
      is_finished = true;
  }
  pclose(in);
  unlink(file);
  ck_assert(is_finished);
  return outcome;
}

static uint64_t same(const Symbol *symbol, void *data) {
  return symbol->number ? ((uint64_t *)data)[1] : ((uint64_t *)data)[0];
}

// x and y have these values; then e has the value that we say it has.
static void claim(Expr *x, Expr *y, const uint64_t values[2], Expr *e,
                  uint64_t off_by) {
  uint64_t copy[2] = {values[0], values[1]};
  Valuation v = {.value_of = same, .data = copy};
  uint64_t value = expr_evaluate(&task, &v, e) + off_by;
  Expr *is = expr_eq(&task, e, expr_const(&task, e->width, value));
  Obligation *obligation = oblige(expr_not(&task, is));
  know(obligation, expr_eq(&task, x, expr_const(&task, x->width, values[0])));
  know(obligation, expr_eq(&task, y, expr_const(&task, y->width, values[1])));
}

static void claim_all(Expr *x, Expr *y, const uint64_t values[2],
                      uint64_t off_by) {
  for (ExprOp op = EXPR_ADD; op <= EXPR_SLE; op++) {
    bool is_boolean = x->width == 1 && op != EXPR_AND && op != EXPR_OR;
    Expr *e = is_boolean
                  ? expr_binary(&task, op, x, y)
                  : expr_node2(&task, op, op >= EXPR_EQ ? 1 : x->width, x, y);
    claim(x, y, values, e, off_by);
  }
  Expr *together = expr_concat(&task, x, y);
  claim(x, y, values, together, off_by);
  claim(x, y, values, expr_not(&task, x), off_by);
  claim(x, y, values, expr_sext(&task, x, 33), off_by);
  claim(x, y, values, expr_zext(&task, x, 33), off_by);
  Expr *choice = expr_node(&task, EXPR_ITE, x->width, 0,
                           (Expr *[]){expr_eq(&task, x, y), y, x}, 3);
  claim(x, y, values, choice, off_by);
  if (x->width > 1) {
    claim(x, y, values, expr_extract(&task, x, 1, 1), off_by);
    claim(x, y, values, expr_extract(&task, x, 1, x->width - 1), off_by);
  }
}

static const uint64_t samples[][2] = {{0, 0},     {1, 0},     {200, 7},
                                      {200, 249}, {100, 255}, {128, 255}};

START_TEST(boogie_agrees_on_every_operator) {
  Expr *x = fresh("x", 8), *y = fresh("y", 8);
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    claim_all(x, y, samples[i], 0);
  unsigned claims = (unsigned)pair.obligations.count;
  Outcome outcome = run_boogie();
  ck_assert_uint_eq(outcome.errors, 0);
  ck_assert_uint_eq(outcome.verified, claims);
}
END_TEST

START_TEST(boogie_agrees_on_booleans) {
  Expr *p = fresh("p", 1), *q = fresh("q", 1);
  for (uint64_t i = 0; i < 4; i++)
    claim_all(p, q, (uint64_t[]){i & 1, i >> 1}, 0);
  Outcome outcome = run_boogie();
  ck_assert_uint_eq(outcome.errors, 0);
  ck_assert_uint_eq(outcome.verified, pair.obligations.count);
}
END_TEST

START_TEST(boogie_refutes_what_is_wrong_by_one) {
  Expr *x = fresh("x", 8), *y = fresh("y", 8);
  claim_all(x, y, samples[2], 1);
  Outcome outcome = run_boogie();
  ck_assert_uint_eq(outcome.verified, 0);
  ck_assert_uint_eq(outcome.errors, pair.obligations.count);
}
END_TEST

START_TEST(boogie_reads_wide_values_functions_and_odd_names) {
  Expr *wide = fresh("var", 128), *bit = fresh("true", 1);
  Expr *low = expr_extract(&task, wide, 0, 64);
  Expr *call[] = {bit, low};
  Expr *f = expr_apply(&task, "load a[0]", 64, call, 2);
  Obligation *holds = oblige(expr_not(&task, expr_eq(&task, f, low)));
  know(holds, expr_eq(&task, f, expr_const(&task, 64, UINT64_MAX)));
  know(holds,
       expr_eq(&task, wide,
               expr_sext(&task, expr_const(&task, 64, UINT64_MAX), 128)));
  Obligation *fails = oblige(expr_eq(&task, f, low));
  know(fails, bit);
  Outcome outcome = run_boogie();
  ck_assert_uint_eq(outcome.verified, 1);
  ck_assert_uint_eq(outcome.errors, 1);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("boogie");
  tcase_add_checked_fixture(tc, setup, teardown);
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, an_obligation_is_a_procedure);
  tcase_add_test(tc, only_connected_facts_are_printed);
  tcase_add_test(tc, functions_connect_facts);
  tcase_add_test(tc, names_are_legal_and_apart);
  tcase_add_test(tc, what_occurs_twice_gets_a_name);
  tcase_add_test(tc, a_large_term_is_cut_into_pieces);
  tcase_add_test(tc, the_dump_says_what_and_where);
  tcase_add_test(tc, the_kernel_dump_shows_loops_blocks_and_places);
  if (has_boogie()) {
    tcase_add_test(tc, boogie_agrees_on_every_operator);
    tcase_add_test(tc, boogie_agrees_on_booleans);
    tcase_add_test(tc, boogie_refutes_what_is_wrong_by_one);
    tcase_add_test(tc, boogie_reads_wide_values_functions_and_odd_names);
  } else {
    fputs("boogie is not installed: only its text is tested\n", stderr);
  }
  return run_suite(tc, "boogie");
}
