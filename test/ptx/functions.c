// usage: functions
//
// Intrinsics of NVVM and functions of the device's library: what the runtime
// has for each, held against the instruction that it is.

#include "runtime/machine/machine.h"
#include "test/ptx/forms.h"

#include <stdlib.h>
#include <string.h>

typedef struct Row {
  const char *name, *types, *form;
  bool is_library;
} Row;

static const Row rows[] = {
#define INTRINSIC(name, types, form) {"llvm.nvvm." name, types, form, false},
#define LIBRARY(name, types, form) {"__nv_" name, types, form, true},
#include "test/ptx/functions.def"
};

// Numbers of two words, which test_numbers.c looks at.
static const char *const elsewhere[] = {"llvm.nvvm.d2i.lo", "llvm.nvvm.d2i.hi",
                                        "llvm.nvvm.lohi.i2d"};

// ------------------------------------------------------------------- calls ---

static float as_float(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

static double as_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t of_word(uint64_t value) { return value; }

#define H(n) ((uint16_t)in[n])
#define I(n) ((uint32_t)in[n])
#define L(n) (in[n])
#define F(n) (as_float(in[n]))
#define D(n) (as_double(in[n]))
#define SIGNATURE(text, result, convert, parameters, ...)                      \
  if (!strcmp(types, text))                                                    \
    return convert(((result(*) parameters)function)(__VA_ARGS__));

static uint64_t call(const char *types, HostFunction function,
                     const uint64_t *in) {
  SIGNATURE("f:f", float, of_float, (float), F(0))
  SIGNATURE("f:ff", float, of_float, (float, float), F(0), F(1))
  SIGNATURE("f:fff", float, of_float, (float, float, float), F(0), F(1), F(2))
  SIGNATURE("d:d", double, of_double, (double), D(0))
  SIGNATURE("d:dd", double, of_double, (double, double), D(0), D(1))
  SIGNATURE("d:ddd", double, of_double, (double, double, double), D(0), D(1),
            D(2))
  SIGNATURE("f:d", float, of_float, (double), D(0))
  SIGNATURE("f:i", float, of_float, (uint32_t), I(0))
  SIGNATURE("f:l", float, of_float, (uint64_t), L(0))
  SIGNATURE("f:h", float, of_float, (uint16_t), H(0))
  SIGNATURE("d:i", double, of_double, (uint32_t), I(0))
  SIGNATURE("d:l", double, of_double, (uint64_t), L(0))
  SIGNATURE("h:f", uint16_t, of_word, (float), F(0))
  SIGNATURE("i:f", uint32_t, of_word, (float), F(0))
  SIGNATURE("l:f", uint64_t, of_word, (float), F(0))
  SIGNATURE("i:d", uint32_t, of_word, (double), D(0))
  SIGNATURE("l:d", uint64_t, of_word, (double), D(0))
  SIGNATURE("i:i", uint32_t, of_word, (uint32_t), I(0))
  SIGNATURE("i:l", uint32_t, of_word, (uint64_t), L(0))
  SIGNATURE("l:l", uint64_t, of_word, (uint64_t), L(0))
  SIGNATURE("i:ii", uint32_t, of_word, (uint32_t, uint32_t), I(0), I(1))
  SIGNATURE("l:ll", uint64_t, of_word, (uint64_t, uint64_t), L(0), L(1))
  SIGNATURE("i:iii", uint32_t, of_word, (uint32_t, uint32_t, uint32_t), I(0),
            I(1), I(2))
  printf("FAIL no call of %s\n", types);
  exit(1);
}

// -------------------------------------------------------------------- rows ---

static char *with_rounding(char *to, size_t size, const char *text,
                           char letter) {
  snprintf(to, size, "%s", text);
  char *at = strchr(to, '%');
  if (at)
    *at = letter;
  return to;
}

static bool check(Task *task, const Row *row, unsigned rounding) {
  static uint64_t got[2 * TUPLES];
  char name[64], text[64];
  const char *letters = row->is_library ? "nzdu" : "nzmp";
  with_rounding(name, sizeof name, row->name, letters[rounding]);
  with_rounding(text, sizeof text, row->form, "nzmp"[rounding]);
  Form form = form_of(text, (unsigned)strlen(row->types) - 2);
  const Builtin *builtin = builtin_find(task, name);
  if (!builtin || !builtin->function) {
    printf("FAIL there is no %s\n", name);
    return false;
  }
  for (unsigned t = 0; t < TUPLES; t++) {
    uint64_t in[MOST_SOURCES];
    fill(&form, t, in);
    got[2 * t] = call(row->types, builtin->function, in);
  }
  bool is_right = check_form(&form, 0, got, TUPLES, true);
  if (!is_right)
    printf("FAIL %s\n", name);
  return is_right;
}

static bool is_tested(const char *name) {
  char own[64];
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
    if (!strcmp(elsewhere[i], name))
      return true;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (unsigned n = 0; n < 4; n++)
      if (!strcmp(with_rounding(own, sizeof own, rows[i].name, "nzmp"[n]),
                  name))
        return true;
  return false;
}

// What the runtime has and no row is about.
static unsigned count_untested(void) {
  static const char *const names[] = {
#define ASSEMBLY(text, function)
#define ROW(name, function) "llvm.nvvm." name,
#define ROW_4(name, type, function) "llvm.nvvm." name ".rn" type,
#define ROW_4_FTZ(name, type, function) "llvm.nvvm." name ".rn" type,
#include "runtime/machine/builtins_float.def"
  };
  unsigned count = 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!is_tested(names[i])) {
      printf("FAIL nothing here says what %s is\n", names[i]);
      count++;
    }
  return count;
}

int main(void) {
  Task task = {0};
  unsigned passed = 0, tried = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (unsigned n = 0; n < (strchr(rows[i].name, '%') ? 4 : 1); n++) {
      passed += check(&task, &rows[i], n);
      tried++;
    }
  bool is_good = passed == tried && !count_untested();
  printf("%u functions right of %u\n", passed, tried);
  return !is_good;
}
