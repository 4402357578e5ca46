// Which programs the emulator makes of small kernels, and what it does not
// follow.

#include "test/unit/ptx.h"
#include "test/unit/suite.h"

#define BODY(declarations, body)                                               \
  HEADER                                                                       \
  ".shared .align 16 .b8 s[1024];\n"                                           \
  ".visible .entry k(.param .u64 pointer, .param .u32 number)\n{\n"            \
  ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<19>;\n"                     \
  ".reg .b64 %d<19>; .reg .f32 %f<9>;\n" declarations "\n" body "\n}\n"

START_TEST(accesses_are_lines_of_lanes) {
  const char *text = BODY("",
                          "mov.u32 %r1, %tid.x;\n"
                          "shl.b32 %r2, %r1, 2;\n"
                          "mov.u32 %r3, s;\n"
                          "add.s32 %r4, %r3, %r2;\n"
                          "st.shared.u32 [%r4], %r1;\n"
                          "ld.shared.v2.u64 {%d1, %d2}, [s+16];\n"
                          "add.s32 %r5, %r3, 63; sub.s32 %r5, %r5, %r1;\n"
                          "st.shared.u8 [%r5+1], 7;\n"
                          "and.b32 %r6, %r1, 3; add.s32 %r6, %r6, %r3;\n"
                          "ld.shared.u16 %h1, [%r6+64];\n");
  expect_unknown(text, 19, "shared address 0x41 is not a multiple of 2");
  text = BODY("",
              "mov.u32 %r1, %tid.x;\n"
              "shl.b32 %r2, %r1, 2;\n"
              "mov.u32 %r3, s;\n"
              "add.s32 %r4, %r3, %r2;\n"
              "st.shared.u32 [%r4], %r1;\n"
              "ld.shared.v2.u64 {%d1, %d2}, [s+16];\n"
              "add.s32 %r5, %r3, 63; sub.s32 %r5, %r5, %r1;\n"
              "st.shared.u8 [%r5+(1 << 2) - 3], 7;\n"
              "and.b32 %r6, %r1, 3; add.s32 %r6, %r6, %r3;\n"
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
                 "bar.arrive ffffffff 1 64\n"
                 "sync ffffffff 0 64\n"
                 "exit ffffffff\n");
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
                          "add.s32 %r3, %r5, %r2;\n"
                          "st.shared.u32 [%r3], %r1;\n"
                          "bar.sync 0;\n"
                          "xor.b32 %r3, %r2, 128; add.s32 %r3, %r5, %r3;\n"
                          "ld.shared.u32 %r4, [%r3];\n"
                          "add.s32 %r4, %r5, %r4;\n"
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
                      "mov.u32 %r3, s;\n"
                      "ld.shared.u16 %r1, [s+2]; add.s32 %r1, %r1, %r3;\n"
                      "st.shared.u8 [%r1], 1;\n"
                      "ld.shared.s8 %r2, [s+4]; add.s32 %r2, %r2, %r3;\n"
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
      "mov.u32 %r3, s; add.s32 %r2, %r2, %r3;\n"
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
  PtxArgument arguments[] = {{.is_known = false},
                             {.is_known = true, .value = 5}};
  options.arguments = arguments;
  options.argument_count = 2;
  PtxRun run;
  run_with(&run,
           BODY("",
                "ld.param.u32 %r1, [number];\n"
                "setp.eq.u32 %p1, %r1, 5;\n"
                "@!%p1 bra end;\n"
                "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x;\n"
                "mad.lo.s32 %r4, %r2, 16, %r3;\n"
                "mov.u32 %r5, s; add.s32 %r4, %r4, %r5;\n"
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
  expect_unknown(BODY("",
                      "fns.b32 %r1, -1, 32, 0;\n"
                      "st.shared.u8 [%r1], 1;\n"),
                 11, "what 'fns' computes at k.ptx:10");
  expect_unknown(BODY("", "bar.sync 16;\n"), 10, "barrier 16");
  expect_unknown(BODY("", "bar.sync 1, 33;\n"), 10, "no multiple of 32");
  expect_unknown(BODY("", "st.shared.u8 [s+1024], 1;\n"), 10,
                 "1 bytes at 's'+1024 are not within its 1024 bytes");
  expect_unknown(BODY("", "multimem.red.add.u32 [%r1], 1;\n"), 10,
                 "'multimem.red.add.u32 [%r1], 1' is not modelled yet");
  expect_unknown(BODY("", "frobnicate.u32 %r1;\n"), 10,
                 "unknown instruction 'frobnicate.u32 %r1'");
  expect_unknown(BODY("", "add.odd.u32 %r1, %r1, 1; st.shared.u8 [%r1], 1;\n"),
                 10, "'odd' of 'add.odd.u32");
  expect_unknown(BODY("",
                      "shfl.sync.b32 %r1, %r1, 1, 31, -1;\n"
                      "st.shared.u8 [%r1], 1;\n"),
                 10, "'mode' of 'shfl.sync.b32");
  expect_unknown(BODY("", "loop: st.shared.u8 [s], 1; bra loop;\n"), 10,
                 "still running after 10000 instructions");
  expect_unknown(BODY("", "loop: bra loop;\n"), 10, "still running");
}
END_TEST

static const char *in_cluster(const char *size, const char *body) {
  static char text[2048];
  snprintf(text, sizeof text,
           "%s.shared .align 16 .b8 s[1024];\n.visible .entry k() %s {\n"
           ".reg .pred p; .reg .b32 r, q;\n%s\n}\n",
           HEADER, size, body);
  return text;
}

START_TEST(a_cluster_of_one_block_is_alone) {
  static const char body[] =
      "mov.u32 r, %cluster_nctarank; sub.u32 r, r, 1;\n"
      "mapa.shared::cluster.u32 q, s, r; st.shared::cluster.u8 [q+4], 1;";
  static const char program[] = "write ffffffff 1 [4+0] same\nexit ffffffff\n";
  PtxRun run;
  expect_program(in_cluster(".reqnctapercluster 1", body), 32, 0, program);
  expect_program(in_cluster("", body), 32, 0, program);
  run_with(&run, in_cluster(".reqnctapercluster 1, 1, 1", body), threads(32));
  ck_assert(run.is_good && !run.programs->is_alone);
  end_run(&run);
  run_with(&run, in_cluster("", body), threads(32));
  ck_assert(run.is_good && run.programs->is_alone);
  end_run(&run);
  run_with(&run, in_cluster("", "st.shared::cluster.u8 [s], 1;"), threads(32));
  ck_assert(run.is_good && !run.programs->is_alone);
  end_run(&run);
}
END_TEST

START_TEST(other_blocks_of_a_cluster_have_to_be_there) {
  expect_unknown(in_cluster("",
                            "mapa.shared::cluster.u32 q, s, 1;\n"
                            "st.shared::cluster.u8 [q], 1;"),
                 7, "there is no other block in the cluster");
  expect_unknown(in_cluster("",
                            "ld.global.u32 r, [0];\n"
                            "mapa.shared::cluster.u32 q, s, r;\n"
                            "st.shared::cluster.u8 [q], 1;"),
                 8, "the rank of the block depends on data loaded");
  expect_unknown(in_cluster(".reqnctapercluster 2",
                            "mapa.shared::cluster.u32 q, s, 2;\n"
                            "st.shared::cluster.u8 [q], 1;"),
                 7, "the cluster has 2 blocks, and none of rank 2");
  expect_unknown(
      in_cluster(".reqnctapercluster 17", "mapa.shared::cluster.u32 q, s, 2;"),
      7, "a cluster of 17 blocks and 34 warps in all");
}
END_TEST

START_TEST(blocks_of_a_cluster_have_memory_and_barriers_of_their_own) {
  PtxRun run;
  run_with(&run,
           in_cluster(".reqnctapercluster 2",
                      "mov.u32 r, %cluster_ctarank; xor.b32 r, r, 1;\n"
                      "mapa.shared::cluster.u32 q, s, r;\n"
                      "st.shared::cluster.u8 [q+4], 1;\n"
                      "getctarank.shared::cluster.u32 r, q;\n"
                      "add.u32 q, q, r; st.shared::cluster.u8 [q+8], 1;\n"
                      "mov.u32 r, %ctaid.x; sub.u32 r, r, 2; add.u32 q, r, s;\n"
                      "st.shared.u8 [q], 1; bar.sync 1, 32;"),
           threads(32));
  ck_assert_msg(run.is_good, "%s", run.is_good ? "" : run.task.reason);
  ck_assert_uint_eq(programs_blocks(run.programs), 2);
  ck_assert_str_eq(program_text(&run, 0),
                   "write ffffffff 1 [262148+0] same\n"
                   "write ffffffff 1 [262153+0] same\n"
                   "write ffffffff 1 [0+0] same\n"
                   "sync ffffffff 1 32\nexit ffffffff\n");
  ck_assert_str_eq(program_text(&run, 1),
                   "write ffffffff 1 [4+0] same\n"
                   "write ffffffff 1 [8+0] same\n"
                   "write ffffffff 1 [262145+0] same\n"
                   "sync ffffffff 17 32\nexit ffffffff\n");
  end_run(&run);
}
END_TEST

// Stores a byte at the address that each lane has computed in %r9.
static void expect_lanes(const char *body, const uint32_t lanes[32]) {
  PtxRun run;
  run_with(&run, body, threads(32));
  ck_assert_msg(run.is_good, "%u: %s", run.task.where.line,
                run.is_good ? "" : run.task.reason);
  const Commands *commands = &run.programs->warps[0];
  ck_assert_uint_ge(commands->count, 2);
  const Command *store = &commands->at[commands->count - 2];
  ck_assert_int_eq(store->kind, COMMAND_WRITE);
  for (uint32_t lane = 0; lane < 32; lane++) {
    uint32_t at = store->is_scattered
                      ? run.programs->addresses.at[store->address + lane] +
                            (uint32_t)store->stride
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
  PtxRun run;
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

int main(void) {
  TCase *tc = tcase_create("emulate");
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
  tcase_add_test(tc, a_cluster_of_one_block_is_alone);
  tcase_add_test(tc, other_blocks_of_a_cluster_have_to_be_there);
  tcase_add_test(tc, blocks_of_a_cluster_have_memory_and_barriers_of_their_own);
  tcase_add_test(tc, places_name_the_source_line);
  return run_suite(tc, "emulate");
}
