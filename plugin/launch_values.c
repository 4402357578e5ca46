// The contents of memory in launch files, and elements of it as numbers.

#define _POSIX_C_SOURCE 200809L

#include "plugin/launch.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const Element elements[] = {
    {"i32", 4, false, true}, {"u32", 4, false, false}, {"f32", 4, true, true},
    {"f64", 8, true, true},  {"i64", 8, false, true},  {"u64", 8, false, false},
    {"i16", 2, false, true}, {"u16", 2, false, false}, {"i8", 1, false, true},
    {"u8", 1, false, false}, {"f16", 2, true, true},   {"bf16", 2, true, true}};

const Element *element_named(const char *name) {
  for (size_t i = 0; name && i < sizeof elements / sizeof *elements; i++)
    if (!strcmp(elements[i].name, name))
      return &elements[i];
  return NULL;
}

const Element *element_for(FieldKind kind, unsigned bytes, bool is_unsigned) {
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
    const Element *element = &elements[i];
    if (element->bytes == bytes && element->is_float == (kind == FIELD_FLOAT) &&
        element->is_signed == (!is_unsigned || element->is_float))
      return element;
  }
  return NULL;
}

static void put_double(const Element *element, char *at, double number) {
  float single = (float)number;
  uint16_t half =
      element_is_brain(element) ? brain_rounded(number) : half_rounded(number);
  if (element->bytes == 8)
    memcpy(at, &number, sizeof number);
  else if (element->bytes == 4)
    memcpy(at, &single, sizeof single);
  else
    memcpy(at, &half, sizeof half);
}

// --------------------------------------------------------------- numbers ---

static bool read_float(const json_t *value, const char *text, double *number) {
  char *end = NULL;
  *number = text ? strtod(text, &end) : json_number_value(value);
  return text ? end != text && !*end : json_is_number(value);
}

static bool read_text(const char *text, bool *is_negative, uint64_t *bits) {
  char *end = NULL;
  errno = 0;
  *is_negative = *text == '-';
  *bits =
      *is_negative ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
  return end != text && !*end && !errno;
}

// 1e6 is a whole number, too.
static bool read_real(double number, bool *is_negative, uint64_t *bits) {
  if (number != floor(number) || !(fabs(number) < 0x1p63))
    return false;
  *is_negative = number < 0;
  *bits = (uint64_t)(int64_t)number;
  return true;
}

static bool read_whole(const json_t *value, const char *text, bool *is_negative,
                       uint64_t *bits) {
  *is_negative = false;
  if (text)
    return read_text(text, is_negative, bits);
  if (json_is_real(value))
    return read_real(json_real_value(value), is_negative, bits);
  *bits = json_is_boolean(value) ? json_is_true(value)
                                 : (uint64_t)json_integer_value(value);
  *is_negative = json_is_integer(value) && json_integer_value(value) < 0;
  return json_is_integer(value) || json_is_boolean(value);
}

// As bits or as a number: an i8 may be 255, and a u8 -1.
static bool fits(uint64_t bits, bool is_negative, unsigned bytes) {
  unsigned width = 8 * bytes;
  if (is_negative)
    return bits >= 0 - (UINT64_C(1) << (width - 1));
  return width == 64 || bits >> width == 0;
}

bool element_read(const json_t *value, const Element *element, char *at) {
  const char *text = json_string_value(value);
  bool is_negative;
  uint64_t bits;
  double number;
  if (element->is_float) {
    if (!read_float(value, text, &number))
      return false;
    put_double(element, at, number);
    return true;
  }
  if (!read_whole(value, text, &is_negative, &bits) ||
      !fits(bits, is_negative, element->bytes))
    return false;
  memcpy(at, &bits, element->bytes);
  return true;
}

// -------------------------------------------------------------- contents ---

static void put_integer(const Element *element, char *at, uint64_t value) {
  if (element->is_float)
    put_double(element, at, (double)value);
  else
    memcpy(at, &value, element->bytes);
}

// Steele, Lea and Flood's SplitMix: the same numbers on every machine.
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static bool fill_random(Reading *reading, const json_t *how,
                        const Element *element, char *at, uint64_t count) {
  uint64_t state = 0, below = 100;
  if (!launch_read_whole(reading, how, "random", 0, INT64_MAX, &state) ||
      !launch_read_whole(reading, how, "below", 1, INT64_MAX, &below))
    return false;
  for (uint64_t i = 0; i < count; i++)
    put_integer(element, at + i * element->bytes, next_random(&state) % below);
  return true;
}

static bool fill_file(Reading *reading, const char *name, char *at,
                      uint64_t bytes) {
  FILE *in = name ? fopen(name, "rb") : NULL;
  if (!name)
    return fail(reading, "\"file\" is the name of a file");
  if (!in)
    return fail(reading, "%s: %s", name, strerror(errno));
  size_t count = fread(at, 1, bytes, in);
  int trouble = ferror(in) ? errno : 0;
  fclose(in);
  if (trouble)
    return fail(reading, "%s: %s", name, strerror(trouble));
  return count == bytes ||
         fail(reading, "%s has %zu bytes, not %" PRIu64, name, count, bytes);
}

static bool fill_list(Reading *reading, const json_t *list,
                      const Element *element, char *at, uint64_t count) {
  if (json_array_size(list) > count)
    return fail(reading, "a list of %zu values for %" PRIu64 " elements",
                json_array_size(list), count);
  for (size_t i = 0; i < json_array_size(list); i++)
    if (!element_read(json_array_get(list, i), element,
                      at + i * element->bytes))
      return fail(reading, "element %zu of a list is no %s", i, element->name);
  return true;
}

static bool fill_alike(Reading *reading, const json_t *all,
                       const Element *element, char *at, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    if (!element_read(all, element, at + i * element->bytes))
      return fail(reading, "\"all\" is no %s", element->name);
  return true;
}

static bool fill_by_object(Reading *reading, const json_t *how,
                           const Element *element, char *at, uint64_t count) {
  static const char *const known[][3] = {
      {"random", "below"}, {"file"}, {"all"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const json_t *value = json_object_get(how, known[i][0]);
    if (!value)
      continue;
    if (!launch_check_members(reading, how, "the contents of memory", known[i]))
      return false;
    return i == 0   ? fill_random(reading, how, element, at, count)
           : i == 1 ? fill_file(reading, json_string_value(value), at,
                                count * element->bytes)
                    : fill_alike(reading, value, element, at, count);
  }
  return fail(reading,
              "contents are \"zero\", \"iota\", a list, {\"all\": ..}, "
              "{\"random\": ..} or {\"file\": ..}");
}

bool launch_fill(Reading *reading, const json_t *how, const Element *element,
                 char *at, uint64_t count) {
  const char *word = json_string_value(how);
  if (!how || (word && !strcmp(word, "zero")))
    return true;
  if (json_is_array(how))
    return fill_list(reading, how, element, at, count);
  if (!word || strcmp(word, "iota") != 0)
    return fill_by_object(reading, how, element, at, count);
  for (uint64_t i = 0; i < count; i++)
    put_integer(element, at + i * element->bytes, i);
  return true;
}
