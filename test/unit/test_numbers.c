// NVVM's intrinsics for numbers, at the places where rounding, range, zeros,
// subnormal numbers and NaN make a difference.

#include "runtime/machine/machine.h"
#include "test/unit/suite.h"

#include <float.h>
#include <math.h>

static HostFunction function(const char *name) {
  const Builtin *builtin = builtin_of_numbers(name);
  ck_assert_msg(builtin != NULL, "there is no %s", name);
  return builtin->function;
}

#define CALL(name, result, types, ...)                                         \
  (((result(*) types)function("llvm.nvvm." name))(__VA_ARGS__))
#define FLOAT_1(name, a) CALL(name, float, (float), a)
#define FLOAT_2(name, a, b) CALL(name, float, (float, float), a, b)
#define TO(type, name, a) CALL(name, type, (double), a)
#define OF_FLOAT(type, name, a) CALL(name, type, (float), a)

START_TEST(results_are_rounded_as_asked) {
  float tiny = 1e-10f;
  ck_assert(FLOAT_2("add.rn.f", 1, tiny) == 1);
  ck_assert(FLOAT_2("add.rz.f", 1, tiny) == 1);
  ck_assert(FLOAT_2("add.rm.f", 1, tiny) == 1);
  ck_assert(FLOAT_2("add.rp.f", 1, tiny) == nextafterf(1, 2));
  ck_assert(FLOAT_2("add.rz.f", -1, -tiny) == -1);
  ck_assert(FLOAT_2("add.rm.f", -1, -tiny) == -nextafterf(1, 2));
  ck_assert(FLOAT_2("div.rm.f", 1, 3) < FLOAT_2("div.rp.f", 1, 3));
  ck_assert(CALL("div.rm.d", double, (double, double), 1, 3) <
            CALL("div.rp.d", double, (double, double), 1, 3));
  ck_assert(FLOAT_1("sqrt.rm.f", 2) < FLOAT_1("sqrt.rp.f", 2));
  ck_assert(FLOAT_1("rcp.rm.f", 3) < FLOAT_1("rcp.rp.f", 3));
  ck_assert(CALL("i2f.rz", float, (int32_t), 16777219) == 16777218);
  ck_assert(CALL("i2f.rp", float, (int32_t), 16777219) == 16777220);
  ck_assert(CALL("i2f.rn", float, (int32_t), INT32_MAX) == 2147483648.0f);
  ck_assert(TO(float, "d2f.rz", 1e300) == FLT_MAX);
  ck_assert(isinf(TO(float, "d2f.rn", 1e300)));
  ck_assert(FLOAT_2("add.rn.f", 1, tiny) == 1); // and the unit is as it was
}
END_TEST

START_TEST(integers_are_the_nearest_that_there_are) {
  ck_assert_int_eq(OF_FLOAT(int32_t, "f2i.rz", -1.5f), -1);
  ck_assert_int_eq(OF_FLOAT(int32_t, "f2i.rm", -1.5f), -2);
  ck_assert_int_eq(OF_FLOAT(int32_t, "f2i.rp", 1.5f), 2);
  ck_assert_int_eq(OF_FLOAT(int32_t, "f2i.rn", 2.5f), 2);
  ck_assert_int_eq(OF_FLOAT(int32_t, "f2i.rn", 1e20f), INT32_MAX);
  ck_assert_int_eq(OF_FLOAT(int32_t, "f2i.rn", -1e20f), INT32_MIN);
  ck_assert_uint_eq(OF_FLOAT(uint32_t, "f2ui.rz", -5.0f), 0);
  ck_assert_uint_eq(OF_FLOAT(uint32_t, "f2ui.rz", 4294967040.0f), 4294967040);
  ck_assert_uint_eq(TO(uint64_t, "d2ull.rz", 1e30), UINT64_MAX);
  ck_assert_int_eq(TO(int64_t, "d2ll.rz", -1e30), INT64_MIN);
  ck_assert_int_eq(TO(int64_t, "d2ll.rn", 9007199254740993.0),
                   9007199254740992);
  ck_assert_int_eq(OF_FLOAT(int32_t, "f2i.rz", NAN), 0);
  ck_assert_int_eq(TO(int32_t, "d2i.rz", NAN), INT32_MIN);
  ck_assert_uint_eq(OF_FLOAT(uint64_t, "f2ull.rz", NAN), UINT64_C(1) << 63);
}
END_TEST

START_TEST(subnormal_numbers_are_kept_or_flushed) {
  float smallest = 1e-45f;
  ck_assert(FLOAT_2("add.rn.f", smallest, 0) == smallest);
  ck_assert(FLOAT_2("add.rn.ftz.f", smallest, 0) == 0);
  ck_assert(FLOAT_2("mul.rn.ftz.f", FLT_MIN, 0.5f) == 0);
  ck_assert(signbit(FLOAT_1("fabs.f32", -0.0f)) == 0);
  ck_assert(signbit(FLOAT_2("mul.rn.ftz.f", -FLT_MIN, 0.5f)) != 0);
}
END_TEST

START_TEST(zeros_and_nans_have_their_order) {
  ck_assert(!signbit(FLOAT_2("fmax.f", -0.0f, 0.0f)));
  ck_assert(!signbit(FLOAT_2("fmax.f", 0.0f, -0.0f)));
  ck_assert(signbit(FLOAT_2("fmin.f", 0.0f, -0.0f)));
  ck_assert(FLOAT_2("fmin.f", NAN, 3) == 3);
  ck_assert(FLOAT_2("fmax.f", 3, NAN) == 3);
  ck_assert(FLOAT_1("saturate.f", NAN) == 0);
  ck_assert(FLOAT_1("saturate.f", 7) == 1);
  ck_assert(FLOAT_1("saturate.f", -7) == 0);
}
END_TEST

#define WORDS_3(name, a, b, c)                                                 \
  CALL(name, uint32_t, (uint32_t, uint32_t, uint32_t), a, b, c)

START_TEST(words_and_bytes) {
  ck_assert_uint_eq(WORDS_3("prmt", 0x33221100, 0x77665544, 0x7531),
                    0x77553311);
  ck_assert_uint_eq(WORDS_3("prmt", 0x00008000, 0, 0x9988), 0xffff0000);
  ck_assert_uint_eq(WORDS_3("sad.i", (uint32_t)-5, 7, 100), 112);
  ck_assert_uint_eq(WORDS_3("sad.ui", (uint32_t)-5, 7, 0), (uint32_t)-12);
  ck_assert_int_eq(
      CALL("mulhi.ll", int64_t, (int64_t, int64_t), INT64_MIN, INT64_MIN),
      INT64_C(1) << 62);
  ck_assert(CALL("lohi.i2d", double, (uint32_t, uint32_t), 0, 0x3ff00000) == 1);
  ck_assert_uint_eq(TO(uint32_t, "d2i.hi", -2.0), 0xc0000000);
}
END_TEST

int main(void) {
  TCase *tc = tcase_create("numbers");
  tcase_add_test(tc, results_are_rounded_as_asked);
  tcase_add_test(tc, integers_are_the_nearest_that_there_are);
  tcase_add_test(tc, subnormal_numbers_are_kept_or_flushed);
  tcase_add_test(tc, zeros_and_nans_have_their_order);
  tcase_add_test(tc, words_and_bytes);
  return run_suite(tc, "numbers");
}
