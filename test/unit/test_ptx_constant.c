// Constant expressions of PTX.  The values are those that ptxas gives to the
// variables that are initialised with them.

#include "ptx/constant.h"
#include "test/unit/suite.h"

#include <string.h>

// The whole text is one.
static bool read_constant(const char *text, PtxConstant *constant) {
  return ptx_constant_at(&text, constant) && !*text;
}

typedef struct Case {
  const char *text;
  uint64_t value;
} Case;

static const Case integers[] = {
    {"16*4", 64},
    {"1+2", 3},
    {"0b101", 5},
    {"010", 8},
    {"0x10U", 16},
    {"+5", 5},
    {" ( 7 ) ", 7},
    {"-7 / 3", (uint64_t)-2},
    {"-7 % 3", 0}, // of unsigned numbers
    {"(7 % 4)-5 < 0", 0},
    {"-7 >> 1", (uint64_t)-4},
    {"-7U >> 1", UINT64_MAX / 2 - 3},
    {"1<<63", UINT64_C(1) << 63},
    {"1 << 4 + 1", 32},
    {"1 | 6 & 2 ^ 5", 7},
    {"(0xf0 & 0xcc) | 0xaa", 0xea},
    {"!5", 0},
    {"!0", 1},
    {"~5", (uint64_t)-6},
    {"(~5 < 0)", 0},
    {"-1 < 0U", 0},
    {"(5 & 3) - 4 < 0", 1},
    {"(!5 - 1) < 0", 1},
    {"0xffffffffffffffff < 0", 0},
    {"((.s64) 0xffffffffffffffff) < 0", 1},
    {"(.u64)1 - 2 > 0", 1},
    {"7 && 0 || 3", 1},
    {"3 > 2 > 1", 0},
    {"3 >= 3", 1},
    {"3 <= 2", 0},
    {"7 == 7", 1},
    {"7 != 7", 0},
    {"1.5 < 2.0", 1},
    {"2 - -3", 5},
    {"1 ? 7 : 9", 7},
    {"0 ? 7 : 0 ? 8 : 9", 9},
    {"18446744073709551615", UINT64_MAX},
};

START_TEST(integers_are_evaluated) {
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
    PtxConstant constant;
    uint64_t image = 0;
    bool is_read = read_constant(integers[i].text, &constant) &&
                   ptx_constant_as(&constant, 's', 64, &image);
    ck_assert_msg(is_read, "'%s' is not read", integers[i].text);
    ck_assert_msg(image == integers[i].value, "'%s' is %llx", integers[i].text,
                  (unsigned long long)image);
  }
}
END_TEST

static const char *const wrong[] = {
    "",
    "16*",
    "08",
    "0b2",
    "0x",
    "1x",
    "4 4",
    "1<<64",
    "1/0",
    "5 % 0",
    "(1",
    "1 ? 2",
    "a+1",
    "1.5 & 2",
    "1.5 + 1",
    "0f3f8000",
    "0f3f8000000",
    "-0f3f800000",
    "0d3ff",
    "1e",
    "1 ? 2 : 3U",
    "18446744073709551616",
    "0x1g",
    "1,2",
};

START_TEST(what_is_no_constant_is_not_read) {
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    PtxConstant constant;
    ck_assert_msg(!read_constant(wrong[i], &constant), "'%s' is read",
                  wrong[i]);
  }
}
END_TEST

// However deep, the stack of the reader is not at its end.
START_TEST(nesting_has_a_bound) {
  enum { MANY = 1 << 20 };
  static char text[2 * MANY + 2];
  PtxConstant constant;
  memset(text, '(', MANY);
  text[MANY] = '1';
  memset(text + MANY + 1, ')', MANY);
  ck_assert(!read_constant(text, &constant));
  memset(text, '~', MANY);
  text[MANY + 1] = '\0';
  ck_assert(!read_constant(text, &constant));
  ck_assert(
      read_constant("((((((((((((((((~~~~~~~~1))))))))))))))))", &constant));
}
END_TEST

typedef struct Use {
  const char *text;
  char kind;
  unsigned bits;
  uint64_t image; // NEVER: such an instruction takes none
} Use;

enum { NEVER = 12345 };

static const Use uses[] = {
    {"1.5", 'f', 32, 0x3fc00000},
    {"1.5", 'f', 64, 0x3ff8000000000000},
    {"1e3", 'f', 32, 0x447a0000},
    {"5.", 'f', 32, 0x40a00000},
    {".5", 'f', 32, 0x3f000000},
    {"-1.5", 'f', 32, 0xbfc00000},
    {"1.5*2.0+1.0", 'f', 64, 0x4010000000000000},
    {"0f3f800000", 'f', 32, 0x3f800000},
    {"0f3f800000", 'f', 64, 0x3ff0000000000000},
    {"0F7fc00001", 'f', 32, 0x7fc00001},
    {"0d4000000000000000", 'f', 32, 0x40000000},
    {"0d4000000000000000", 'f', 64, 0x4000000000000000},
    {"0f3f800000", 'b', 32, 0x3f800000},
    {"0d4000000000000000", 'b', 64, 0x4000000000000000},
    {"7", 'b', 32, 7},
    {"5", 'p', 1, 1},
    {"1", 'f', 32, NEVER},
    {"1.5", 's', 32, NEVER},
    {"1.5", 'b', 32, NEVER},
    {"0f3f800000", 'u', 32, NEVER},
    {"0f3f800000", 'b', 64, NEVER},
    {"0d4000000000000000", 'b', 32, NEVER},
    {"1.5", 'f', 16, NEVER},
    {"0x3c00", 'f', 16, NEVER},
};

START_TEST(an_instruction_takes_what_fits) {
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
    PtxConstant constant;
    uint64_t image = NEVER;
    ck_assert(read_constant(uses[i].text, &constant));
    if (!ptx_constant_as(&constant, uses[i].kind, uses[i].bits, &image))
      image = NEVER;
    ck_assert_msg(image == uses[i].image, "'%s' as %c%u is %llx", uses[i].text,
                  uses[i].kind, uses[i].bits, (unsigned long long)image);
  }
}
END_TEST

START_TEST(a_constant_ends_where_it_ends) {
  const char *text = "4*4, %r1";
  PtxConstant constant;
  ck_assert(ptx_constant_at(&text, &constant) && constant.bits == 16);
  ck_assert_str_eq(text, ", %r1");
  ck_assert(ptx_starts_constant("-4") && ptx_starts_constant("(.u64)1"));
  ck_assert(ptx_starts_constant(".5") && !ptx_starts_constant("!%p1"));
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("ptx_constant");
  tcase_add_test(tc, integers_are_evaluated);
  tcase_add_test(tc, what_is_no_constant_is_not_read);
  tcase_add_test(tc, nesting_has_a_bound);
  tcase_add_test(tc, an_instruction_takes_what_fits);
  tcase_add_test(tc, a_constant_ends_where_it_ends);
  return run_suite(tc, "ptx_constant");
}
