// What counts for a kernel in a module's text, and what does not.

#define _POSIX_C_SOURCE 200809L

#include "project/project.h"
#include "test/unit/suite.h"

#include <stdlib.h>
#include <string.h>

static Task task;

static const char module[] =
    "target triple = \"nvptx64-nvidia-cuda\"\n"
    "@counter = addrspace(1) global i32 0, align 4, !dbg !9\n"
    "@other = addrspace(1) global i32 0, align 4\n"
    "@.str = private unnamed_addr constant [2 x i8] c\"a\\00\", align 1\n"
    "@_ZZ1kiE4tile = internal addrspace(3) global [64 x i32] undef, align 4\n"
    "define ptx_kernel void @_Z1ki(i32 %n) #0 !dbg !3 {\n"
    "  %x = load i32, ptr addrspace(1) @counter, align 4, !dbg !5\n"
    "  call void @helper(ptr @.str), !dbg !6\n"
    "  store i32 %x, ptr addrspace(3) @_ZZ1kiE4tile, align 4, !dbg !5\n"
    "  ret void, !dbg !6\n"
    "}\n"
    "define void @helper(ptr %p) #1 {\n"
    "  ret void\n"
    "}\n"
    "define void @apart() #1 {\n"
    "  call void @helper(ptr @.str)\n"
    "  store i32 1, ptr addrspace(1) @other, align 4\n"
    "  ret void\n"
    "}\n"
    "attributes #0 = { convergent }\n"
    "attributes #1 = { nounwind }\n"
    "!llvm.dbg.cu = !{!1}\n"
    "!nvvm.annotations = !{!7, !8}\n"
    "!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !2, "
    "producer: \"clang\", emissionKind: FullDebug, globals: !10)\n"
    "!2 = !DIFile(filename: \"k.cu\", directory: \"/p\", checksumkind: "
    "CSK_MD5, "
    "checksum: \"00\")\n"
    "!3 = distinct !DISubprogram(name: \"k\", linkageName: \"_Z1ki\", scope: "
    "!2, file: !2, line: 4, type: !4, scopeLine: 4, unit: !1)\n"
    "!4 = !DISubroutineType(types: !10)\n"
    "!5 = !DILocation(line: 5, column: 3, scope: !3)\n"
    "!6 = !DILocation(line: 6, column: 3, scope: !3)\n"
    "!7 = !{ptr @_Z1ki, !\"maxntidx\", i32 64}\n"
    "!8 = !{ptr @apart, !\"maxntidx\", i32 32}\n"
    "!9 = !{!\"mark\"}\n"
    "!10 = !{}\n";

// The module with `from` as `to`, each time it is there.
static const char *with(const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  if (!at)
    return text;
  return arena_printf(&task.arena, "%.*s%s%s", (int)(at - text), text, to,
                      with(at + strlen(from), from, to));
}

static const char *print(const char *text, const char *kernel,
                         PlaceTable *places) {
  char *printed = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&printed, &size);
  ir_text_print(&task, ir_text_read(&task, text), kernel, "/p", places, out);
  fclose(out);
  const char *copy = arena_copy(&task.arena, printed);
  free(printed);
  return copy;
}

static bool is_same(const char *text) {
  PlaceTable places = {0}, others = {0};
  return !strcmp(print(module, "_Z1ki", &places),
                 print(text, "_Z1ki", &others));
}

START_TEST(places_are_numbers) {
  PlaceTable places = {0}, moved = {0};
  const char *text = with(module, "line: 6", "line: 60");
  const char *before = print(module, "_Z1ki", &places);
  ck_assert_str_eq(before, print(text, "_Z1ki", &moved));
  ck_assert_uint_eq(places.at.count, moved.at.count);
  long five = place_table_find(&task.arena, &places, (Loc){"k.cu", 5, 3});
  long six = place_table_find(&task.arena, &places, (Loc){"k.cu", 6, 3});
  ck_assert_int_ne(six, NO_WORD);
  ck_assert_uint_eq(moved.at.at[six].line, 60);
  ck_assert_uint_eq(moved.at.at[five].line, 5);
  ck_assert(!is_same(with(module, "line: 6", "line: 5")));
}
END_TEST

START_TEST(files_count_by_whose_they_are) {
  ck_assert(is_same(with(module, "k.cu", "m.cu")));
  ck_assert(!is_same(with(module, "\"k.cu\"", "\"/usr/lib/clang/22/k.h\"")));
  ck_assert(is_same(with(module, "checksum: \"00\"", "checksum: \"01\"")));
}
END_TEST

START_TEST(the_rest_of_the_module_does_not_count) {
  ck_assert(is_same(with(module, "store i32 1,", "store i32 2,")));
  ck_assert(is_same(with(module, "i32 32}", "i32 33}")));
  ck_assert(!is_same(with(module, "i32 64}", "i32 65}")));
  ck_assert(is_same(with(module, "producer: \"clang\"", "producer: \"c\"")));
}
END_TEST

START_TEST(what_the_kernel_leads_to_counts) {
  ck_assert(!is_same(with(module, "(ptr %p) #1 {\n", "(ptr %p) #1 {\n\n")));
  ck_assert(!is_same(with(module, "{ nounwind }", "{ convergent }")));
  ck_assert(!is_same(with(module, "{ convergent }", "{ nounwind }")));
  ck_assert(!is_same(with(module, "!\"mark\"", "!\"remark\"")));
  ck_assert(!is_same(with(module, "c\"a\\00\"", "c\"b\\00\"")));
  ck_assert(!is_same(with(module, "nvptx64", "nvptx")));
  ck_assert(!is_same(with(module, "i32 %n", "i32 %m")));
}
END_TEST

START_TEST(who_names_a_variable_counts) {
  const char *writes =
      with(module, "@other, align 4\n  ret", "@counter, align 4\n  ret");
  const char *says = with(module, "call void @helper(ptr @.str)\n",
                          "call void asm \"st.u32 [counter], 0;\", \"\"()\n");
  const char *after_tab =
      with(module, "call void @helper(ptr @.str)\n",
           "call void asm \"st.u32\\09counter-4, 0;\", \"\"()\n");
  ck_assert(!is_same(after_tab));
  ck_assert(!is_same(writes));
  ck_assert(!is_same(says));
  ck_assert(is_same(with(module, "call void @helper(ptr @.str)\n",
                         "call void asm \"st.u32 [others], 0;\", \"\"()\n")));
}
END_TEST

START_TEST(its_own_name_does_not_count) {
  PlaceTable places = {0}, others = {0};
  const char *text = with(module, "1kiE4", "2mmiE4");
  text = with(with(text, "_Z1ki", "_Z2mmi"), "name: \"k\"", "name: \"mm\"");
  ck_assert_str_eq(print(module, "_Z1ki", &places),
                   print(text, "_Z2mmi", &others));
  ck_assert(!is_same(with(module, "@helper", "@helped")));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("fingerprint");
  tcase_add_test(tc, places_are_numbers);
  tcase_add_test(tc, files_count_by_whose_they_are);
  tcase_add_test(tc, the_rest_of_the_module_does_not_count);
  tcase_add_test(tc, what_the_kernel_leads_to_counts);
  tcase_add_test(tc, who_names_a_variable_counts);
  tcase_add_test(tc, its_own_name_does_not_count);
  return run_suite(tc, "fingerprint");
}
