// Elements of buffers: as text, and compared with what is expected.

#include "report/runs.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

bool element_is_brain(const Element *element) { return *element->name == 'b'; }

static double get_double(const Element *element, const char *at) {
  double number;
  float single;
  uint16_t half;
  memcpy(&half, at, sizeof half);
  if (element->bytes == 2)
    return element_is_brain(element) ? brain_value(half) : half_value(half);
  memcpy(&single, at, sizeof single);
  if (element->bytes == 4)
    return (double)single;
  memcpy(&number, at, sizeof number);
  return number;
}

const char *element_text(Task *task, const Element *element, const char *at) {
  static const int digits[] = {[2] = 4, [4] = 7, [8] = 15};
  Arena *arena = &task->arena;
  uint64_t bits = 0;
  if (element->is_float)
    return arena_printf(arena, "%.*g", digits[element->bytes],
                        get_double(element, at));
  memcpy(&bits, at, element->bytes);
  unsigned unused = 64 - 8 * element->bytes;
  return element->is_signed ? arena_printf(arena, "%" PRId64,
                                           (int64_t)(bits << unused) >> unused)
                            : arena_printf(arena, "%" PRIu64, bits);
}

static bool differ(const Range *range, const char *a, const char *b) {
  const Element *element = range->element;
  if (!memcmp(a, b, element->bytes))
    return false;
  if (!element->is_float)
    return true;
  double x = get_double(element, a), y = get_double(element, b);
  return !(fabs(x - y) <= range->tolerance * fmax(fabs(x), fabs(y)));
}

uint64_t range_difference(const Range *range, const Run *run) {
  unsigned bytes = range->element->bytes;
  const char *at = run->buffers.at[range->buffer].at + range->from * bytes;
  uint64_t i = 0;
  while (i < range->count &&
         !differ(range, at + i * bytes, range->expected + i * bytes))
    i++;
  return i;
}
