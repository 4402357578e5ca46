// PTX: what is parsed and what is refused.

#define _POSIX_C_SOURCE 200809L // strndup

#include "ptx/assembly.h"
#include "test/unit/ptx.h"
#include "test/unit/suite.h"

#include <stdlib.h>
#include <string.h>

typedef struct Parsed {
  Task task;
  Ptx *ptx;
  const char *reason;
  Loc where;
  bool is_good;
} Parsed;

static void parse(Parsed *parsed, const char *text) {
  *parsed = (Parsed){0};
  parsed->is_good = ptx_parse(&parsed->task, "k.ptx", text, &parsed->ptx,
                              &parsed->reason, &parsed->where);
}

static void expect_error(const char *text, unsigned line, const char *reason) {
  Parsed parsed;
  parse(&parsed, text);
  ck_assert_msg(!parsed.is_good, "parsed: %s", text);
  ck_assert_msg(strstr(parsed.reason, reason) != NULL, "'%s' instead of '%s'",
                parsed.reason, reason);
  ck_assert_uint_eq(parsed.where.line, line);
  ck_assert_str_eq(parsed.where.file, "k.ptx");
  arena_free(&parsed.task.arena);
}

START_TEST(kernels_and_their_sizes_are_found) {
  Parsed parsed;
  parse(&parsed, HEADER
        "// comment\n/* and\nanother */\n"
        ".visible .entry one(.param .u64 .ptr .align 1 p,\n"
        " .param .align 4 .b8 q[12])\n"
        ".maxntid 128, 2\n.minnctapersm 1\n{ ret; }\n"
        ".weak .entry two()\n.reqntid 32\n{ exit; }\n"
        ".visible .entry three() { }\n"
        ".func (.param .b32 r) f(.param .b32 a)\n;\n"
        ".extern .func g\n() .noreturn\n;\n");
  ck_assert_msg(parsed.is_good, "%s", parsed.reason);
  ck_assert_uint_eq(ptx_kernel_count(parsed.ptx), 3);
  const PtxKernel *one = ptx_kernel(parsed.ptx, 0);
  ck_assert_str_eq(ptx_kernel_name(one), "one");
  ck_assert_uint_eq(ptx_kernel_loc(one).line, 7);
  uint32_t size[3];
  ck_assert(ptx_kernel_block_size(one, size));
  ck_assert(size[0] == 128 && size[1] == 2 && size[2] == 1);
  ck_assert(ptx_kernel_block_size(ptx_kernel(parsed.ptx, 1), size));
  ck_assert(size[0] == 32 && size[1] == 1 && size[2] == 1);
  ck_assert(!ptx_kernel_block_size(ptx_kernel(parsed.ptx, 2), size));
  arena_free(&parsed.task.arena);
}
END_TEST

START_TEST(everything_that_compilers_print_is_parsed) {
  Parsed parsed;
  parse(&parsed, HEADER
        ".const .align 4 .b8 t[16] = {1, 0, 0xff, 254, -3};\n"
        ".global .align 8 .u64 ps[2] = {f, generic(t) + 8};\n"
        ".global .f32 x = 0f3F800000;\n"
        ".global .align 4 .b32 nested[2][2] = {{1, 2}, {3, 4}};\n"
        ".extern .shared .align 16 .b8 dynamic[];\n"
        ".shared .v4 .f32 four;\n"
        ".pragma \"nounroll\";\n"
        ".func f() { ret; }\n"
        ".visible .entry k() {\n"
        "  .reg .pred %p<4>; .reg .b32 %r<9>, plain; .reg .f64 %fd1;\n"
        "  .local .align 8 .b8 depot[8];\n"
        "  .loc 1 2 3, function_name $info+4, inlined_at 1 7 8\n"
        "  mov.u32 %r1, 0x1F; mov.b32 %r1, 017; mov.b32 %r1, 0b101U;\n"
        "  mov.f64 %fd1, 0d3FF0000000000000; mov.b32 plain, -1;\n"
        "  mov.b64 {%r1, _}, %fd1;\n"
        "  @%p1 ld.global.nc.L1::no_allocate.L2::128B.v2.u32 {%r1, %r2},"
        " [%r3+-4];\n"
        "  @!%p2 st.shared::cta.u32 [dynamic+16], %r1;\n"
        "  setp.lt.and.s32 %p1|%p2, %r1, 3, !%p3;\n"
        "  tex.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [x, {%r1, %r2}];\n"
        "  mbarrier.arrive.expect_tx.shared::cta.b64 _, [dynamic], 16;\n"
        "  { .reg .pred %p1; LAB: setp.eq.u32 %p1, %r1, 1; @%p1 bra LAB; }\n"
        "  { LAB: bra.uni LAB; }\n"
        "  { // callseq\n"
        "  proto : .callprototype (.param .b32 _) _ (.param .b32 _);\n"
        "  call f; call (plain), %r1, (%r2, 3), proto; }\n"
        "$ts: .branchtargets $a,\n $b;\n"
        "  brx.idx %r1, $ts;\n"
        "$a: bra $b;\n$b:\n"
        "  trap; }\n"
        ".file 1 \"/tmp/k.cu\", 1, 2\n"
        ".section .debug_str\n{\n$info:\n.b8 95,90\n}\n");
  ck_assert_msg(parsed.is_good, "%u: %s", parsed.where.line, parsed.reason);
  arena_free(&parsed.task.arena);
}
END_TEST

START_TEST(errors_have_a_sentence_and_a_line) {
  expect_error("", 1, "the file ends where .version should be");
  expect_error("hello", 1, "'hello' where .version should be");
  expect_error(".version 10.0\n", 1, "PTX version 10.0, and the newest known");
  expect_error(".version 12.0\n", 1, "and the newest known is 9");
  expect_error(HEADER ".entry k() {\n  ret;\n", 6, "the file ends where '}'");
  expect_error(HEADER "\n.what 3;", 5, "unknown directive '.what'");
  expect_error(HEADER ".entry k() {\na: ret;\na: ret; }", 6,
               "'a' is declared twice");
  expect_error(HEADER ".entry k() {\n  bra nowhere; }", 5,
               "no label, function or variable 'nowhere'");
  expect_error(HEADER ".entry k() {\n  mov.u32 %r1, 0; }", 5,
               "no register '%r1'");
  expect_error(HEADER ".entry k() { .reg .b32 %r<3>;\n mov.u32 %r3, 0; }", 5,
               "no register '%r3'");
  expect_error(HEADER ".entry k() {\n  ret\n}", 6,
               "'}' where an operand should be");
  expect_error(HEADER "/* open", 4, "a comment does not end");
  expect_error(HEADER ".entry k() { # }", 4, "a character that PTX does not");
  expect_error(HEADER ".global .u32 x = 0z3;", 4, "malformed number");
  expect_error(HEADER ".entry k() { ret; }\n.entry k() { ret; }", 5,
               "'k' is defined twice");
  expect_error(HEADER ".entry k() { @3 ret; }", 4, "a guard that is no");
  expect_error(HEADER ".entry k() {\n  bra L;\nL: .branchtargets A;\nA: ret; }",
               5, "a branch to what is no label");
  expect_error(HEADER ".entry k() { .reg .b64 %r<3>;\n  bra [%r1+%r2]; }", 5,
               "a branch to what is no label");
  expect_error(HEADER ".entry k() {\n  bra f; }\n.func f() { ret; }", 5,
               "a branch to what is no label");
}
END_TEST

START_TEST(nesting_has_a_bound) {
  char text[600] = HEADER ".entry k()";
  for (unsigned i = 0; i < 200; i++)
    strcat(text, "{");
  expect_error(text, 4, "nested blocks");
}
END_TEST

START_TEST(any_beginning_of_a_file_is_an_error_or_parses) {
  const char *text = HEADER
      ".visible .entry k(.param .u64 p) .maxntid 64, 1, 1 {\n"
      ".reg .b32 %r<3>; .loc 1 2 3\n L: @!%p bra L;\n"
      "ld.shared.v2.u32 {%r1, %r2}, [%r1+4]; /* */ }\n.file 1 \"x\"\n";
  for (size_t length = 0; length < strlen(text); length++) {
    char *part = strndup(text, length);
    Parsed parsed;
    parse(&parsed, part);
    ck_assert(parsed.is_good || parsed.reason);
    arena_free(&parsed.task.arena);
    free(part);
  }
}
END_TEST

// What is told of it; NULL: nothing.
static void expect_problem(const char *text, const char *problem) {
  Task task = {0};
  const PtxAssembly *assembly = ptx_assembly(&task, text, 3);
  if (problem) {
    ck_assert_msg(assembly->problem != NULL, "it is read: %s", text);
    ck_assert_str_eq(assembly->problem, problem);
  } else
    ck_assert_msg(!assembly->problem, "%s: %s", text, assembly->problem);
  arena_free(&task.arena);
}

START_TEST(assembly_is_read_or_what_is_wrong_is_told) {
  expect_problem("", NULL);
  expect_problem("mov.u32 $0, 1", NULL);
  expect_problem("{ mov.u32 $0, $1; } // }", NULL);
  expect_problem("mov.u32 $0, unknown;", NULL); // whoever takes it refuses
  expect_problem("{ mov.u32 $0, 1;", "its end");
  expect_problem("mov.u32 $0, 1; }", "}");
  expect_problem("mov.u32 $0, 1; } {", "}");
  expect_problem("mov.u32 $0,\t08 ;", "08");
  expect_problem("mov.u32 $0 $1;", "$0 $1");
  expect_problem("ld.u32 $0, [$1 + 4 *];", "[$1 + 4 *]");
  expect_problem("mov.b64 $0, {1, 2;", "{1, 2");
  expect_problem("add.u32 $0|$1, 1, 2;", "add.u32 $0|$1, 1, 2");
  expect_problem(".shared .b32 x;", ".shared .b32 x");
  expect_problem("@$0 bra L; L:", "@$0 bra L");
  expect_problem("{ .reg .pred p; @p mov.u32 $0, 08; }", "08");
  expect_problem("mov.u32 $0, 1, 2, 3, 4, 5, 6, 7, 8;", "8");
  expect_problem("/* open", "its end");
}
END_TEST

START_TEST(labels_of_assembly_are_positions_in_their_scope) {
  Task task = {0};
  const PtxAssembly *assembly = ptx_assembly(&task,
                                             "{ bra end; mov.u32 $0, 1; end: }"
                                             "{ end: mov.u32 $0, 2; bra end; }",
                                             1);
  ck_assert_ptr_null(assembly->problem);
  ck_assert_uint_eq(assembly->code.count, 4);
  ck_assert_uint_eq(assembly->code.at[0].operands[0].index, 2);
  ck_assert_uint_eq(assembly->code.at[3].operands[0].index, 2);
  for (size_t i = 0; i <= 4; i++)
    ck_assert_int_eq(assembly->is_target[i], i == 2);
  arena_free(&task.arena);
}
END_TEST

START_TEST(any_part_of_assembly_is_an_error_or_read) {
  const char *text =
      "{ .reg .pred p<3>; .reg .b64 d; @!p1 bra L; L: setp.eq.u32 "
      "p0|p2, $0, (1 + 2) * 3; ld.v2.u32 {$0, _}, [d+-4]; }";
  for (size_t begin = 0; begin < strlen(text); begin++)
    for (size_t length = 0; length <= strlen(text + begin); length++) {
      char *part = strndup(text + begin, length);
      Task task = {0};
      const PtxAssembly *assembly = ptx_assembly(&task, part, 1);
      ck_assert(assembly->problem ? *assembly->problem || !length
                                  : assembly->is_target != NULL);
      arena_free(&task.arena);
      free(part);
    }
}
END_TEST

// ------------------------------------------------------------------ table ---

// Of those that the emulator does not know.
static bool is_of_assembly(const char *form, size_t length) {
  static const char *const names[] = {
#define ASSEMBLY(name) name,
#include "ptx/instructions.def"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == length && !strncmp(form, names[i], length))
      return true;
  return false;
}

static bool begins(const char *name, const char *form, size_t length) {
  return !strncmp(name, form, length) && (!name[length] || name[length] == '.');
}

// Does the emulator know a name that begins like the form?
static bool is_emulated(const char *form, size_t length) {
  static const char *const names[] = {
#define OPCODE(name, kind, shape) name,
#define INTEGER(name, function, shape) name,
#include "ptx/instructions.def"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (begins(names[i], form, length))
      return true;
  return false;
}

START_TEST(an_opcode_that_has_forms_says_whether_it_is_emulated) {
  static const char *const forms[] = {
#define LANES_OP(form, sources, function) form,
#define WORD_OP(form, sources, function) form,
#define WHOLE_OP(form, sources, function) form,
#define OP(form, fewest, most, function, who) form,
#define FORM(form, fewest, most) form,
#include "ptx/instructions.def"
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    size_t length = strcspn(forms[i], " ");
    ck_assert_msg(is_of_assembly(forms[i], length) !=
                      is_emulated(forms[i], length),
                  "of the opcode of '%s' there is no row", forms[i]);
  }
}
END_TEST

START_TEST(each_name_of_an_opcode_has_one_row) {
  static const char *const names[] = {
#define OPCODE(name, kind, shape) name,
#define INTEGER(name, function, shape) name,
#define ASSEMBLY(name) name,
#include "ptx/instructions.def"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    for (size_t k = 0; k < i; k++)
      ck_assert_str_ne(names[i], names[k]);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("ptx");
  tcase_add_test(tc, kernels_and_their_sizes_are_found);
  tcase_add_test(tc, everything_that_compilers_print_is_parsed);
  tcase_add_test(tc, errors_have_a_sentence_and_a_line);
  tcase_add_test(tc, nesting_has_a_bound);
  tcase_add_test(tc, any_beginning_of_a_file_is_an_error_or_parses);
  tcase_add_test(tc, assembly_is_read_or_what_is_wrong_is_told);
  tcase_add_test(tc, labels_of_assembly_are_positions_in_their_scope);
  tcase_add_test(tc, any_part_of_assembly_is_an_error_or_read);
  tcase_add_test(tc, an_opcode_that_has_forms_says_whether_it_is_emulated);
  tcase_add_test(tc, each_name_of_an_opcode_has_one_row);
  return run_suite(tc, "ptx");
}
