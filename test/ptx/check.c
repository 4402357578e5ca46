// What was computed, held against the references.

#include "test/ptx/forms.h"

#include <math.h>
#include <string.h>

static Reference *const references[] = {
    reference_of_statements,  reference_of_videos, reference_of_choices,
    reference_of_conversions, reference_of_bits,   reference_of_integers,
    reference_of_floats};

bool result_of(const Form *form, const uint64_t *in, Result *result) {
  for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
    *result = (Result){0};
    if (references[i](form, in, result))
      return true;
  }
  return false;
}

void fill(const Form *form, unsigned tuple, uint64_t *in) {
  for (unsigned i = 0; i < MOST_SOURCES; i++) {
    Type type = i < form->sources ? form->operands[i] : (Type){'p', 1, 1};
    in[i] = edge(kind_of(type), place_of(tuple, i));
  }
}

// -------------------------------------------------------------- comparison ---

static double double_of(Type type, uint64_t bits) {
  static const Type wide = {'f', 64, 1};
  uint64_t image = bits_of(wide, real_of(type, bits), MODE_NEAREST);
  double value;
  memcpy(&value, &image, sizeof value);
  return value;
}

// The manual's bounds differ; all are far below these.
static bool is_near(Type type, uint64_t got, uint64_t expected) {
  double a = double_of(type, got), b = double_of(type, expected);
  double error = type.bits == 16 ? 0x1p-6 : 0x1p-18;
  double least = type.kind == 'f' && type.bits == 16 ? 0x1p-13 : 0x1p-125;
  if (isnan(a) || isnan(b) || isinf(b))
    return a == b || (isnan(a) && isnan(b));
  return fabs(a - b) <= error * fabs(b) + least;
}

static bool is_nan(Type type, uint64_t bits) {
  return real_of(type, bits).class == NOT_A_NUMBER;
}

static bool is_lane_right(const Result *result, Type type, uint64_t got,
                          uint64_t expected) {
  got = cut((Wide)got, type.bits);
  expected = cut((Wide)expected, type.bits);
  if (got == expected)
    return true;
  if (result->is_approximate)
    return is_near(type, got, expected);
  return result->is_any_nan && is_nan(type, got) && is_nan(type, expected);
}

static bool is_right(const Form *form, const Result *result,
                     const uint64_t *got) {
  Type type = form->result;
  if (result->is_open)
    return true;
  if (got[0] == result->value && got[1] == result->second)
    return true;
  if (!is_float(type) && has(form, "tf32"))
    type = (Type){'f', 32, 1};
  if (!is_float(type) || got[1] != result->second)
    return false;
  for (unsigned n = 0; n < type.lanes; n++)
    if (!is_lane_right(result, type, got[0] >> n * type.bits,
                       result->value >> n * type.bits))
      return false;
  return true;
}

static void tell(const Form *form, const uint64_t *in, const uint64_t *got,
                 const Result *result) {
  printf("FAIL %s (", form->text);
  for (unsigned i = 0; i < form->sources; i++)
    printf("%s%llx", i ? ", " : "", (unsigned long long)in[i]);
  printf(") is %llx %llx, not %llx %llx\n", (unsigned long long)got[0],
         (unsigned long long)got[1], (unsigned long long)result->value,
         (unsigned long long)result->second);
}

// ------------------------------------------------------------------- forms ---

bool check_form(const Form *form, size_t number, const uint64_t *got,
                unsigned count, bool of_any_nan) {
  unsigned wrong = 0;
  for (unsigned t = 0; t < count; t++, got += 2) {
    uint64_t in[MOST_SOURCES];
    Result result;
    fill(form, t < TUPLES ? t : literal_tuple(number, t - TUPLES), in);
    if (!result_of(form, in, &result)) {
      printf("FAIL %s: nothing here says what it gives\n", form->text);
      return false;
    }
    result.is_any_nan |= of_any_nan;
    if (!is_right(form, &result, got) && wrong++ < 2)
      tell(form, in, got, &result);
  }
  return !wrong;
}
