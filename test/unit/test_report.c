// Reports of hand-made verdicts, as text and as JSON.

#define _POSIX_C_SOURCE 200809L

#include "plugin/plugin.h"
#include "report/tell_barriers.h"
#include "test/unit/suite.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static Array tile = {.number = 1, .name = "tile", .element = 4};
static Stmt writing, reading, waiting;
static Obligation race;
static Verdict verdict;
static Problem problem;
static Value argument;
static const char *assumption;
static Launch launch;
static Kernel kernel;
static KernelReport report;
static Settings settings;
static char text[4096];

static Stmt access_at(AccessKind kind, unsigned line) {
  Stmt stmt = {.kind = STMT_ACCESS, .loc = {"nosuch.cu", line, 3}};
  stmt.access = (Access){.kind = kind, .array = &tile};
  return stmt;
}

// Thread 1 writes tile[4], thread 2 reads it later without a barrier.
static void begin(void) {
  writing = access_at(ACCESS_WRITE, 4);
  reading = access_at(ACCESS_READ, 9);
  waiting = (Stmt){.kind = STMT_BARRIER, .loc = {"nosuch.cu", 2, 5}};
  race = (Obligation){.kind = OBLIGATION_RACE,
                      .number = 7,
                      .first = &writing,
                      .second = &reading,
                      .barrier = &waiting,
                      .same_block = true};
  argument = (Value){"n", 64, UINT64_MAX, false};
  problem = (Problem){.kind = VERDICT_RACY,
                      .obligation = &race,
                      .sentence = "possible read-write race on 'tile'",
                      .where = reading.loc,
                      .has_witness = true};
  problem.witness = (Witness){.thread = {{4, 0, 0}, {5, 0, 0}},
                              .block = {{1, 0, 0}, {1, 0, 0}},
                              .block_size = {64, 1, 1},
                              .grid_size = {2, 1, 1},
                              .offset = {16, 16},
                              .bytes = {4, 4}};
  problem.witness.arguments.at = &argument;
  problem.witness.arguments.count = 1;
  verdict = (Verdict){.kind = VERDICT_RACY,
                      .obligations = 12,
                      .proved = 11,
                      .failed = 1,
                      .seconds = 0.25};
  verdict.problems.at = &problem;
  verdict.problems.count = 1;
  assumption = "no-alias";
  verdict.assumptions.at = &assumption;
  verdict.assumptions.count = 1;
  launch = (Launch){0};
  kernel = (Kernel){0};
  report = (KernelReport){.file = "nosuch.cu",
                          .name = "_Z1kPi",
                          .source = "k",
                          .loc = {"nosuch.cu", 1, 17},
                          .launch = &launch,
                          .kernel = &kernel,
                          .verdict = &verdict};
  settings_default(&settings, DOOR_COMMAND);
}

static void verify(void) {
  verdict.kind = VERDICT_VERIFIED;
  verdict.problems.count = 0;
  verdict.proved = 12;
  verdict.failed = 0;
}

static Arena arena; // of diagnoses

static const Diagnosis *diagnosed(void) {
  ReportStyle style = settings_style(&settings);
  return diagnose_kernel(&arena, &style, &report);
}

static const char *as(void (*print)(FILE *out, const Diagnosis *diagnosis)) {
  memset(text, 0, sizeof text);
  FILE *out = fmemopen(text, sizeof text, "w");
  print(out, diagnosed());
  fclose(out);
  return text;
}

static const char *as_text(void) { return as(report_text); }

static json_t *as_json(void) {
  as(report_format("json")->print);
  ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
  json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  ck_assert_ptr_nonnull(object);
  return object;
}

START_TEST(a_race_names_both_threads_and_the_last_barrier) {
  ck_assert_str_eq(
      as_text(),
      "nosuch.cu:9:3: possible read-write race on 'tile'\n"
      "  thread (5,0,0) in block (1,0,0) reads tile[4] (bytes 16..19), "
      "nosuch.cu:9:3\n"
      "  thread (4,0,0) in block (1,0,0) writes tile[4] (bytes 16..19), "
      "nosuch.cu:4:3\n"
      "  no barrier between them; the last one before is at nosuch.cu:2:5\n"
      "  when blockDim = (64,1,1), gridDim = (2,1,1), n = "
      "18446744073709551615\n"
      "verdict: racy (possible, kernel 'k', 12 obligations, 1 failed, "
      "0.25 s)\n");
}
END_TEST

START_TEST(a_number_has_the_sign_that_it_is_declared_with) {
  argument.is_signed = true;
  ck_assert_ptr_nonnull(strstr(as_text(), "gridDim = (2,1,1), n = -1\n"));
  argument.value = 7;
  ck_assert_ptr_nonnull(strstr(as_text(), "gridDim = (2,1,1), n = 7\n"));
  argument = (Value){"n", 32, UINT64_C(0x80000000), true};
  ck_assert_ptr_nonnull(strstr(as_text(), ", n = -2147483648\n"));
}
END_TEST

START_TEST(opencl_has_work_items_and_groups) {
  kernel.is_opencl = true;
  race.same_block = false;
  ck_assert(strstr(as_text(), "work-item (5,0,0) in work-group (1,0,0) reads"));
  ck_assert(strstr(text, "no barrier orders two work-groups"));
  ck_assert(strstr(text, "when local_size = (64,1,1), num_groups = (2,1,1)"));
}
END_TEST

START_TEST(bytes_that_are_no_element_are_bytes) {
  problem.witness.offset[0] = 6;
  problem.witness.bytes[0] = 1;
  ck_assert(strstr(as_text(), "writes tile (byte 6), "));
  problem.witness.offset[0] = (uint64_t)-8;
  problem.witness.bytes[0] = 4;
  ck_assert(strstr(as_text(), "writes tile[-2] (bytes -8..-5), "));
}
END_TEST

START_TEST(a_caveat_and_the_start_of_the_kernel_are_told) {
  problem.caveat = "only if n * 4 wraps";
  race.barrier = NULL;
  ck_assert(strstr(as_text(), "\n  note: only if n * 4 wraps\n"));
  ck_assert(strstr(text, "no barrier between the start of the kernel and"));
}
END_TEST

START_TEST(the_source_line_is_quoted_where_it_can_be_read) {
  char name[] = "/tmp/gpuverify-report-XXXXXX";
  FILE *file = fdopen(mkstemp(name), "w");
  fputs("first\n\t  x = tile[t];\n", file);
  fclose(file);
  reading.loc = problem.where = (Loc){name, 2, 8};
  ck_assert(strstr(as_text(), "\n    x = tile[t];\n        ^\n"));
  remove(name);
}
END_TEST

START_TEST(a_proof_says_for_what_it_holds) {
  verify();
  ck_assert_str_eq(as_text(),
                   "nosuch.cu: kernel 'k': no data races, no barrier "
                   "divergence\n"
                   "  for every launch\n"
                   "  assuming no-alias\n"
                   "verdict: verified (kernel 'k', 12 obligations, 0.25 s)\n");
  launch.block[0] = (Extent){true, 64};
  launch.where = (Loc){"nosuch.cu", 30, 2};
  report.launches = 1;
  ck_assert(strstr(as_text(),
                   "  for blockDim = (64,*,*), gridDim = (*,*,*), "
                   "as launched at nosuch.cu:30:2\n"));
  report.launches = 20;
  report.is_joined = true;
  ck_assert(strstr(as_text(), "  for all 20 launches in this file at once\n"));
}
END_TEST

START_TEST(quiet_is_quiet_about_proofs_only) {
  settings.quiet = true;
  ck_assert(strstr(as_text(), "verdict: racy"));
  verify();
  ck_assert_str_eq(as_text(), "");
}
END_TEST

START_TEST(not_decided_says_why_and_where) {
  verdict = (Verdict){.kind = VERDICT_UNKNOWN, .reason = "surface load"};
  report.kernel = NULL;
  ck_assert_str_eq(as_text(),
                   "nosuch.cu:1:17: not decided: surface load\n"
                   "verdict: unknown (kernel 'k', 0 obligations, 0.00 s)\n");
  verdict.where = (Loc){"nosuch.h", 8, 1};
  ck_assert(strstr(as_text(), "nosuch.h:8:1: not decided: surface load\n"));
}
END_TEST

START_TEST(json_of_a_race_has_the_witness) {
  json_t *object = as_json();
  int schema, line;
  const char *name, *kind, *array, *value;
  json_t *barrier;
  ck_assert(!json_unpack(object,
                         "{s:i, s:s, s:[{s:s, s:{s:i}, s:o, s:{s:[{}, {s:s}], "
                         "s:{s:s}}}]}",
                         "schema", &schema, "verdict", &name, "problems",
                         "kind", &kind, "other", "line", &line, "barrier",
                         &barrier, "witness", "threads", "array", &array,
                         "arguments", "n", &value));
  ck_assert_int_eq(schema, 1);
  ck_assert_str_eq(name, "racy");
  ck_assert_str_eq(kind, "racy");
  ck_assert_int_eq(line, 4);
  ck_assert_str_eq(array, "tile");
  ck_assert_str_eq(value, "18446744073709551615");
  ck_assert_int_eq(json_integer_value(json_object_get(barrier, "line")), 2);
  json_decref(object);
}
END_TEST

START_TEST(json_keeps_every_member_without_a_value) {
  verdict = (Verdict){.kind = VERDICT_UNKNOWN, .reason = "a \"quote\""};
  report.file = "not utf-8: \xff.cu";
  json_t *object = as_json();
  ck_assert_uint_eq(json_object_size(object), 18);
  ck_assert(json_is_null(json_object_get(object, "file")));
  ck_assert(json_is_null(json_object_get(object, "reason_where")));
  ck_assert_str_eq(json_string_value(json_object_get(object, "reason")),
                   "a \"quote\"");
  ck_assert(json_is_false(json_object_get(object, "confirmed")));
  json_decref(object);
}
END_TEST

// What clang shows: no line below another one, and no place in a sentence.
START_TEST(a_diagnosis_can_be_read_at_its_places) {
  const Remark *remark = &diagnosed()->remarks.at[0];
  const char *const there[] = {
      "other access is here: thread (4,0,0) in block (1,0,0) writes tile[4]",
      "the last barrier before both accesses is here",
      "in kernel 'k', blockDim (64,1,1), gridDim (2,1,1), n = "
      "18446744073709551615"};
  const unsigned lines[] = {4, 2, 1};
  unsigned seen = 0;
  ck_assert_int_eq(remark->level, LEVEL_WARNING);
  ck_assert_str_eq(remark->there,
                   "possible read-write race on 'tile': thread (5,0,0) in "
                   "block (1,0,0) reads tile[4]");
  for (size_t i = 0; i < remark->notes.count; i++) {
    const Note *note = &remark->notes.at[i];
    if (!note->there)
      continue;
    ck_assert_uint_lt(seen, 3);
    ck_assert_str_eq(note->there, there[seen]);
    ck_assert_uint_eq(note->where.line, lines[seen++]);
  }
  ck_assert_uint_eq(seen, 3);
}
END_TEST

START_TEST(levels_say_how_bad_it_is) {
  verify();
  ck_assert_int_eq(diagnosed()->remarks.at[0].level, LEVEL_REMARK);
  verdict.kind = VERDICT_UNKNOWN;
  ck_assert_int_eq(diagnosed()->remarks.at[0].level, LEVEL_DOUBT);
  verdict.kind = VERDICT_VACUOUS;
  ck_assert_int_eq(diagnosed()->remarks.at[0].level, LEVEL_WARNING);
}
END_TEST

START_TEST(a_format_has_a_name) {
  ck_assert_ptr_nonnull(report_format("json"));
  ck_assert_ptr_null(report_format("jsn"));
}
END_TEST

// Whatever is found is a bug, and has a sentence of its own.
START_TEST(each_kind_of_finding_is_a_bug_with_a_sentence) {
  static const Command commands[] = {{.kind = COMMAND_WRITE},
                                     {.kind = COMMAND_WRITE}};
  static Place places[1] = {{.text = "st.shared.u32"}};
  static Programs programs;
  programs = (Programs){.threads = 32};
  programs.places.at = places;
  programs.places.count = 1;
  programs.warps[0].at = (Command *)(uintptr_t)commands;
  programs.warps[0].count = 2;
  BarriersReport barriers = {.programs = &programs};
  const char *before = "";
  for (FindingKind kind = FINDING_DEADLOCK; kind <= FINDING_RACE; kind++) {
    Finding finding = {.kind = kind, .ends = {{0}, {.command = 1}}};
    const char *sentence = finding_sentence(&arena, &barriers, &finding);
    ck_assert_int_eq(verdict_group(finding_verdict(&finding)), GROUP_BUG);
    ck_assert_ptr_nonnull(sentence);
    ck_assert_str_ne(sentence, before);
    before = sentence;
  }
}
END_TEST

static void end(void) { arena_free(&arena); }

int main(void) {
  TCase *tc = tcase_create("report");
  tcase_add_checked_fixture(tc, begin, end);
  tcase_add_test(tc, a_diagnosis_can_be_read_at_its_places);
  tcase_add_test(tc, levels_say_how_bad_it_is);
  tcase_add_test(tc, a_format_has_a_name);
  tcase_add_test(tc, each_kind_of_finding_is_a_bug_with_a_sentence);
  tcase_add_test(tc, a_race_names_both_threads_and_the_last_barrier);
  tcase_add_test(tc, a_number_has_the_sign_that_it_is_declared_with);
  tcase_add_test(tc, opencl_has_work_items_and_groups);
  tcase_add_test(tc, bytes_that_are_no_element_are_bytes);
  tcase_add_test(tc, a_caveat_and_the_start_of_the_kernel_are_told);
  tcase_add_test(tc, the_source_line_is_quoted_where_it_can_be_read);
  tcase_add_test(tc, a_proof_says_for_what_it_holds);
  tcase_add_test(tc, quiet_is_quiet_about_proofs_only);
  tcase_add_test(tc, not_decided_says_why_and_where);
  tcase_add_test(tc, json_of_a_race_has_the_witness);
  tcase_add_test(tc, json_keeps_every_member_without_a_value);
  return run_suite(tc, "report");
}
