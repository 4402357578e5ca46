// mbarriers and asynchronous copies: which commands their instructions become,
// how far the lanes get, and which waits are not understood.

#include "test/unit/ptx.h"
#include "test/unit/suite.h"

#include <string.h>

// The body begins in line 10.
#define BODY(body)                                                             \
  HEADER                                                                       \
  ".shared .align 16 .b8 s[1024];\n"                                           \
  ".visible .entry k(.param .u64 pointer, .param .u32 number)\n{\n"            \
  ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<19>;\n"                     \
  ".reg .b64 %d<19>; .reg .f32 %f<9>;\n"                                       \
  "mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0; setp.lt.u32 %p2, %r1, "       \
  "32;\n" body "\n}\n"

// One thread makes an mbarrier at s for `count` arrivals.
#define INIT(count) "@%p1 mbarrier.init.shared.b64 [s], " #count "; bar.sync 0;"

// The same of parts that are put together.
static const char *body(const char *head, const char *middle,
                        const char *tail) {
  static const char whole[] = BODY("\001");
  static char text[4096];
  const char *at = strchr(whole, 1);
  snprintf(text, sizeof text, "%.*s%s%s%s%s", (int)(at - whole), whole, head,
           middle, tail, at + 1);
  return text;
}

// --------------------------------------------------------------- updates ---

START_TEST(updates_are_commands_with_their_counts) {
  expect_program(
      BODY("mov.u32 %r2, s; cvta.shared.u64 %d2, %d1; mov.u64 %d3, s;\n"
           "cvta.shared.u64 %d3, %d3; mov.u32 %r3, 40;\n"
           "mbarrier.init.b64 [%d3], 3000;\n"
           "mbarrier.arrive.shared.b64 _, [%r2];\n"
           "mbarrier.arrive.shared::cta.b64 %d4, [s], %r3;\n"
           "mbarrier.arrive.release.cluster.shared::cta.b64 %d4, [%r2+0], 2;\n"
           "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [s], 16;\n"
           "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [s], 32;\n"
           "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [s], 48;\n"
           "mbarrier.arrive_drop.shared.b64 %d4, [s];\n"
           "mbarrier.arrive_drop.expect_tx.shared::cta.b64 %d4, [s], 8;\n"
           "fence.mbarrier_init.release.cluster;\n"
           "mbarrier.inval.shared::cta.b64 [s];\n"),
      32, 0,
      "init ffffffff [0] 3000\n"
      "arrive ffffffff [0] 1\n"
      "arrive ffffffff [0] 40\n"
      "arrive ffffffff [0] 2\n"
      "arrive ffffffff [0] 1 +16\n"
      "expect ffffffff [0] +32\n"
      "complete ffffffff [0] +48\n"
      "drop ffffffff [0] 1\n"
      "drop ffffffff [0] 1 +8\n"
      "inval ffffffff [0]\n"
      "exit ffffffff\n");
}
END_TEST

START_TEST(lanes_with_other_objects_or_counts_are_other_commands) {
  expect_program(BODY("and.b32 %r2, %r1, 1; shl.b32 %r3, %r2, 3;\n"
                      "add.u32 %r4, %r2, 1; mov.u32 %r5, s;\n"
                      "add.u32 %r5, %r5, %r3;\n"
                      "setp.lt.u32 %p3, %r1, 4;\n"
                      "mbarrier.init.shared.b64 [%r5], 20;\n"
                      "@%p3 mbarrier.arrive.shared.b64 _, [s+16], %r4;\n"),
                 32, 0,
                 "init 55555555 [0] 20\n"
                 "init aaaaaaaa [8] 20\n"
                 "arrive 5 [16] 1\n"
                 "arrive a [16] 2\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(objects_have_an_address_in_shared_memory) {
  expect_unknown(BODY("mbarrier.init.shared.b64 [s+4], 1;\n"), 10,
                 "shared address 0x4 is not a multiple of 8");
  expect_unknown(BODY("mbarrier.init.shared.b64 [s+1024], 1;\n"), 10,
                 "8 bytes at 's'+1024 are not within its 1024 bytes");
  expect_unknown(BODY("ld.param.u64 %d1, [pointer];\n"
                      "mbarrier.init.b64 [%d1], 1;\n"),
                 11, "'mbarrier.init' outside of shared memory");
  expect_unknown(BODY("ld.param.u32 %r2, [number];\n"
                      "mbarrier.init.shared.b64 [s], %r2;\n"),
                 11, "the count of the mbarrier depends on the argument");
  expect_unknown(BODY("ld.param.u32 %r2, [number];\n"
                      "setp.eq.u32 %p3, %r2, 0;\n"
                      "@%p3 mbarrier.arrive.shared.b64 _, [s];\n"),
                 12, "whether this is executed depends on the argument");
}
END_TEST

START_TEST(bulk_copies_are_reads_and_writes_of_each_lane) {
  expect_program(
      BODY("setp.lt.u32 %p3, %r1, 2;\n"
           "@%p1 mbarrier.init.shared.b64 [s], 1; bar.sync 0;\n"
           "@%p1 mbarrier.expect_tx.shared::cta.b64 [s], 64;\n"
           "@%p3 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes "
           "[s+32], [%d1], 32, [s];\n"
           "@%p1 cp.async.bulk.shared::cluster.shared::cta."
           "mbarrier::complete_tx::bytes [s+64], [s+80], 16, [s];\n"
           "@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 "
           "[%d1], [s+16], 16;\n"
           "@%p1 cp.async.bulk.commit_group;\n"
           "cp.async.bulk.prefetch.L2.global [%d1], 16;\n"
           "@%p1 fence.proxy.async.shared::cta;\n"
           "fence.proxy.async.global;\n"
           "@%p3 cp.async.bulk.wait_group.read 0;\n"),
      64, 0,
      "init 1 [0] 1\n"
      "sync ffffffff 0 64\n"
      "expect 1 [0] +64\n"
      "bulk-write 1 [32] 32\n"
      "bulk-complete 1 [0] +32\n"
      "bulk-write 2 [32] 32\n"
      "bulk-complete 2 [0] +32\n"
      "bulk-read 1 [80] 16\n"
      "bulk-write 1 [64] 16\n"
      "bulk-complete 1 [0] +16\n"
      "bulk-read 1 [16] 16\n"
      "fence 1\n"
      "bulks-done 1 11\n"
      "exit ffffffff\n");
}
END_TEST

START_TEST(what_is_not_modelled_has_a_name) {
  expect_unknown(BODY("mbarrier.test_wait.noComplete.shared.b64 %p3, [s], "
                      "%d1;\n"),
                 10, "'noComplete' of 'mbarrier.test_wait");
  expect_unknown(
      BODY(INIT(2) "mbarrier.arrive.relaxed.cta.shared.b64 %d1, [s];\n"
                   "membar.cta;\n"),
      10, "a relaxed 'mbarrier.arrive' in a kernel with memory");
  expect_unknown(BODY("mbarrier.pending_count.b64 %r2, %d1;\n"), 10,
                 "'mbarrier.pending_count.b64 %r2, %d1' is not modelled yet");
  expect_unknown(
      BODY(INIT(1) "mov.u32 %r2, 1; setp.eq.u32 %p3, %r2, 1;\n"
                   "W: mbarrier.test_wait.parity.shared.b64 %p4, [s], 1;\n"
                   "@!%p4 bra W;\n"
                   "@%p3 bra THERE; ret; THERE:\n"
                   "frobnicate;\n"),
      14, "unknown instruction 'frobnicate'");
  expect_unknown(BODY("cp.async.bulk.global.shared::cta.bulk_group [%d1], "
                      "[s], 24;\n"),
                 10, "a bulk copy of 24 bytes, which is no multiple of 16");
  expect_unknown(BODY("cp.async.bulk.global.shared::cta.bulk_group [%d1], "
                      "[s+1008], 32;\n"),
                 10, "32 bytes at 's'+1008 are not within its 1024 bytes");
  expect_unknown(
      BODY("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d1, {%r1, "
           "%r1}], [s+64];\n"),
      10, "shared address 0x40 is not a multiple of 128");
  expect_unknown(BODY("red.async.relaxed.cluster.shared::cluster.mbarrier::"
                      "complete_tx::bytes.add.u32 [s], %r1, [s];\n"),
                 10, "'red.async' in a cluster of one block");
}
END_TEST

// ----------------------------------------------------------------- waits ---

#define LOOP(number, parity)                                                   \
  "W" #number ": mbarrier.try_wait.parity.shared::cta.b64 %p3, [s], " #parity  \
  "; @!%p3 bra W" #number ";\n"

START_TEST(a_wait_is_a_command_when_its_phase_is_over) {
  const char *text = BODY(INIT(
      32) "\n"
          "@%p2 bra FIRST;\n"
          "st.shared.u8 [s+9], 1;\n"
          "mbarrier.arrive.shared.b64 _, [s];\n"
          "ret;\n"
          "FIRST:\n" LOOP(1, 0) "ld.shared.u8 %r2, [s+9];\n");
  expect_program(text, 64, 0,
                 "init 1 [0] 32\n"
                 "sync ffffffff 0 64\n"
                 "wait ffffffff [0] 0\n"
                 "read ffffffff 1 [9+0]\n"
                 "exit ffffffff\n");
  expect_program(text, 64, 1,
                 "sync ffffffff 0 64\n"
                 "write ffffffff 1 [9+0] same\n"
                 "arrive ffffffff [0] 1\n"
                 "exit ffffffff\n");
  // The phase before the first is over.
  expect_program(BODY(INIT(1) "\n" LOOP(1, 1) LOOP(2, 1)), 64, 1,
                 "sync ffffffff 0 64\n"
                 "wait ffffffff [0] 1\n"
                 "wait ffffffff [0] 1\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(bytes_that_are_expected_are_waited_for) {
  expect_program(
      BODY(INIT(1) "\n"
                   "@%p2 bra FIRST;\n"
                   "setp.eq.u32 %p4, %r1, 32;\n"
                   "@%p4 mbarrier.arrive.expect_tx.shared.b64 _, [s], 64;\n"
                   "mbarrier.complete_tx.shared.b64 [s], 2;\n"
                   "ret;\n"
                   "FIRST:\n" LOOP(1, 0)),
      64, 0,
      "init 1 [0] 1\n"
      "sync ffffffff 0 64\n"
      "wait ffffffff [0] 0\n"
      "exit ffffffff\n");
}
END_TEST

START_TEST(drops_lower_what_later_phases_expect) {
  expect_program(
      BODY(
          INIT(33) "\n"
                   "@!%p2 ret;\n"
                   "mbarrier.arrive.shared.b64 _, [s];\n"
                   "@%p1 mbarrier.arrive_drop.shared.b64 _, [s];\n" LOOP(
                       1, 0) "mbarrier.arrive.shared.b64 _, [s];\n" LOOP(2, 1)),
      64, 0,
      "init 1 [0] 33\n"
      "sync ffffffff 0 64\n"
      "arrive ffffffff [0] 1\n"
      "drop 1 [0] 1\n"
      "wait ffffffff [0] 0\n"
      "arrive ffffffff [0] 1\n"
      "wait ffffffff [0] 1\n"
      "exit ffffffff\n");
}
END_TEST

START_TEST(a_wait_without_an_end_is_the_last_command) {
  const char *text = BODY(INIT(
      2) "\n"
         "setp.lt.u32 %p4, %r1, 40;\n"
         "@%p4 bra SOME;\n"
         "bar.sync 1;\n"
         "SOME:\n" LOOP(1, 0));
  expect_program(text, 64, 0,
                 "init 1 [0] 2\n"
                 "sync ffffffff 0 64\n"
                 "wait ffffffff [0] 0\n");
  expect_program(text, 64, 1,
                 "sync ffffffff 0 64\n"
                 "wait ff [0] 0\n");
  // What is no mbarrier has no phases.
  expect_program(BODY(LOOP(1, 0)), 32, 0, "wait ffffffff [0] 0\n");
}
END_TEST

START_TEST(lanes_wait_each_for_itself) {
  const char *text = BODY(INIT(
      1) "\n"
         "@!%p2 bra OTHER;\n"
         "@!%p1 bra TOGETHER;\n" LOOP(
             1, 0) "TOGETHER: bar.warp.sync -1;\n"
                   "st.shared.u8 [s+9], 1; ret;\n"
                   "OTHER: setp.eq.u32 %p4, %r1, 63;\n"
                   "@%p4 mbarrier.arrive.shared.b64 _, [s];\n");
  expect_program(text, 64, 0,
                 "init 1 [0] 1\n"
                 "sync ffffffff 0 64\n"
                 "wait 1 [0] 0\n"
                 "warp-sync ffffffff\n"
                 "write ffffffff 1 [9+0] same\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(lanes_may_wait_for_different_things) {
  const char *text = BODY(INIT(
      1) "@%p1 mbarrier.init.shared.b64 [s+8], 1;\n"
         "and.b32 %r2, %r1, 1; shl.b32 %r3, %r2, 3;\n"
         "mov.u32 %r4, s; add.u32 %r4, %r4, %r3;\n"
         "setp.lt.u32 %p5, %r1, 8;\n"
         "W: @%p5 mbarrier.test_wait.parity.shared.b64 %p3, "
         "[%r4], %r2;\n"
         "@!%p5 setp.eq.u32 %p3, 0, 0;\n"
         "@!%p3 bra W;\n"
         "st.shared.u8 [s+16], 1;\n");
  // The even lanes of the first eight wait for ever.
  expect_program(text, 32, 0,
                 "init 1 [0] 1\n"
                 "sync ffffffff 0 32\n"
                 "init 1 [8] 1\n"
                 "wait aa [8] 1\n"
                 "write ffffffaa 1 [16+0] same\n"
                 "exit ffffffaa\n"
                 "wait 55 [0] 0\n");
}
END_TEST

START_TEST(tokens_wait_for_their_phase) {
  expect_program(
      BODY(INIT(32) "\n"
                    "mbarrier.arrive.shared.b64 %d1, [s];\n"
                    "W1: mbarrier.test_wait.shared.b64 %p3, [s], %d1;\n"
                    "@!%p3 bra W1;\n"
                    "mov.b64 %d2, %d1;\n"
                    "mbarrier.arrive.shared.b64 %d1, [s];\n"
                    "W2: mbarrier.try_wait.acquire.cta.shared::cta.b64 %p3, "
                    "[s], %d1, "
                    "100;\n"
                    "@!%p3 bra W2;\n"),
      32, 0,
      "init 1 [0] 32\n"
      "sync ffffffff 0 32\n"
      "arrive ffffffff [0] 1\n"
      "wait ffffffff [0] 0\n"
      "arrive ffffffff [0] 1\n"
      "wait ffffffff [0] 1\n"
      "exit ffffffff\n");
  // Twice 16 lanes: those of the second half come in the second phase.
  expect_program(
      BODY(INIT(16) "\n"
                    "mbarrier.arrive.shared.b64 %d1, [s];\n"
                    "setp.lt.u32 %p4, %r1, 16;\n"
                    "@%p4 ret;\n"
                    "W1: mbarrier.test_wait.shared.b64 %p3, [s], %d1;\n"
                    "@!%p3 bra W1;\n"),
      32, 0,
      "init 1 [0] 16\n"
      "sync ffffffff 0 32\n"
      "arrive ffffffff [0] 1\n"
      "exit ffff\n"
      "wait ffff0000 [0] 1\n"
      "exit ffff0000\n");
}
END_TEST

START_TEST(tokens_have_no_number) {
  expect_unknown(BODY("mbarrier.arrive.shared.b64 %d1, [s];\n"
                      "setp.eq.u64 %p3, %d1, 0;\n"
                      "@%p3 bar.sync 1;\n"),
                 12, "what 'mbarrier.arrive' computes at k.ptx:10");
  expect_unknown(BODY("mov.u64 %d1, 0;\n"
                      "W: mbarrier.test_wait.shared.b64 %p3, [s], %d1;\n"
                      "@!%p3 bra W;\n"),
                 11, "the state of the wait is not what an arrive returned");
  expect_unknown(BODY("mov.u32 %r2, %clock;\n"
                      "W: mbarrier.test_wait.parity.shared.b64 %p3, [s], %r2;\n"
                      "@!%p3 bra W;\n"),
                 11, "the parity of the wait depends on %clock");
  expect_unknown(BODY("W: mbarrier.test_wait.parity.shared.b64 %p3, [s], 2;\n"
                      "@!%p3 bra W;\n"),
                 10, "a parity of 2");
}
END_TEST

START_TEST(the_bytes_of_an_object_are_not_known) {
  expect_unknown(BODY("st.shared.u32 [s], 3;\n"
                      "mbarrier.init.shared.b64 [s], 3;\n"
                      "ld.shared.u32 %r2, [s];\n"
                      "st.shared.u8 [%r2], 1;\n"),
                 13, "data loaded at k.ptx:12");
}
END_TEST

// ----------------------------------------------------- blocking and busy ---

START_TEST(a_loop_around_a_wait_may_sleep) {
  expect_program(
      BODY(INIT(32) "\n"
                    "mbarrier.arrive.shared.b64 %d1, [s];\n"
                    "mov.u32 %r2, 0; mov.u64 %d2, %globaltimer;\n"
                    "bra WAIT;\n"
                    "MORE: add.u32 %r2, %r2, 1;\n"
                    "WAIT: { .reg .pred p;\n"
                    "mov.u32 %r7, s;\n"
                    "mbarrier.test_wait.shared.b64 p, [%r7], %d1;\n"
                    "selp.b32 %r3, 1, 0, p; }\n"
                    "setp.eq.s32 %p3, %r3, 0;\n"
                    "@!%p3 bra DONE;\n"
                    "setp.lt.s32 %p4, %r2, 16;\n"
                    "@%p4 bra MORE;\n"
                    "mov.u64 %d3, %globaltimer; sub.s64 %d4, %d3, %d2;\n"
                    "setp.lt.s64 %p5, %d4, 4000;\n"
                    "@%p5 bra WAIT;\n"
                    "nanosleep.u32 1000;\n"
                    "bra WAIT;\n"
                    "DONE: st.shared.u8 [s+8], 1;\n"),
      32, 0,
      "init 1 [0] 32\n"
      "sync ffffffff 0 32\n"
      "arrive ffffffff [0] 1\n"
      "wait ffffffff [0] 0\n"
      "write ffffffff 1 [8+0] same\n"
      "exit ffffffff\n");
}
END_TEST

START_TEST(a_counter_may_have_a_register_of_which_more_is_known) {
  expect_program(
      BODY("mov.u32 %r2, 0; " INIT(
          64) "\n"
              "mbarrier.arrive.shared.b64 _, [s];\n"
              "W: mbarrier.test_wait.parity.shared.b64 %p3, [s], %r2;\n"
              "@!%p3 bra W;\n"
              "AGAIN: mbarrier.test_wait.parity.shared.b64 %p3, [s], 0;"
              "@%p3 bra DONE;\n"
              "setp.lt.s32 %p4, %r2, 16;\n"
              "@!%p4 bra SLEEP;\n"
              "add.u32 %r2, %r2, 1;\n"
              "bra AGAIN;\n"
              "SLEEP: nanosleep.u32 20;\n"
              "bra AGAIN;\n"
              "DONE: st.shared.u8 [s+8], 1;\n"),
      64, 1,
      "sync ffffffff 0 64\n"
      "arrive ffffffff [0] 1\n"
      "wait ffffffff [0] 0\n"
      "wait ffffffff [0] 0\n"
      "write ffffffff 1 [8+0] same\n"
      "exit ffffffff\n");
}
END_TEST

START_TEST(a_first_wait_may_ask_whether_to_wait) {
  const char *program =
      "init 1 [0] 32\n"
      "sync ffffffff 0 32\n"
      "arrive ffffffff [0] 1\n"
      "wait ffffffff [0] 0\n"
      "write ffffffff 1 [8+0] same\n"
      "exit ffffffff\n";
  const char *text = BODY(INIT(
      32) "\n"
          "mbarrier.arrive.shared.b64 _, [s];\n"
          "mbarrier.try_wait.parity.shared.b64 %p4, [s], 0;\n"
          "selp.b32 %r2, 1, 0, %p4; setp.ne.s32 %p5, %r2, 0;\n"
          "@%p5 bra DONE;\n" LOOP(1, 0) "DONE: st.shared.u8 [s+8], 1;\n");
  expect_program(text, 32, 0, program);
  expect_program(
      BODY(INIT(32) "\n"
                    "mbarrier.arrive.shared.b64 _, [s];\n"
                    "mbarrier.try_wait.parity.shared.b64 %p4, [s], 0;\n"
                    "mov.u32 %r3, 8; mov.u32 %r4, s;\n"
                    "@%p4 bra DONE;\n" LOOP(1,
                                            0) "mov.u32 %r3, 8;\n"
                                               "DONE: add.u32 %r4, %r4, %r3;\n"
                                               "st.shared.u8 [%r4], 1;\n"),
      32, 0, program);
  // It asks about another mbarrier, the wrong way, or with other consequences.
  expect_unknown(
      BODY(INIT(64) "\n"
                    "mbarrier.try_wait.parity.shared.b64 %p4, [s+8], 0;\n"
                    "@%p4 bra DONE;\n" LOOP(
                        1, 0) "DONE: st.shared.u8 [s+8], 1;\n"),
      11, "non-blocking wait decides about 'mbarrier.try_wait");
  expect_unknown(
      BODY(INIT(64) "\n"
                    "mbarrier.try_wait.parity.shared.b64 %p4, [s], 0;\n"
                    "@!%p4 bra DONE;\n" LOOP(
                        1, 0) "DONE: st.shared.u8 [s+8], 1;\n"),
      11, "non-blocking wait decides about 'st.shared.u8");
  expect_unknown(
      BODY(INIT(64) "\n"
                    "mov.u32 %r3, 8; mov.u32 %r4, s;\n"
                    "mbarrier.try_wait.parity.shared.b64 %p4, [s], 0;\n"
                    "@%p4 bra DONE;\n" LOOP(1,
                                            0) "mov.u32 %r3, 9;\n"
                                               "DONE: add.u32 %r4, %r4, %r3;\n"
                                               "st.shared.u8 [%r4], 1;\n"),
      12, "non-blocking wait decides about 'st.shared.u8");
}
END_TEST

START_TEST(a_token_may_be_kept_over_other_accesses) {
  const char *head = INIT(32) "\n"
                              "mbarrier.arrive.shared.b64 _, [s];\n"
                              "mbarrier.try_wait.parity.shared.b64 %p4, [s], "
                              "0;\n"
                              "selp.b32 %r2, 1, 0, %p4;\n"
                              "st.shared.u8 [s+8], 1;\n";
  const char *program =
      "init 1 [0] 32\nsync ffffffff 0 32\narrive ffffffff [0] 1\n"
      "try ffffffff [0] 0\nwrite ffffffff 1 [8+0] same\n"
      "wait ffffffff [0] 0 try 2\nwrite ffffffff 1 [9+0] same\n"
      "exit ffffffff\n";
  const char *tail = LOOP(1, 0) "DONE: st.shared.u8 [s+9], 1;\n";
  static const char *const tests[] = {
      "setp.ne.s32 %p5, %r2, 0; @%p5 bra DONE;\n",
      "xor.b32 %r3, %r2, 1; setp.eq.s32 %p5, %r3, 1; @!%p5 bra DONE;\n",
      "mov.b32 %r3, %r2; cvt.u16.u32 %h1, %r3; setp.eq.s16 %p5, %h1, 1;\n"
      "not.pred %p3, %p5; @!%p3 bra DONE;\n",
      // Some lanes have another reason to go on, of all that is not so.
      "setp.lt.u32 %p3, %r1, 0; setp.ne.or.s32 %p5, %r2, 0, %p3;\n"
      "@%p5 bra DONE;\n",
  };
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
    expect_program(body(head, tests[i], tail), 32, 0, program);
  // Half of them do not wait in any case.
  expect_program(
      body(head,
           "setp.lt.u32 %p3, %r1, 16; setp.ne.or.s32 %p5, %r2, 0, %p3;\n"
           "@%p5 bra DONE;\n",
           tail),
      32, 0,
      "init 1 [0] 32\nsync ffffffff 0 32\narrive ffffffff [0] 1\n"
      "try ffffffff [0] 0\nwrite ffffffff 1 [8+0] same\n"
      "wait ffff0000 [0] 0 try 2\nwrite ffffffff 1 [9+0] same\nexit "
      "ffffffff\n");
}
END_TEST

START_TEST(a_token_decides_whether_to_wait_and_no_more) {
  const char *head = INIT(32) "\n"
                              "mbarrier.arrive.shared.b64 _, [s];\n"
                              "mbarrier.try_wait.parity.shared.b64 %p4, [s], "
                              "0;\n"
                              "st.shared.u8 [s+8], 1; mov.u32 %r2, 0;\n";
  const char *tail = LOOP(1, 0) "DONE: st.shared.u8 [s+9], 1;\n";
  expect_unknown(body(head, "@!%p4 bra DONE;\n", tail), 12,
                 "non-blocking wait decides about 'st.shared.u8 [s+9], 1'");
  const char *guarded =
      body(head, "@%p4 st.shared.u8 [s+16], 1;\n@!%p4 bra DONE;\n", tail);
  expect_unknown(guarded, 12, "non-blocking wait decides about");
  expect_unknown(body(head, "@%p4 bra DONE;\nst.shared.u8 [s+16], 1;\n", tail),
                 12, "non-blocking wait decides about 'st.shared.u8 [s+16]");
  expect_unknown(body(head, "@%p4 bar.sync 1;\n", tail), 14, "depends on");
  expect_unknown(body(head, "@%p4 bra OUT;\n",
                      LOOP(1, 0) "DONE: mov.u32 %r2, 4;\n"
                                 "OUT: mov.u32 %r3, s; add.u32 %r3, %r3, "
                                 "%r2;\n"
                                 "st.shared.u8 [%r3], 1;\n"),
                 12, "non-blocking wait decides about 'st.shared.u8 [%r3]");
  // Two tokens at once are too many.
  expect_unknown(body(head,
                      "mbarrier.try_wait.parity.shared.b64 %p5, [s], 0;\n"
                      "st.shared.u8 [s+8], 1;\n"
                      "or.pred %p3, %p4, %p5; @%p3 bra DONE;\n",
                      tail),
                 16, "the branch depends on");
}
END_TEST

START_TEST(a_token_may_guard_an_access) {
  expect_program(
      body(INIT(32) "mbarrier.arrive.shared.b64 _, [s];\n"
                    "mbarrier.try_wait.parity.shared.b64 %p4, [s], 0;\n",
           "@%p4 st.shared.u8 [s+16], 1;\n@%p4 bra DONE;\n",
           LOOP(1, 0) "DONE:\n"),
      32, 0,
      "init 1 [0] 32\nsync ffffffff 0 32\narrive ffffffff [0] 1\n"
      "try ffffffff [0] 0\nperhaps write ffffffff 1 [16+0] same\n"
      "wait ffffffff [0] 0 try 2\nexit ffffffff\n");
}
END_TEST

START_TEST(a_relaxed_token_makes_its_wait_relaxed) {
  const char *text = body(
      INIT(32) "mbarrier.arrive.shared.b64 _, [s];\n"
               "mbarrier.try_wait.parity.relaxed.cta.shared.b64 %p4, [s], "
               "0;\n"
               "st.shared.u8 [s+8], 1;\n",
      "@%p4 bra DONE;\n", LOOP(1, 0) "DONE: st.shared.u8 [s+9], 1;\n");
  PtxRun run;
  run_with(&run, text, threads(32));
  ck_assert(run.is_good);
  const Commands *commands = &run.programs->warps[0];
  for (size_t i = 0; i < commands->count; i++)
    if (commands->at[i].kind == COMMAND_MBARRIER_WAIT)
      ck_assert(commands->at[i].is_relaxed);
  end_run(&run);
}
END_TEST

START_TEST(a_result_that_nobody_looks_at_waits_for_nothing) {
  expect_program(
      BODY(INIT(64) "\n"
                    "mbarrier.try_wait.parity.shared.b64 %p3, [s], 0;\n"
                    "st.shared.u8 [s+8], 1;\n"),
      64, 0,
      "init 1 [0] 64\n"
      "sync ffffffff 0 64\n"
      "write ffffffff 1 [8+0] same\n"
      "exit ffffffff\n");
}
END_TEST

START_TEST(what_is_done_while_waiting_is_not_understood) {
  expect_unknown(
      BODY(INIT(64) "\n"
                    "mbarrier.arrive.shared.b64 _, [s];\n"
                    "W: mbarrier.test_wait.parity.shared.b64 %p3, [s], 0;\n"
                    "@%p3 bra DONE;\n"
                    "st.shared.u8 [s+8], 1;\n"
                    "bra W; DONE:\n"),
      12,
      "the result of a non-blocking wait decides about "
      "'st.shared.u8 [s+8], 1' (k.ptx:14)");
  // How often it was asked decides where to write.
  expect_unknown(
      BODY("mov.u32 %r2, s; " INIT(
          64) "\n"
              "W: mbarrier.test_wait.parity.shared.b64 %p3, [s], 1;\n"
              "@%p3 bra DONE;\n"
              "add.u32 %r2, %r2, 8;\n"
              "bra W;\n"
              "DONE: st.shared.u8 [%r2], 1;\n"),
      11, "non-blocking wait decides about");
  // The result is a value.
  expect_unknown(
      BODY(INIT(64) "\n"
                    "mbarrier.test_wait.parity.shared.b64 %p3, [s], 0;\n"
                    "selp.b32 %r2, 8, 9, %p3; mov.u32 %r3, s;\n"
                    "add.u32 %r3, %r3, %r2;\n"
                    "st.shared.u8 [%r3], 1;\n"),
      14, "address depends on what a non-blocking wait says at k.ptx:11");
  // Whichever of two is over first.
  expect_unknown(
      BODY(INIT(64) "@%p1 mbarrier.init.shared.b64 [s+8], 1;\n"
                    "W: mbarrier.test_wait.parity.shared.b64 %p3, [s], 1;\n"
                    "@%p3 bra DONE;\n"
                    "mbarrier.test_wait.parity.shared.b64 %p3, [s+8], 0;\n"
                    "@!%p3 bra W; DONE:\n"
                    "st.shared.u8 [s+16], 1;\n"),
      11, "decides about 'mbarrier.test_wait");
  // It waits no longer than its clock says.
  expect_unknown(
      BODY(INIT(64) "\n"
                    "W: mbarrier.test_wait.parity.shared.b64 %p3, [s], 1;\n"
                    "@%p3 bra DONE;\n"
                    "mov.u32 %r2, %clock; setp.lt.u32 %p4, %r2, 99;\n"
                    "@%p4 bra W;\n"
                    "ret;\n"
                    "DONE: st.shared.u8 [s+8], 1;\n"),
      14, "the branch depends on");
}
END_TEST

START_TEST(a_trap_may_end_the_waiting) {
  expect_program(
      BODY(INIT(64) "mov.u32 %r2, 0;\n"
                    "W: mbarrier.test_wait.parity.shared.b64 %p3, [s], 1;\n"
                    "@%p3 bra DONE;\n"
                    "add.u32 %r2, %r2, 1; setp.lt.u32 %p4, %r2, 99;\n"
                    "@%p4 bra W;\n"
                    "trap;\n"
                    "DONE: st.shared.u8 [s+8], 1;\n"),
      64, 1,
      "sync ffffffff 0 64\n"
      "wait ffffffff [0] 1\n"
      "write ffffffff 1 [8+0] same\n"
      "exit ffffffff\n");
}
END_TEST

START_TEST(a_wait_may_stand_in_a_function) {
  const char *function = HEADER
      ".shared .align 16 .b8 s[1024];\n"
      ".func wait(.param .b32 parity)\n{\n"
      ".reg .pred %p<4>; .reg .b32 %r<4>;\n"
      "ld.param.b32 %r1, [parity];\n"
      "W: mbarrier.test_wait.parity.shared.b64 %p1, [s], %r1;\n"
      "@!%p1 bra W;\nret;\n}\n"
      ".visible .entry k()\n{\n"
      ".reg .pred %p<4>; .reg .b32 %r<4>;\n"
      "{ .param .b32 p; st.param.b32 [p], 1; call wait, (p); }\n"
      "ld.shared.u8 %r1, [s+8];\nret;\n}\n";
  expect_program(function, 32, 0, "wait ffffffff [0] 1\n");
}
END_TEST

START_TEST(a_function_must_not_return_the_result) {
  expect_unknown(
      HEADER
      ".shared .align 16 .b8 s[1024];\n"
      ".func (.param .b32 result) test()\n{\n"
      ".reg .pred %p<4>; .reg .b32 %r<4>;\n"
      "mbarrier.test_wait.parity.shared.b64 %p1, [s], 0;\n"
      "selp.b32 %r1, 1, 0, %p1; st.param.b32 [result], %r1; ret;\n}\n"
      ".visible .entry k()\n{\n"
      ".reg .pred %p<4>; .reg .b32 %r<4>;\n"
      "W: { .param .b32 r; call (r), test, (); ld.param.b32 %r1, [r]; }\n"
      "setp.eq.u32 %p1, %r1, 0; @%p1 bra W;\n"
      "ld.shared.u8 %r1, [s+8];\nret;\n}\n",
      8, "a function returns what a non-blocking wait says");
}
END_TEST

// ---------------------------------------------------------------- copies ---

START_TEST(copies_are_commands) {
  expect_program(
      BODY("ld.param.u64 %d1, [pointer]; shl.b32 %r2, %r1, 4;\n"
           "mov.u32 %r3, s; add.u32 %r3, %r3, %r2;\n"
           "cp.async.ca.shared.global [%r3], [%d1], 4;\n"
           "cp.async.ca.shared::cta.global.L2::128B [%r3+8], [%d1], 8, %r2;\n"
           "cp.async.cg.shared.global.L2::cache_hint [%r3], [%d1], 16, 0, "
           "%d2;\n"
           "@%p1 cp.async.ca.shared.global [%r3], [%d1], 4, %p2;\n"),
      32, 0,
      "copy ffffffff 4 [0+16]\ncopy ffffffff 8 [8+16]\n"
      "copy ffffffff 16 [0+16]\ncopy 1 4 [0+0]\nexit ffffffff\n");
  expect_unknown(BODY("cp.async.ca.shared.global [s+4], [%d1], 16;\n"), 10,
                 "shared address 0x4 is not a multiple of 16");
  expect_unknown(BODY("cp.async.ca.shared.global [s], [%d1], 12;\n"), 10,
                 "'size' of 'cp.async.ca");
  expect_program(BODY("ld.global.u32 %r2, [%d1]; setp.eq.u32 %p3, %r2, 0;\n"
                      "@%p3 cp.async.ca.shared.global [s], [%d1], 16;\n"),
                 32, 0, "perhaps copy ffffffff 16 [0+0]\nexit ffffffff\n");
}
END_TEST

START_TEST(what_is_copied_is_not_known) {
  expect_unknown(BODY("st.shared.u32 [s], 8;\n"
                      "cp.async.ca.shared.global [s], [%d1], 4;\n"
                      "cp.async.wait_all; ld.shared.u32 %r2, [s];\n"
                      "st.shared.u8 [%r2], 1;\n"),
                 13, "data loaded at k.ptx:12");
}
END_TEST

START_TEST(a_wait_is_for_all_but_the_youngest_groups) {
  expect_program(BODY("cp.async.wait_group 0;\n"
                      "cp.async.ca.shared.global [s], [%d1], 4;\n"
                      "cp.async.commit_group;\n"
                      "cp.async.ca.shared.global [s+4], [%d1], 4;\n"
                      "cp.async.ca.shared.global [s+8], [%d1], 4;\n"
                      "cp.async.commit_group;\n"
                      "cp.async.commit_group;\n"
                      "cp.async.ca.shared.global [s+12], [%d1], 4;\n"
                      "cp.async.wait_group 3;\n"
                      "cp.async.wait_group 2;\n"
                      "cp.async.wait_group 1;\n"
                      "cp.async.wait_group 0;\n"
                      "cp.async.wait_all;\n"),
                 32, 0,
                 "copy ffffffff 4 [0+0]\n"
                 "copy ffffffff 4 [4+0]\n"
                 "copy ffffffff 4 [8+0]\n"
                 "copy ffffffff 4 [12+0]\n"
                 "done ffffffff 1\n"
                 "done ffffffff 3\n"
                 "done ffffffff 3\n"
                 "done ffffffff 7\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(each_lane_has_groups_of_its_own) {
  expect_program(BODY("cp.async.ca.shared.global [s], [%d1], 4;\n"
                      "cp.async.commit_group;\n"
                      "@%p1 cp.async.ca.shared.global [s+4], [%d1], 4;\n"
                      "@%p1 cp.async.commit_group;\n"
                      "cp.async.wait_group 1;\n"
                      "cp.async.wait_group 0;\n"),
                 32, 0,
                 "copy ffffffff 4 [0+0]\n"
                 "copy 1 4 [4+0]\n"
                 "done 1 1\n"
                 "done 1 2\n"
                 "done fffffffe 1\n"
                 "exit ffffffff\n");
}
END_TEST

START_TEST(copies_arrive_at_mbarriers) {
  const char *text = BODY(INIT(
      64) "\n"
          "cp.async.ca.shared.global [s+16], [%d1], 4;\n"
          "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [s];\n" LOOP(
              1, 0) "cp.async.mbarrier.arrive.shared.b64 [s];\n"
                    "mbarrier.arrive.shared.b64 _, [s];\n" LOOP(2, 1));
  expect_program(text, 64, 0,
                 "init 1 [0] 64\n"
                 "sync ffffffff 0 64\n"
                 "copy ffffffff 4 [16+0]\n"
                 "copy-arrive ffffffff [0] 1\n"
                 "wait ffffffff [0] 0\n"
                 "copy-arrive ffffffff [0] 0\n"
                 "arrive ffffffff [0] 1\n"
                 "wait ffffffff [0] 1\n"
                 "exit ffffffff\n");
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("emulate_mbarrier");
  tcase_add_test(tc, updates_are_commands_with_their_counts);
  tcase_add_test(tc, lanes_with_other_objects_or_counts_are_other_commands);
  tcase_add_test(tc, objects_have_an_address_in_shared_memory);
  tcase_add_test(tc, bulk_copies_are_reads_and_writes_of_each_lane);
  tcase_add_test(tc, what_is_not_modelled_has_a_name);
  tcase_add_test(tc, a_wait_is_a_command_when_its_phase_is_over);
  tcase_add_test(tc, bytes_that_are_expected_are_waited_for);
  tcase_add_test(tc, drops_lower_what_later_phases_expect);
  tcase_add_test(tc, a_wait_without_an_end_is_the_last_command);
  tcase_add_test(tc, lanes_wait_each_for_itself);
  tcase_add_test(tc, lanes_may_wait_for_different_things);
  tcase_add_test(tc, tokens_wait_for_their_phase);
  tcase_add_test(tc, tokens_have_no_number);
  tcase_add_test(tc, the_bytes_of_an_object_are_not_known);
  tcase_add_test(tc, a_loop_around_a_wait_may_sleep);
  tcase_add_test(tc, a_counter_may_have_a_register_of_which_more_is_known);
  tcase_add_test(tc, a_first_wait_may_ask_whether_to_wait);
  tcase_add_test(tc, a_token_may_be_kept_over_other_accesses);
  tcase_add_test(tc, a_token_decides_whether_to_wait_and_no_more);
  tcase_add_test(tc, a_token_may_guard_an_access);
  tcase_add_test(tc, a_relaxed_token_makes_its_wait_relaxed);
  tcase_add_test(tc, a_result_that_nobody_looks_at_waits_for_nothing);
  tcase_add_test(tc, what_is_done_while_waiting_is_not_understood);
  tcase_add_test(tc, a_trap_may_end_the_waiting);
  tcase_add_test(tc, a_wait_may_stand_in_a_function);
  tcase_add_test(tc, a_function_must_not_return_the_result);
  tcase_add_test(tc, copies_are_commands);
  tcase_add_test(tc, what_is_copied_is_not_known);
  tcase_add_test(tc, a_wait_is_for_all_but_the_youngest_groups);
  tcase_add_test(tc, each_lane_has_groups_of_its_own);
  tcase_add_test(tc, copies_arrive_at_mbarriers);
  return run_suite(tc, "emulate_mbarrier");
}
