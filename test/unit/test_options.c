// What each option accepts, and the sentence for what it does not.

#define _POSIX_C_SOURCE 200809L

#include "plugin/plugin.h"
#include "test/unit/suite.h"

#include <stdlib.h>
#include <string.h>

static Task task;
static Settings settings;
static const char *error;

static void begin(void) {
  task = (Task){0};
  settings_default(&settings, DOOR_COMMAND);
  error = NULL;
}

static void end(void) { arena_free(&task.arena); }

static void again(void) {
  end();
  begin();
}

static bool parse(const char *text) {
  return settings_parse(&task, &settings, DOOR_COMMAND, text, &error);
}

static bool parse_all(int count, char **texts) {
  return settings_parse_all(&task, &settings, DOOR_COMMAND, count, texts,
                            &error);
}

static void refuse(const char *text, const char *sentence) {
  ck_assert(!parse(text));
  ck_assert_str_eq(error, sentence);
}

static void refuse_together(const char *sentence) {
  ck_assert(!settings_check(&task, &settings, &error));
  ck_assert_str_eq(error, sentence);
}

static void extents_are(const Extent extents[3], int x, int y, int z) {
  const int wanted[3] = {x, y, z};
  for (int axis = 0; axis < 3; axis++)
    if (wanted[axis] < 0) {
      ck_assert(!extents[axis].known);
    } else {
      ck_assert(extents[axis].known);
      ck_assert_uint_eq(extents[axis].value, (unsigned)wanted[axis]);
    }
}

START_TEST(one_size_leaves_the_other_dimensions_one) {
  ck_assert(parse("--blockDim=64"));
  extents_are(settings.options.launch.block, 64, 1, 1);
  extents_are(settings.options.launch.grid, -1, -1, -1);
}
END_TEST

START_TEST(races_are_looked_for_by_the_command_unless_told_not_to) {
  Settings plugin;
  settings_default(&plugin, DOOR_PLUGIN);
  ck_assert(!plugin.options.confirm);
  ck_assert(settings.options.confirm);
  ck_assert(parse("--no-confirm"));
  ck_assert(!settings.options.confirm);
  ck_assert(parse("--confirm=on"));
  ck_assert(settings.options.confirm);
  refuse("--confirm=no", "--confirm=no: neither on nor off");
}
END_TEST

START_TEST(clang_checks_named_barriers_and_others_when_told_to) {
  ck_assert_str_eq(settings.options.barriers, "off");
  settings_default(&settings, DOOR_PLUGIN);
  ck_assert_str_eq(settings.options.barriers, "auto");
  settings_default(&settings, DOOR_COMMAND);
  ck_assert(parse("--barriers=auto"));
  ck_assert_str_eq(settings.options.barriers, "auto");
  refuse("--barriers=on", "--barriers=on: expected one of auto|off");
}
END_TEST

START_TEST(brackets_are_optional_and_a_star_is_free) {
  ck_assert(parse("--gridDim=[4,*,0x10]"));
  extents_are(settings.options.launch.grid, 4, -1, 16);
  ck_assert(parse("--local_size=*,2"));
  extents_are(settings.options.launch.block, -1, 2, 1);
  ck_assert(parse("--global_offset=[1, 2]"));
  ck_assert_uint_eq(settings.options.launch.offset[1].value, 2);
  ck_assert_uint_eq(settings.options.launch.offset[2].value, 0);
}
END_TEST

START_TEST(the_names_of_a_size_are_one_size) {
  ck_assert(parse("--blockDim=8,8"));
  ck_assert(parse("--block-dim=8,8,1"));
  refuse("--local_size=64",
         "--local_size=64: contradicts the 8,8,1 given "
         "before");
}
END_TEST

START_TEST(malformed_sizes_are_refused) {
  refuse("--blockDim=0", "--blockDim=0: sizes are at least 1");
  refuse("--blockDim=4,-4", "--blockDim=4,-4: sizes are at least 1");
  const char *wrong[] = {"64,", "1,2,3,4", "[64",        "64]", "x",
                         "-",   "[]",      "4294967296", "6 4", "1,,2",
                         "**",  "0x",      "64,2junk"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[64];
    snprintf(text, sizeof text, "--blockDim=%s", wrong[i]);
    ck_assert_msg(!parse(text), "%s", text);
    ck_assert(strstr(error, "expected X, X,Y or X,Y,Z"));
  }
  refuse("--global_offset=*", "--global_offset=*: an offset cannot be free");
}
END_TEST

START_TEST(only_clang_hurries_and_not_if_it_is_told_a_time) {
  ck_assert_uint_eq(settings.options.file_timeout, 0);
  settings_default(&settings, DOOR_PLUGIN);
  ck_assert(settings_check(&task, &settings, &error));
  ck_assert_uint_eq(settings.options.file_timeout, DEFAULT_FILE_TIMEOUT);
  settings.options.timeout = 120;
  ck_assert(settings_check(&task, &settings, &error));
  ck_assert_uint_eq(settings.options.file_timeout, 0);
}
END_TEST

START_TEST(flags_and_numbers_land_where_they_belong) {
  ck_assert_uint_eq(settings.options.timeout, DEFAULT_TIMEOUT);
  ck_assert_uint_eq(settings.options.memory, DEFAULT_MEMORY);
  ck_assert(parse("--only-divergence") && settings.options.only_divergence);
  ck_assert(parse("--only-intra-group") && settings.options.only_intra_group);
  ck_assert(parse("--no-benign-tolerance") &&
            settings.options.no_benign_tolerance);
  ck_assert(parse("--check-array-bounds") &&
            settings.options.check_array_bounds);
  ck_assert(parse("--no-annotations") && settings.options.no_annotations);
  ck_assert(parse("--only-requires") && settings.options.only_requires);
  ck_assert(parse("--invariants-as-candidates") &&
            settings.options.invariants_as_candidates);
  ck_assert(parse("--no-overflow") && settings.options.no_overflow);
  ck_assert(parse("--assume=sizes-fit,no-signed-overflow"));
  ck_assert(settings.options.assumed[PREMISE_SIZES_FIT]);
  ck_assert(settings.options.assumed[PREMISE_NO_SIGNED_OVERFLOW]);
  ck_assert(!settings.options.assumed[PREMISE_ARGUMENTS_NOT_NEGATIVE]);
  ck_assert(!settings.options.pure_externals);
  ck_assert(parse("--assume=pure-externals"));
  ck_assert(settings.options.pure_externals);
  ck_assert(!parse("--assume=sizes"));
  ck_assert(!parse("--assume=pure-external"));
  ck_assert(parse("--ladder=sizes-fit"));
  ck_assert(settings.options.tried[PREMISE_SIZES_FIT]);
  ck_assert(!settings.options.tried[PREMISE_EXITED_THREADS]);
  ck_assert(parse("--ladder=all"));
  ck_assert(settings.options.tried[PREMISE_ARGUMENTS_NOT_NEGATIVE]);
  ck_assert(!parse("--ladder"));
  ck_assert(!parse("--ladder=sizes"));
  ck_assert(parse("--strict") && settings.strict);
  ck_assert(parse("--assert-false") && settings.options.assert_false);
  ck_assert(parse("--timeout=0") && settings.options.timeout == 0);
  ck_assert(parse("--memory=64") && settings.options.memory == 64);
  ck_assert(parse("--warp-sync=32") && settings.options.warp_sync == 32);
  ck_assert(parse("--json") && settings.format == report_format("json"));
  ck_assert(parse("--silent") && settings.quiet);
  ck_assert(parse("--help") && settings.help);
  ck_assert(parse("--emit-boogie=a.bpl"));
  ck_assert(parse("--emit-program=a.bpl"));
  ck_assert_str_eq(settings.options.boogie, "a.bpl");
  refuse("--timeout=soon", "--timeout=soon: expected a whole number");
  refuse("--timeout=-1", "--timeout=-1: a number below 0");
  refuse("--json=yes", "--json=yes: this option takes no value");
  refuse("--timeout", "--timeout: a value is missing (SECONDS)");
  refuse("--timeout=", "--timeout=: a value is missing (SECONDS)");
}
END_TEST

START_TEST(a_choice_is_one_of_the_list_in_full) {
  ck_assert(parse("--dump=pair"));
  ck_assert_str_eq(settings.options.dump, "pair");
  refuse("--dump=pai", "--dump=pai: expected one of kernel|program|pair|smt");
  refuse("--dump=pair|smt",
         "--dump=pair|smt: expected one of kernel|program|pair|smt");
}
END_TEST

START_TEST(kernel_arguments_are_numbers_or_free) {
  ck_assert(parse("--kernel-args=scan<4,2>,7,*,0xff,-1"));
  const KernelValues *args = &settings.options.kernel_args.at[0];
  ck_assert_str_eq(args->kernel, "scan<4,2>");
  ck_assert_uint_eq(args->values.count, 4);
  ck_assert_uint_eq(args->values.at[0].value, 7);
  ck_assert(!args->values.at[1].known);
  ck_assert_uint_eq(args->values.at[2].value, 255);
  ck_assert(args->values.at[3].value == UINT64_MAX);
  ck_assert(parse("--kernel-arrays=k,4096"));
  ck_assert_uint_eq(settings.options.kernel_arrays.count, 1);
  const char *wrong[] = {"k", "k,", ",1", "k,1,", "k,one", "k,1 2"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[64];
    snprintf(text, sizeof text, "--kernel-args=%s", wrong[i]);
    ck_assert_msg(!parse(text), "%s", text);
    ck_assert(strstr(error, "expected a kernel's name"));
  }
}
END_TEST

START_TEST(words_of_a_struct_are_given_by_their_places) {
  ck_assert(parse("--kernel-args=k,5,1:*:-1,@8=0x10@640=2:3,*"));
  const KernelValues *args = &settings.options.kernel_args.at[0];
  ck_assert_uint_eq(args->values.count, 4);
  ck_assert_uint_eq(args->values.at[0].words.count, 0);
  const Argument *first = &args->values.at[1], *second = &args->values.at[2];
  ck_assert(!first->known && !second->known);
  ck_assert_uint_eq(first->words.count, 2);
  ck_assert_uint_eq(first->words.at[0].value, 1);
  ck_assert_uint_eq(first->words.at[1].offset, 8);
  ck_assert_uint_eq(first->words.at[1].value, UINT32_MAX);
  ck_assert_uint_eq(second->words.count, 3);
  ck_assert_uint_eq(second->words.at[2].offset, 644);
  ck_assert_uint_eq(second->words.at[2].value, 3);
  const char *wrong[] = {"k,1:",   "k,:1", "k,@1",          "k,@=1",
                         "k,@*=1", "k,1@", "k,4294967296:1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char text[64];
    snprintf(text, sizeof text, "--kernel-args=%s", wrong[i]);
    ck_assert_msg(!parse(text), "%s", text);
  }
}
END_TEST

START_TEST(an_unknown_option_names_the_nearest) {
  refuse("--blokDim=4",
         "unknown option '--blokDim=4'; did you mean '--blockDim'?");
  refuse("--blockdim=4",
         "unknown option '--blockdim=4'; did you mean '--blockDim'?");
  refuse("--only-divergance",
         "unknown option '--only-divergance'; did you mean "
         "'--only-divergence'?");
  refuse("--quantum-annealing",
         "unknown option '--quantum-annealing' (see --help)");
}
END_TEST

START_TEST(macros_and_folders_take_a_blank_or_none) {
  char *texts[] = {"-DA", "-D", "B=1", "-Iinc", "-I", "other", "k.cu"};
  ck_assert(parse_all(7, texts));
  const char *wanted[] = {"-DA", "-DB=1", "-Iinc", "-Iother"};
  ck_assert_uint_eq(settings.clang_args.count, 4);
  for (int i = 0; i < 4; i++)
    ck_assert_str_eq(settings.clang_args.at[i], wanted[i]);
  ck_assert_str_eq(settings.files.at[0], "k.cu");
}
END_TEST

START_TEST(a_value_may_be_the_next_argument) {
  char *texts[] = {"--blockDim", "64", "--json", "k.cu", "--timeout"};
  ck_assert(!parse_all(5, texts));
  ck_assert_str_eq(error, "--timeout: a value is missing (SECONDS)");
  extents_are(settings.options.launch.block, 64, 1, 1);
  ck_assert_uint_eq(settings.files.count, 1);
}
END_TEST

START_TEST(the_plugin_takes_the_same_names_without_dashes) {
  ck_assert(
      settings_parse(&task, &settings, DOOR_PLUGIN, "blockDim=32", &error));
  extents_are(settings.options.launch.block, 32, 1, 1);
  ck_assert(!settings_parse(&task, &settings, DOOR_PLUGIN, "json", &error));
  ck_assert_str_eq(error, "json: an option of the command, not of the plugin");
  ck_assert(!settings_parse(&task, &settings, DOOR_PLUGIN, "k.cu", &error));
}
END_TEST

START_TEST(the_environment_is_split_at_blanks) {
  setenv("GPUVERIFY_FLAGS", "  --blockDim=64\t--timeout 5 ", 1);
  ck_assert(settings_parse_environment(&task, &settings, DOOR_PLUGIN, &error));
  extents_are(settings.options.launch.block, 64, 1, 1);
  ck_assert_uint_eq(settings.options.timeout, 5);
  setenv("GPUVERIFY_FLAGS", "--nosuch", 1);
  ck_assert(!settings_parse_environment(&task, &settings, DOOR_PLUGIN, &error));
  ck_assert(strstr(error, "in GPUVERIFY_FLAGS: unknown option '--nosuch'"));
  unsetenv("GPUVERIFY_FLAGS");
  ck_assert(settings_parse_environment(&task, &settings, DOOR_PLUGIN, &error));
}
END_TEST

START_TEST(legacy_names_are_accepted_where_they_change_nothing) {
  ck_assert(parse("--verify") && parse("--no-inline") &&
            parse("--adversarial-abstraction") && parse("--error-limit=3") &&
            parse("--pointer-bitwidth=64"));
  ck_assert(!parse("--pointer-bitwidth=32"));
  ck_assert(strstr(error, "pointers have 64 bits"));
  ck_assert(!parse("--stop-at-bpl"));
  ck_assert(strstr(error, "no stages to stop at; see --emit-boogie"));
  ck_assert(!parse("--verify-intercepted=3"));
  again();
  ck_assert(parse("--no-infer") && settings.ignored.count == 1);
  ck_assert(strstr(settings.ignored.at[0], "--no-infer is ignored: what"));
  ck_assert(parse("--boogie-file=axioms.bpl") && parse("--cache=file"));
  ck_assert(parse("--equality-abstraction"));
  ck_assert(settings_check(&task, &settings, &error));
  ck_assert(parse("--adversarial-abstraction"));
  refuse_together(
      "--equality-abstraction and --adversarial-abstraction exclude each "
      "other");
}
END_TEST

START_TEST(bugs_are_searched_with_loops_unwound) {
  ck_assert_uint_eq(settings.options.loop_unwind, 0);
  ck_assert(parse("--findbugs"));
  ck_assert_uint_eq(settings.options.loop_unwind, DEFAULT_UNWIND);
  ck_assert(parse("--loop-unwind=5") && parse("--findbugs"));
  ck_assert_uint_eq(settings.options.loop_unwind, 5);
  ck_assert(!parse("--loop-unwind=2000"));
  ck_assert(parse("--only-log") && settings.options.only_log);
}
END_TEST

START_TEST(options_of_vcgen_are_ours) {
  ck_assert(parse("--vcgen-opt=/checkArrays:A,B"));
  ck_assert_str_eq(settings.options.check_arrays, "A,B");
  ck_assert(parse("--vcgen-op=/noBenign"));
  ck_assert(settings.options.no_benign_tolerance);
  ck_assert(parse("--vcgen-opt=/doWarpSync:16"));
  ck_assert_uint_eq(settings.options.warp_sync, 16);
  ck_assert(!parse("--vcgen-opt=/atomics:r"));
  ck_assert(strstr(error, "not an option that is known here"));
}
END_TEST

START_TEST(a_block_fits_the_hardware) {
  ck_assert(parse("k.cu") && parse("--blockDim=32,32"));
  ck_assert(settings_check(&task, &settings, &error));
  again();
  ck_assert(parse("k.cu") && parse("--blockDim=32,33,*"));
  ck_assert(settings_check(&task, &settings, &error));
  ck_assert_uint_eq(settings.warnings.count, 1);
  ck_assert_str_eq(settings.warnings.at[0],
                   "block size 32,33,*: 1056 threads, but a block of a device "
                   "has at most 1024");
  again();
  ck_assert(parse("k.cu") && parse("--blockDim=134217729"));
  refuse_together(
      "block size 134217729,1,1: 134217729 threads, but a block "
      "has at most 134217728");
  again();
  ck_assert(parse("k.cu") && parse("--blockDim=1,1,65"));
  refuse_together("block size 1,1,65: z is at most 64");
  again();
  ck_assert(parse("k.cl") && parse("--local_size=65536"));
  ck_assert(settings_check(&task, &settings, &error));
  again();
  ck_assert_uint_eq(settings.warnings.count, 0);
  again();
  ck_assert(parse("k.cl") && parse("--local_size=512,512,512"));
  ck_assert(settings_check(&task, &settings, &error));
  ck_assert_uint_eq(settings.warnings.count, 1);
  again();
  ck_assert(parse("k.cl") && parse("--local_size=512,512,513"));
  refuse_together(
      "block size 512,512,513: 134479872 threads, but a block has "
      "at most 134217728");
}
END_TEST

START_TEST(a_grid_fits_the_hardware) {
  ck_assert(parse("k.cu") && parse("--gridDim=2147483647,65535,65535"));
  ck_assert(settings_check(&task, &settings, &error));
  again();
  ck_assert(parse("k.cu") && parse("--gridDim=2147483648"));
  refuse_together("grid size 2147483648,1,1: x is at most 2147483647");
  again();
  ck_assert(parse("k.cu") && parse("--gridDim=1,65536"));
  refuse_together("grid size 1,65536,1: y is at most 65535");
  again();
  ck_assert(parse("k.cl") && parse("--num_groups=1,2147483647"));
  ck_assert(settings_check(&task, &settings, &error));
  again();
  ck_assert(parse("k.cl") && parse("--num_groups=1,2147483648"));
  refuse_together("grid size 1,2147483648,1: y is at most 2147483647");
  again();
  ck_assert(parse("k.cl") && parse("--local_size=2") &&
            parse("--global_size=4294967294"));
  ck_assert(settings_check(&task, &settings, &error));
  again();
  ck_assert(parse("k.cl") && parse("--local_size=1") &&
            parse("--global_size=4294967295"));
  refuse_together(
      "global size 4294967295,1,1: 4294967295 groups along x, but at most "
      "2147483647 are counted");
}
END_TEST

START_TEST(sizes_that_exclude_each_other) {
  ck_assert(parse("--global_size=64") && parse("--num_groups=2"));
  refuse_together("--global_size and --num_groups exclude each other");
  again();
  ck_assert(parse("--global_size=100") && parse("--local_size=64"));
  refuse_together(
      "global size 100,1,1 is no multiple of the local size "
      "64,1,1");
  again();
  ck_assert(parse("--global_size=100") && parse("--local_size=*"));
  ck_assert(settings_check(&task, &settings, &error));
}
END_TEST

START_TEST(opencl_sizes_are_not_for_cuda) {
  ck_assert(parse("k.cu") && parse("--global_size=64"));
  refuse_together("k.cu: --global_size is for OpenCL; use --gridDim");
  again();
  ck_assert(parse("k.cu") && parse("--global_offset=1"));
  refuse_together("k.cu: --global_offset is for OpenCL");
  again();
  ck_assert(parse("k.cu") && parse("--opencl"));
  refuse_together("k.cu: --opencl contradicts its suffix");
  again();
  ck_assert(parse("--cuda"));
  refuse("--opencl", "--cuda, --hip and --opencl exclude each other");
}
END_TEST

static void check_ir(const char *option, const char *sentence) {
  ck_assert(parse(option) && parse("k.ll"));
  if (sentence)
    refuse_together(sentence);
  else
    ck_assert(settings_check(&task, &settings, &error));
  again();
}

START_TEST(files_of_ir_make_no_promises) {
  bool *tried = settings.options.tried;
  for (unsigned i = 0; i < PREMISES; i++)
    ck_assert(tried[i]);
  rungs_without_source(tried);
  for (unsigned i = 0; i < PREMISES; i++)
    ck_assert(tried[i] == (i == PREMISE_EXITED_THREADS ||
                           i == PREMISE_ATOMICS_START_AT_ZERO ||
                           i == PREMISE_LOOSE_FENCES));
  again();
  check_ir("--strict", NULL);
  check_ir("--ladder=exited-threads", NULL);
  check_ir("--assume=exited-threads", NULL);
  check_ir("--ladder=sizes-fit",
           "k.ll: sizes-fit is assumed of source files alone");
  check_ir("--assume=no-division-by-zero",
           "k.ll: no-division-by-zero is assumed of source files alone");
}
END_TEST

START_TEST(help_names_every_door_its_own_options) {
  char command[8192] = "", plugin[8192] = "";
  FILE *out = fmemopen(command, sizeof command, "w");
  settings_help(DOOR_COMMAND, out);
  fclose(out);
  out = fmemopen(plugin, sizeof plugin, "w");
  settings_help(DOOR_PLUGIN, out);
  fclose(out);
  ck_assert(strstr(command, "--blockDim=X[,Y[,Z]]"));
  ck_assert(strstr(command, "--json") && strstr(command, "-DNAME"));
  ck_assert(strstr(plugin, "  blockDim=X[,Y[,Z]]"));
  ck_assert(!strstr(plugin, "json") && !strstr(plugin, "Compiling"));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("options");
  tcase_add_checked_fixture(tc, begin, end);
  tcase_add_test(tc, one_size_leaves_the_other_dimensions_one);
  tcase_add_test(tc, brackets_are_optional_and_a_star_is_free);
  tcase_add_test(tc, the_names_of_a_size_are_one_size);
  tcase_add_test(tc, malformed_sizes_are_refused);
  tcase_add_test(tc, only_clang_hurries_and_not_if_it_is_told_a_time);
  tcase_add_test(tc, flags_and_numbers_land_where_they_belong);
  tcase_add_test(tc, a_choice_is_one_of_the_list_in_full);
  tcase_add_test(tc, kernel_arguments_are_numbers_or_free);
  tcase_add_test(tc, words_of_a_struct_are_given_by_their_places);
  tcase_add_test(tc, an_unknown_option_names_the_nearest);
  tcase_add_test(tc, macros_and_folders_take_a_blank_or_none);
  tcase_add_test(tc, a_value_may_be_the_next_argument);
  tcase_add_test(tc, the_plugin_takes_the_same_names_without_dashes);
  tcase_add_test(tc, the_environment_is_split_at_blanks);
  tcase_add_test(tc, legacy_names_are_accepted_where_they_change_nothing);
  tcase_add_test(tc, bugs_are_searched_with_loops_unwound);
  tcase_add_test(tc, options_of_vcgen_are_ours);
  tcase_add_test(tc, a_block_fits_the_hardware);
  tcase_add_test(tc, a_grid_fits_the_hardware);
  tcase_add_test(tc, clang_checks_named_barriers_and_others_when_told_to);
  tcase_add_test(tc, races_are_looked_for_by_the_command_unless_told_not_to);
  tcase_add_test(tc, sizes_that_exclude_each_other);
  tcase_add_test(tc, opencl_sizes_are_not_for_cuda);
  tcase_add_test(tc, files_of_ir_make_no_promises);
  tcase_add_test(tc, help_names_every_door_its_own_options);
  return run_suite(tc, "options");
}
