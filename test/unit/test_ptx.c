// PTX: what is parsed, what is refused, what instructions compute, and which
// programs come out of small kernels.

#define _POSIX_C_SOURCE 200809L // strndup

#include "barriers/barriers.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define HEADER ".version 8.8\n.target sm_80\n.address_size 64\n"

// ---------------------------------------------------------------- parser ---

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
  expect_error(".version 9.9\n", 1, "PTX version 9.9, and the newest known");
  expect_error(".version 12.0\n", 1, "and the newest known is 9.1");
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

// ------------------------------------------------------------- emulation ---

typedef struct Run {
  Task task;
  Ptx *ptx;
  EmulationOptions options;
  Programs *programs;
  bool is_good;
} Run;

static void emulate(Task *task, void *data) {
  Run *run = data;
  run->programs = ptx_emulate(task, ptx_kernel(run->ptx, 0), &run->options);
}

static void run_with(Run *run, const char *text, EmulationOptions options) {
  const char *reason;
  Loc where;
  *run = (Run){.options = options};
  bool is_parsed =
      ptx_parse(&run->task, "k.ptx", text, &run->ptx, &reason, &where);
  ck_assert_msg(is_parsed, "%u: %s", where.line, is_parsed ? "" : reason);
  run->is_good = task_run(&run->task, emulate, run);
}

static EmulationOptions threads(uint32_t count) {
  return (EmulationOptions){.block_size = {count, 1, 1},
                            .grid_size = {4, 1, 1},
                            .block = {2, 0, 0},
                            .most_steps = 10000};
}

static void end_run(Run *run) { arena_free(&run->task.arena); }

static const char *line_of(Run *run, const Command *command) {
  static const char *const names[] = {"read", "write",  "atomic",    "sync",
                                      "red",  "arrive", "warp-sync", "exit"};
  Arena *arena = &run->task.arena;
  const char *head =
      arena_printf(arena, "%s %x", names[command->kind], command->lanes);
  if (command->kind <= COMMAND_ATOMIC)
    return command->is_scattered
               ? arena_printf(arena, "%s %u scattered\n", head, command->bytes)
               : arena_printf(arena, "%s %u [%u%+d]%s\n", head, command->bytes,
                              command->address, command->stride,
                              command->same_value ? " same" : "");
  if (command->kind <= COMMAND_ARRIVE)
    return arena_printf(arena, "%s %u %u\n", head, command->barrier,
                        command->threads);
  return arena_printf(arena, "%s\n", head);
}

static const char *program_text(Run *run, unsigned warp) {
  char *text = "";
  const Commands *commands = &run->programs->warps[warp];
  for (size_t i = 0; i < commands->count; i++)
    text = arena_printf(&run->task.arena, "%s%s", text,
                        line_of(run, &commands->at[i]));
  return text;
}

#define BODY(declarations, body)                                               \
  HEADER                                                                       \
  ".shared .align 16 .b8 s[1024];\n"                                           \
  ".visible .entry k(.param .u64 pointer, .param .u32 number)\n{\n"            \
  ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<19>;\n"                     \
  ".reg .b64 %d<19>; .reg .f32 %f<9>;\n" declarations "\n" body "\n}\n"

static void expect_program(const char *text, unsigned block, unsigned warp,
                           const char *program) {
  Run run;
  run_with(&run, text, threads(block));
  ck_assert_msg(run.is_good, "%u: %s", run.task.where.line,
                run.is_good ? "" : run.task.reason);
  ck_assert_str_eq(program_text(&run, warp), program);
  end_run(&run);
}

static void expect_unknown(const char *text, unsigned line,
                           const char *reason) {
  Run run;
  run_with(&run, text, threads(64));
  ck_assert_msg(!run.is_good, "it is known");
  ck_assert_msg(strstr(run.task.reason, reason) != NULL, "'%s' instead of '%s'",
                run.task.reason, reason);
  ck_assert_uint_eq(run.task.where.line, line);
  end_run(&run);
}

START_TEST(accesses_are_lines_of_lanes) {
  const char *text = BODY("",
                          "mov.u32 %r1, %tid.x;\n"
                          "shl.b32 %r2, %r1, 2;\n"
                          "mov.u32 %r3, s;\n"
                          "add.s32 %r4, %r3, %r2;\n"
                          "st.shared.u32 [%r4], %r1;\n"
                          "ld.shared.v2.u64 {%d1, %d2}, [s+16];\n"
                          "sub.s32 %r5, 63, %r1;\n"
                          "st.shared.u8 [%r5+1], 7;\n"
                          "and.b32 %r6, %r1, 3;\n"
                          "ld.shared.u16 %h1, [%r6+64];\n");
  expect_unknown(text, 19, "shared address 0x41 is not a multiple of 2");
  text = BODY("",
              "mov.u32 %r1, %tid.x;\n"
              "shl.b32 %r2, %r1, 2;\n"
              "mov.u32 %r3, s;\n"
              "add.s32 %r4, %r3, %r2;\n"
              "st.shared.u32 [%r4], %r1;\n"
              "ld.shared.v2.u64 {%d1, %d2}, [s+16];\n"
              "sub.s32 %r5, 63, %r1;\n"
              "st.shared.u8 [%r5+1], 7;\n"
              "and.b32 %r6, %r1, 3;\n"
              "ld.shared.u8 %h1, [%r6+64];\n"
              "atom.shared.add.u32 %r7, [s+8], 1;\n"
              "red.shared.max.s32 [s+12], %r1;\n");
  expect_program(text, 64, 1,
                 "write ffffffff 4 [128+4]\n"
                 "read ffffffff 16 [16+0]\n"
                 "write ffffffff 1 [32-1] same\n"
                 "read ffffffff 1 scattered\n"
                 "atomic ffffffff 4 [8+0]\n"
                 "atomic ffffffff 4 [12+0]\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(guards_and_the_last_warp_leave_lanes_out) {
  expect_program(BODY("",
                      "mov.u32 %r1, %tid.x;\n"
                      "setp.lt.u32 %p1, %r1, 36;\n"
                      "@%p1 st.shared.u32 [s], 1;\n"
                      "@!%p1 st.shared.u32 [s+4], 1;\n"),
                 40, 1,
                 "write f 4 [0+0] same\n"
                 "write f0 4 [4+0] same\n"
                 "exit ff\n");
}
END_TEST

START_TEST(branches_part_and_join_lanes) {
  expect_program(BODY("",
                      "mov.u32 %r1, %laneid;\n"
                      "and.b32 %r2, %r1, 1;\n"
                      "setp.eq.u32 %p1, %r2, 0;\n"
                      "@%p1 bra even;\n"
                      "st.shared.u32 [s], 1;\n"
                      "bra join;\n"
                      "even: st.shared.u32 [s+4], 1;\n"
                      "join: bar.warp.sync -1;\n"
                      "st.shared.u32 [s+8], 1;\n"),
                 32, 0,
                 "write aaaaaaaa 4 [0+0] same\n"
                 "write 55555555 4 [4+0] same\n"
                 "warp-sync ffffffff\n"
                 "write ffffffff 4 [8+0] same\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(indexed_branches_take_each_lane_to_its_target) {
  expect_program(BODY("",
                      "mov.u32 %r1, %laneid;\n"
                      "rem.u32 %r2, %r1, 3;\n"
                      "ts: .branchtargets a, b, c;\n"
                      "brx.idx %r2, ts;\n"
                      "a: st.shared.u32 [s], 1; bra c;\n"
                      "b: st.shared.u32 [s+4], 1;\n"
                      "c: bar.sync 0;\n"),
                 32, 0,
                 "write 49249249 4 [0+0] same\n"
                 "write 92492492 4 [4+0] same\n"
                 "sync ffffffff 0 32\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(barriers_take_names_and_counts_from_registers) {
  const char *text = BODY("",
                          "mov.u32 %r1, %tid.x;\n"
                          "shr.u32 %r2, %r1, 5;\n"
                          "mov.u32 %r3, 64;\n"
                          "add.s32 %r4, %r2, 1;\n"
                          "setp.eq.u32 %p1, %r2, 0;\n"
                          "@%p1 bra first;\n"
                          "bar.sync 1, %r3;\n"
                          "barrier.cta.sync.aligned 0;\n"
                          "ret;\n"
                          "first: bar.arrive %r4, %r3;\n"
                          "bar.sync 0;\n");
  expect_program(text, 64, 0,
                 "arrive ffffffff 1 64\nsync ffffffff 0 64\nexit ffffffff\n");
  expect_program(text, 64, 1,
                 "sync ffffffff 1 64\nsync ffffffff 0 64\nexit ffffffff\n");
}
END_TEST

START_TEST(warps_that_wait_for_ever_end_their_programs_there) {
  const char *text = BODY("",
                          "mov.u32 %r1, %tid.x;\n"
                          "setp.lt.u32 %p1, %r1, 32;\n"
                          "@%p1 bra first;\n"
                          "bar.sync 2;\n"
                          "st.shared.u32 [s], 1;\n"
                          "first: bar.sync 1;\n");
  expect_program(text, 64, 0, "sync ffffffff 1 64\n");
  expect_program(text, 64, 1, "sync ffffffff 2 64\n");
}
END_TEST

START_TEST(other_counts_than_the_generations_wait) {
  const char *text = BODY("",
                          "mov.u32 %r1, %tid.x;\n"
                          "and.b32 %r2, %r1, 96;\n"
                          "add.s32 %r2, %r2, 32;\n"
                          "bar.sync 1, %r2;\n");
  expect_program(text, 64, 0, "sync ffffffff 1 32\nexit ffffffff\n");
  expect_program(text, 64, 1, "sync ffffffff 1 64\n");
}
END_TEST

START_TEST(lanes_of_a_warp_may_meet_unaligned_barriers_apart) {
  const char *apart = BODY("",
                           "mov.u32 %r1, %laneid;\n"
                           "setp.lt.u32 %p1, %r1, 8;\n"
                           "@%p1 bra few;\n"
                           "barrier.sync 0;\n"
                           "bra end;\n"
                           "few: barrier.sync 0;\n"
                           "end: st.shared.u32 [s], 1;\n");
  expect_program(apart, 32, 0,
                 "sync ffffffff 0 32\n"
                 "write ffffffff 4 [0+0] same\n"
                 "exit ffffffff\n");
  expect_unknown(BODY("",
                      "mov.u32 %r1, %laneid;\n"
                      "setp.lt.u32 %p1, %r1, 8;\n"
                      "@%p1 bra few;\n"
                      "bar.sync 0;\n"
                      "bra end;\n"
                      "few: bar.sync 0;\n"
                      "end: st.shared.u32 [s], 1;\n"),
                 15, "of warp 0 wait at 'bar.sync 0'");
}
END_TEST

START_TEST(warp_barriers_meet_by_their_masks) {
  expect_program(BODY("",
                      "mov.u32 %r1, %laneid;\n"
                      "setp.lt.u32 %p1, %r1, 16;\n"
                      "selp.b32 %r2, 0xffff, 0xffff0000, %p1;\n"
                      "bar.warp.sync %r2;\n"
                      "@%p1 bra low;\n"
                      "bar.warp.sync -1;\n"
                      "ret;\n"
                      "low: bar.warp.sync -1;\n"),
                 32, 0,
                 "warp-sync ffff\nwarp-sync ffff0000\n"
                 "warp-sync ffffffff\nexit ffffffff\n");
  expect_unknown(BODY("", "bar.warp.sync 1;\n"), 10,
                 "lane 1 is not in its own mask 0x1");
}
END_TEST

START_TEST(lanes_that_have_exited_are_not_waited_for) {
  expect_program(BODY("",
                      "mov.u32 %r1, %laneid;\n"
                      "setp.lt.u32 %p1, %r1, 8;\n"
                      "@%p1 exit;\n"
                      "bar.warp.sync -1;\n"
                      "bar.sync 0;\n"),
                 32, 0,
                 "exit ff\nwarp-sync ffffff00\n"
                 "sync ffffff00 0 32\nexit ffffff00\n");
}
END_TEST

START_TEST(values_pass_through_shared_memory) {
  const char *text = BODY("",
                          "mov.u32 %r1, %tid.x; mov.u32 %r5, s;\n"
                          "shl.b32 %r2, %r1, 2;\n"
                          "st.shared.u32 [%r2], %r1;\n"
                          "bar.sync 0;\n"
                          "xor.b32 %r3, %r2, 128;\n"
                          "ld.shared.u32 %r4, [%r3];\n"
                          "st.shared.u8 [%r4+512], 1;\n");
  expect_program(text, 64, 0,
                 "write ffffffff 4 [0+4]\n"
                 "sync ffffffff 0 64\n"
                 "read ffffffff 4 [128+4]\n"
                 "write ffffffff 1 [544+1] same\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(bytes_of_values_can_be_read_apart) {
  expect_program(BODY("",
                      "st.shared.v2.u32 [s], {0x00030201, -2};\n"
                      "ld.shared.u16 %r1, [s+2];\n"
                      "st.shared.u8 [%r1], 1;\n"
                      "ld.shared.s8 %r2, [s+4];\n"
                      "add.s32 %r2, %r2, 100;\n"
                      "st.shared.u8 [%r2], 1;\n"),
                 1, 0,
                 "write 1 8 [0+0] same\n"
                 "read 1 2 [2+0]\n"
                 "write 1 1 [3+0] same\n"
                 "read 1 1 [4+0]\n"
                 "write 1 1 [98+0] same\n"
                 "exit 1\n");
}
END_TEST

START_TEST(generic_addresses_are_shared_or_not) {
  expect_program(BODY("",
                      "ld.param.u64 %d1, [pointer];\n"
                      "mov.u32 %r1, %tid.x;\n"
                      "mul.wide.u32 %d2, %r1, 4;\n"
                      "add.s64 %d3, %d1, %d2;\n"
                      "st.u32 [%d3], 1;\n"
                      "mov.u64 %d4, s;\n"
                      "cvta.shared.u64 %d5, %d4;\n"
                      "add.s64 %d6, %d5, %d2;\n"
                      "ld.u32 %r2, [%d6+4];\n"
                      "cvta.to.shared.u64 %d7, %d6;\n"
                      "st.shared.u32 [%d7], 1;\n"
                      "isspacep.shared %p1, %d6;\n"
                      "isspacep.shared %p2, %d3;\n"
                      "@%p1 st.shared.u8 [s+1], 1;\n"
                      "@%p2 st.shared.u8 [s+2], 1;\n"),
                 32, 0,
                 "read ffffffff 4 [4+4]\n"
                 "write ffffffff 4 [0+4] same\n"
                 "write ffffffff 1 [1+0] same\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(dynamic_shared_memory_lies_behind_the_rest) {
  expect_program(HEADER
                 ".extern .shared .align 16 .b8 more[];\n"
                 ".shared .u32 unused[99];\n"
                 ".visible .entry k() {\n"
                 ".shared .u16 x; .shared .align 8 .b8 y[3];\n"
                 "st.shared.u8 [more+5], 1;\n"
                 "st.shared.u16 [x], 1;\n"
                 "st.shared.u8 [y+2], 1; }\n",
                 32, 0,
                 "write ffffffff 1 [21+0] same\n"
                 "write ffffffff 2 [0+0] same\n"
                 "write ffffffff 1 [10+0] same\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(calls_take_arguments_and_give_results) {
  const char *text = HEADER
      ".shared .b8 s[256];\n"
      ".func (.param .b32 r) half(.param .b32 a, .param .b64 w)\n"
      "{ .reg .b32 %r<4>; .reg .b64 %d<3>; .reg .pred %p;\n"
      "ld.param.u32 %r1, [a]; ld.param.u64 %d1, [w+0];\n"
      "st.shared.u8 [%d1], 1;\n"
      "setp.gt.u32 %p, %r1, 16; @%p bra big;\n"
      "st.param.b32 [r+0], 0; ret;\n"
      "big: shr.u32 %r1, %r1, 1; st.param.b32 [r], %r1; ret; }\n"
      ".visible .entry k() { .reg .b32 %r<4>; .reg .b64 %d<3>;\n"
      "mov.u32 %r1, %tid.x; mov.u64 %d1, s;\n"
      "{ .param .b32 p0; .param .b64 p1; .param .b32 back;\n"
      "st.param.b32 [p0], %r1; st.param.b64 [p1+0], %d1;\n"
      "call.uni (back), half, (p0, p1);\n"
      "ld.param.b32 %r2, [back+0]; }\n"
      "st.shared.u8 [%r2+64], 1; }\n";
  expect_program(text, 64, 0,
                 "write ffffffff 1 [0+0] same\n"
                 "write ffffffff 1 scattered\n"
                 "exit ffffffff\n");
  expect_program(text, 64, 1,
                 "write ffffffff 1 [0+0] same\n"
                 "write ffffffff 1 scattered\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(arguments_and_blocks_can_be_given) {
  EmulationOptions options = threads(32);
  struct {
    bool is_known;
    uint64_t value;
  } arguments[] = {{false, 0}, {true, 5}};
  options.arguments = (void *)arguments;
  options.argument_count = 2;
  Run run;
  run_with(&run,
           BODY("",
                "ld.param.u32 %r1, [number];\n"
                "setp.eq.u32 %p1, %r1, 5;\n"
                "@!%p1 bra end;\n"
                "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x;\n"
                "mad.lo.s32 %r4, %r2, 16, %r3;\n"
                "st.shared.u8 [%r4], 1;\n"
                "st.shared.u8 [s], 1;\n"
                "end: ret;\n"),
           options);
  ck_assert(run.is_good);
  ck_assert_str_eq(program_text(&run, 0),
                   "write ffffffff 1 [36+0] same\n"
                   "write ffffffff 1 [0+0] same\nexit ffffffff\n");
  end_run(&run);
}
END_TEST

START_TEST(what_does_not_matter_need_not_be_known) {
  expect_program(BODY("",
                      "ld.param.u64 %d1, [pointer];\n"
                      "cvta.to.global.u64 %d2, %d1;\n"
                      "ld.global.f32 %f1, [%d2];\n"
                      "setp.gt.f32 %p1, %f1, 0f00000000;\n"
                      "@%p1 bra positive;\n"
                      "neg.f32 %f1, %f1;\n"
                      "positive:\n"
                      "loop: add.f32 %f1, %f1, %f1;\n"
                      "setp.lt.f32 %p2, %f1, 0f3F800000;\n"
                      "@%p2 bra loop;\n"
                      "st.global.f32 [%d2], %f1;\n"
                      "setp.gt.f32 %p3, %f1, 0f00000000;\n"
                      "@%p3 bra fine;\n"
                      "trap;\n"
                      "fine: st.shared.f32 [s], %f1;\n"),
                 32, 0, "write ffffffff 4 [0+0]\nexit ffffffff\n");
}
END_TEST

START_TEST(what_matters_and_is_not_known_has_a_reason) {
  expect_unknown(BODY("",
                      "ld.global.u32 %r1, [%d1];\n"
                      "setp.eq.u32 %p1, %r1, 0;\n"
                      "@%p1 bra end;\n"
                      "bar.sync 0;\n"
                      "end: ret;\n"),
                 12, "the branch depends on data loaded at k.ptx:10 (%p1)");
  expect_unknown(BODY("",
                      "ld.param.u32 %r1, [number];\n"
                      "bar.sync %r1;\n"),
                 11, "the name of the barrier depends on the argument number");
  expect_unknown(BODY("",
                      "mov.u32 %r1, %clock;\n"
                      "st.shared.u8 [%r1], 1;\n"),
                 11, "the shared address depends on %clock, read at k.ptx:10");
  expect_unknown(BODY("",
                      "atom.shared.add.u32 %r1, [s], 1;\n"
                      "st.shared.u8 [%r1], 1;\n"),
                 11, "what an atomic returns at k.ptx:10");
  expect_unknown(BODY("", "st.shared.u8 [%r1], 1;\n"), 10,
                 "a register that was not written");
  expect_unknown(BODY("", "bar.sync 16;\n"), 10, "barrier 16");
  expect_unknown(BODY("", "bar.sync 1, 33;\n"), 10, "no multiple of 32");
  expect_unknown(BODY("", "st.shared.u8 [s+1024], 1;\n"), 10,
                 "outside of the 1024 bytes");
  expect_unknown(BODY("", "mbarrier.init.shared.b64 [s], 1;\n"), 10,
                 "'mbarrier.init.shared.b64 [s], 1' is not modelled yet");
  expect_unknown(BODY("", "frobnicate.u32 %r1;\n"), 10,
                 "unknown instruction 'frobnicate.u32 %r1'");
  expect_unknown(BODY("", "add.odd.u32 %r1, %r1, 1; st.shared.u8 [%r1], 1;\n"),
                 10, "'odd' of 'add.odd.u32");
  expect_unknown(BODY("", "loop: st.shared.u8 [s], 1; bra loop;\n"), 10,
                 "still running after 10000 instructions");
  expect_unknown(BODY("", "loop: bra loop;\n"), 10, "still running");
}
END_TEST

// Stores a byte at the address that each lane has computed in %r9.
static void expect_lanes(const char *body, const uint32_t lanes[32]) {
  Run run;
  run_with(&run, body, threads(32));
  ck_assert_msg(run.is_good, "%u: %s", run.task.where.line,
                run.is_good ? "" : run.task.reason);
  const Commands *commands = &run.programs->warps[0];
  ck_assert_uint_ge(commands->count, 2);
  const Command *store = &commands->at[commands->count - 2];
  ck_assert_int_eq(store->kind, COMMAND_WRITE);
  for (uint32_t lane = 0; lane < 32; lane++) {
    uint32_t at = store->is_scattered
                      ? run.programs->addresses.at[store->address + lane]
                      : store->address + lane * (uint32_t)store->stride;
    ck_assert_msg(at == lanes[lane], "lane %u: %u, not %u in %s", lane, at,
                  lanes[lane], body);
  }
  end_run(&run);
}

#define LANES(expression)                                                      \
  for (uint32_t lane = 0; lane < 32; lane++)                                   \
    lanes[lane] = (expression);

#define OBSERVE                                                                \
  "and.b32 %r9, %r9, 1023; mov.u32 %r10, s; add.s32 %r9, %r9, %r10;\n"         \
  "st.shared.u8 [%r9], 1;\n"

START_TEST(lanes_exchange_values) {
  uint32_t lanes[32];
  LANES(lane ^ 5)
  expect_lanes(BODY("",
                    "mov.u32 %r1, %laneid;\n"
                    "shfl.sync.bfly.b32 %r9, %r1, 5, 31, -1;\n" OBSERVE),
               lanes);
  LANES(lane < 3 ? lane : lane - 3)
  expect_lanes(BODY("",
                    "mov.u32 %r1, %laneid;\n"
                    "shfl.sync.up.b32 %r9, %r1, 3, 0, -1;\n" OBSERVE),
               lanes);
  // Segments of 8 lanes; the predicate tells who had a source.
  LANES((lane % 8 < 6 ? lane + 2 : lane) + (lane % 8 < 6 ? 100 : 0))
  expect_lanes(BODY("",
                    "mov.u32 %r1, %laneid;\n"
                    "shfl.sync.down.b32 %r9|%p1, %r1, 2, 0x181f, -1;\n"
                    "@%p1 add.s32 %r9, %r9, 100;\n" OBSERVE),
               lanes);
  LANES(lane / 8 * 8 + (lane + 1) % 8)
  expect_lanes(BODY("",
                    "mov.u32 %r1, %laneid; add.s32 %r2, %r1, 1;\n"
                    "shfl.sync.idx.b32 %r9, %r1, %r2, 0x181f, -1;\n" OBSERVE),
               lanes);
}
END_TEST

START_TEST(lanes_vote_match_and_reduce) {
  uint32_t lanes[32];
  LANES(0x249)
  expect_lanes(BODY("",
                    "mov.u32 %r1, %laneid; rem.u32 %r2, %r1, 3;\n"
                    "setp.eq.u32 %p1, %r2, 0;\n"
                    "vote.sync.ballot.b32 %r9, %p1, -1;\n" OBSERVE),
               lanes);
  LANES(lane % 2 ? 0x2aa : 0x155)
  expect_lanes(BODY("",
                    "mov.u32 %r1, %laneid; and.b32 %r2, %r1, 1;\n"
                    "match.any.sync.b32 %r9, %r2, -1;\n" OBSERVE),
               lanes);
  LANES(496)
  expect_lanes(BODY("",
                    "mov.u32 %r1, %laneid;\n"
                    "redux.sync.add.s32 %r9, %r1, -1;\n" OBSERVE),
               lanes);
  LANES(lane < 16 ? 120 : 376) // by halves
  expect_lanes(BODY("",
                    "mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 16;\n"
                    "selp.b32 %r2, 0xffff, 0xffff0000, %p1;\n"
                    "redux.sync.add.s32 %r9, %r1, %r2;\n" OBSERVE),
               lanes);
  LANES(6)
  expect_lanes(
      BODY("",
           "mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 16;\n"
           "setp.lt.u32 %p2, %r1, 40;\n"
           "vote.sync.all.pred %p3, %p1, -1;\n"
           "vote.sync.any.pred %p4, %p1, -1;\n"
           "vote.sync.uni.pred %p5, %p2, -1;\n"
           "selp.b32 %r9, 1, 0, %p3;\n"
           "selp.b32 %r2, 2, 0, %p4; add.s32 %r9, %r9, %r2;\n"
           "selp.b32 %r2, 4, 0, %p5; add.s32 %r9, %r9, %r2;\n" OBSERVE),
      lanes);
}
END_TEST

START_TEST(barriers_count_votes_over_the_block) {
  const char *text = BODY("",
                          "mov.u32 %r1, %tid.x;\n"
                          "setp.lt.u32 %p1, %r1, 40;\n"
                          "bar.red.popc.u32 %r2, 0, %p1;\n"
                          "barrier.cta.red.or.pred %p2, 1, 64, !%p1;\n"
                          "bar.red.and.pred %p3, 0, %p1;\n"
                          "mov.u32 %r3, s; add.s32 %r3, %r3, %r2;\n"
                          "@%p2 st.shared.u8 [%r3], 1;\n"
                          "@%p3 st.shared.u8 [%r3], 1;\n");
  expect_program(text, 64, 1,
                 "red ffffffff 0 64\nred ffffffff 1 64\nred ffffffff 0 64\n"
                 "write ffffffff 1 [40+0] same\nexit ffffffff\n");
}
END_TEST

START_TEST(recursion_is_not_followed) {
  expect_unknown(HEADER
                 ".shared .b8 s[4];\n"
                 ".func f() {\nst.shared.u8 [s], 1; call f; }\n"
                 ".entry k() { call f; }\n",
                 6, "'f' calls itself");
}
END_TEST

START_TEST(places_name_the_source_line) {
  Run run;
  run_with(&run,
           HEADER
           ".shared .b8 s[4];\n.entry k() {\n"
           ".loc 1 12 3\n"
           ".loc 2 98 4, function_name $i, inlined_at 1 12 3\n"
           "bar.sync\t 0 ,  32;\n st.shared.u8 [s], 1; }\n"
           ".file 1 \"/home/k.cu\"\n"
           ".file 2 \"/usr/lib/clang/sync.h\"\n",
           threads(32));
  ck_assert(run.is_good);
  const Programs *programs = run.programs;
  ck_assert_str_eq(programs->kernel, "k");
  const Place *place = &programs->places.at[programs->warps[0].at[0].place];
  ck_assert_str_eq(place->text, "bar.sync 0 , 32");
  ck_assert_str_eq(place->source.file, "/home/k.cu");
  ck_assert_uint_eq(place->source.line, 12);
  ck_assert_str_eq(place->ptx.file, "k.ptx");
  ck_assert_uint_eq(place->ptx.line, 8);
  end_run(&run);
}
END_TEST

// ------------------------------------------------------------ arithmetic ---

typedef uint64_t Reference(uint64_t a, uint64_t b, uint64_t c);

typedef struct Case {
  const char *opcode;
  unsigned result, a, b, c; // widths in bits; c 0: there is none
  const char *behind;       // more operands
  Reference *reference;
} Case;

static uint32_t low(uint64_t x) { return (uint32_t)x; }
static int32_t sign(uint64_t x) { return (int32_t)(uint32_t)x; }
static int64_t wide(uint64_t x) { return (int64_t)x; }

static uint64_t count_bits(uint64_t x) {
  uint64_t count = 0;
  for (; x; x >>= 1)
    count += x & 1;
  return count;
}

static uint64_t highest_bit(uint64_t x) {
  uint64_t at = UINT32_MAX;
  for (uint64_t i = 0; i < 64; i++)
    if (x >> i & 1)
      at = i;
  return at;
}

static uint64_t multiply_high(uint64_t a, uint64_t b) {
  uint64_t x = (a & UINT32_MAX) * (b & UINT32_MAX);
  uint64_t y = (a >> 32) * (b & UINT32_MAX) + (x >> 32);
  uint64_t z = (a & UINT32_MAX) * (b >> 32) + (y & UINT32_MAX);
  return (a >> 32) * (b >> 32) + (y >> 32) + (z >> 32);
}

static uint64_t clamp(int64_t x, int64_t least, int64_t most) {
  return (uint64_t)(x < least ? least : x > most ? most : x);
}

static uint64_t pick_bytes(uint64_t a, uint64_t b, uint64_t selector) {
  uint8_t bytes[8], out[4];
  for (unsigned i = 0; i < 4; i++) {
    bytes[i] = (uint8_t)(a >> (8 * i));
    bytes[4 + i] = (uint8_t)(b >> (8 * i));
  }
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned choice = (unsigned)(selector >> (4 * i)) & 15;
    out[i] = bytes[choice & 7];
    if (choice & 8)
      out[i] = out[i] >= 128 ? 255 : 0;
    result |= (uint32_t)out[i] << (8 * i);
  }
  return result;
}

static uint64_t reversed(uint64_t x) {
  uint64_t y = 0;
  for (unsigned i = 0; i < 32; i++)
    y = y << 1 | (x >> i & 1);
  return y;
}

static uint64_t signed_field(uint64_t x, uint64_t from, uint64_t count) {
  if (count == 0)
    return 0;
  if (from >= 32)
    return sign(x) < 0 ? UINT32_MAX : 0;
  uint64_t unused = from + count < 32 ? 32 - from - count : 0;
  return low((uint64_t)(int64_t)(sign(x << unused) >> (unused + from)));
}

static uint64_t unsigned_field(uint64_t x, uint64_t from, uint64_t count) {
  from &= 255;
  count &= 255;
  if (from >= 32)
    return 0;
  x = low(x) >> from;
  return count >= 32 ? x : x & ((UINT64_C(1) << count) - 1);
}

static uint64_t inserted(uint64_t a, uint64_t b, uint64_t from) {
  from &= 255;
  for (unsigned i = 0; i < 9 && from + i < 32; i++)
    b = (b & ~(UINT64_C(1) << (from + i))) | (a >> i & 1) << (from + i);
  return b;
}

#define JOINED(a, b) a##b
#define NUMBERED(a, b) JOINED(a, b)
#define CASE(opcode, result, width, width2, width3, behind, expression)        \
  static uint64_t NUMBERED(reference_, __LINE__)(uint64_t a, uint64_t b,       \
                                                 uint64_t c) {                 \
    (void)a, (void)b, (void)c;                                                 \
    return (uint64_t)(expression);                                             \
  }
#include "test/unit/ptx_arithmetic.def"

static const Case cases[] = {
#define CASE(opcode, result, width, width2, width3, behind, expression)        \
  {opcode,                                                                     \
   result,                                                                     \
   width,                                                                      \
   width2,                                                                     \
   width3,                                                                     \
   behind,                                                                     \
   NUMBERED(reference_, __LINE__)},
#include "test/unit/ptx_arithmetic.def"
};

typedef struct Inputs {
  uint64_t at[3][32];
} Inputs;

static uint64_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 16 ^ *state << 29;
}

// Lines, equal numbers, small ones, and any.
static void fill(Inputs *inputs, unsigned kind, uint64_t *state) {
  for (unsigned i = 0; i < 3; i++) {
    uint64_t base = next_random(state), stride = next_random(state);
    unsigned how = kind >> (2 * i) & 3;
    for (unsigned lane = 0; lane < 32; lane++)
      inputs->at[i][lane] = how == 0   ? base
                            : how == 1 ? base + stride % 9 * lane
                            : how == 2 ? next_random(state) % 70
                                       : next_random(state);
  }
}

static const char *width_name(unsigned bits) {
  return bits == 16 ? "%h" : bits == 32 ? "%r" : "%d";
}

static char *add_table(Arena *arena, char *text, const char *name,
                       const uint64_t *numbers) {
  text = arena_printf(arena, "%s.const .align 8 .u64 %s[32] = {", text, name);
  for (unsigned i = 0; i < 32; i++)
    text = arena_printf(arena, "%s%s%llu", text, i ? ", " : "",
                        (unsigned long long)numbers[i]);
  return arena_printf(arena, "%s};\n", text);
}

static char *add_load(Arena *arena, char *text, const char *table,
                      unsigned bits, unsigned number) {
  text = arena_printf(arena,
                      "%smov.u64 %%d15, %s; add.s64 %%d16, %%d15, %%d14;\n"
                      "ld.const.u64 %%d%u, [%%d16];\n",
                      text, table, number);
  if (bits < 64)
    text = arena_printf(arena, "%scvt.u%u.u64 %s%u, %%d%u;\n", text, bits,
                        width_name(bits), number, number);
  return text;
}

static const char *case_text(Arena *arena, const Case *tested,
                             const Inputs *inputs, const uint64_t *expected) {
  static const char *const names[] = {"ta", "tb", "tc"};
  const unsigned bits[] = {tested->a, tested->b, tested->c};
  char *text = HEADER ".shared .b8 s[16];\n";
  for (unsigned i = 0; i < 3; i++)
    text = add_table(arena, text, names[i], inputs->at[i]);
  text = add_table(arena, text, "te", expected);
  text = arena_printf(arena,
                      "%s.entry k() {\n.reg .pred %%p<3>; .reg .b16 %%h<9>;"
                      " .reg .b32 %%r<9>; .reg .b64 %%d<19>;\n"
                      "mov.u32 %%r8, %%laneid; mul.wide.u32 %%d14, %%r8, 8;\n",
                      text);
  for (unsigned i = 0; i < 3; i++)
    if (bits[i])
      text = add_load(arena, text, names[i], bits[i], i + 1);
  bool changes_b = *tested->behind == '|' || *tested->behind == '&';
  if (changes_b)
    text = arena_printf(arena, "%s%s.b%u %s2, %s2, %s;\n", text,
                        *tested->behind == '|' ? "or" : "and", tested->b,
                        width_name(tested->b), width_name(tested->b),
                        tested->behind + 1);
  text = arena_printf(arena, "%s%s %s4, %s1", text, tested->opcode,
                      width_name(tested->result), width_name(tested->a));
  for (unsigned i = 1; i < 3; i++)
    if (bits[i])
      text = arena_printf(arena, "%s, %s%u", text, width_name(bits[i]), i + 1);
  text = arena_printf(arena, "%s%s;\n", text, changes_b ? "" : tested->behind);
  text = add_load(arena, text, "te", tested->result, 5);
  return arena_printf(arena,
                      "%ssetp.eq.u%u %%p1, %s4, %s5;\n"
                      "@%%p1 st.shared.u8 [s], 1; }\n",
                      text, tested->result, width_name(tested->result),
                      width_name(tested->result));
}

static uint64_t cut(uint64_t number, unsigned bits) {
  return bits == 64 ? number : number & ((UINT64_C(1) << bits) - 1);
}

static void check_case(const Case *tested, unsigned kind, uint64_t *state) {
  Inputs inputs;
  fill(&inputs, kind, state);
  uint64_t expected[32];
  for (unsigned lane = 0; lane < 32; lane++)
    expected[lane] = cut(tested->reference(cut(inputs.at[0][lane], tested->a),
                                           cut(inputs.at[1][lane], tested->b),
                                           cut(inputs.at[2][lane], tested->c)),
                         tested->result);
  Arena arena = {0};
  const char *text = case_text(&arena, tested, &inputs, expected);
  Run run;
  run_with(&run, text, threads(32));
  ck_assert_msg(run.is_good, "%s: %s", tested->opcode,
                run.is_good ? "" : run.task.reason);
  ck_assert_msg(!strcmp(program_text(&run, 0),
                        "write ffffffff 1 [0+0] same\nexit ffffffff\n"),
                "%s computes something else:\n%s%s", tested->opcode, text,
                program_text(&run, 0));
  end_run(&run);
  arena_free(&arena);
}

enum { KINDS = 64 };

START_TEST(instructions_compute_what_c_computes) {
  uint64_t state = 1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned kind = 0; kind < KINDS; kind++)
      check_case(&cases[i], kind, &state);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ptx");
  TCase *tc = tcase_create("ptx");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, kernels_and_their_sizes_are_found);
  tcase_add_test(tc, everything_that_compilers_print_is_parsed);
  tcase_add_test(tc, errors_have_a_sentence_and_a_line);
  tcase_add_test(tc, nesting_has_a_bound);
  tcase_add_test(tc, any_beginning_of_a_file_is_an_error_or_parses);
  tcase_add_test(tc, accesses_are_lines_of_lanes);
  tcase_add_test(tc, guards_and_the_last_warp_leave_lanes_out);
  tcase_add_test(tc, branches_part_and_join_lanes);
  tcase_add_test(tc, indexed_branches_take_each_lane_to_its_target);
  tcase_add_test(tc, barriers_take_names_and_counts_from_registers);
  tcase_add_test(tc, warps_that_wait_for_ever_end_their_programs_there);
  tcase_add_test(tc, other_counts_than_the_generations_wait);
  tcase_add_test(tc, lanes_of_a_warp_may_meet_unaligned_barriers_apart);
  tcase_add_test(tc, warp_barriers_meet_by_their_masks);
  tcase_add_test(tc, lanes_that_have_exited_are_not_waited_for);
  tcase_add_test(tc, values_pass_through_shared_memory);
  tcase_add_test(tc, bytes_of_values_can_be_read_apart);
  tcase_add_test(tc, generic_addresses_are_shared_or_not);
  tcase_add_test(tc, dynamic_shared_memory_lies_behind_the_rest);
  tcase_add_test(tc, calls_take_arguments_and_give_results);
  tcase_add_test(tc, arguments_and_blocks_can_be_given);
  tcase_add_test(tc, what_does_not_matter_need_not_be_known);
  tcase_add_test(tc, what_matters_and_is_not_known_has_a_reason);
  tcase_add_test(tc, lanes_exchange_values);
  tcase_add_test(tc, lanes_vote_match_and_reduce);
  tcase_add_test(tc, barriers_count_votes_over_the_block);
  tcase_add_test(tc, recursion_is_not_followed);
  tcase_add_test(tc, places_name_the_source_line);
  tcase_add_test(tc, instructions_compute_what_c_computes);
  suite_add_tcase(suite, tc);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
