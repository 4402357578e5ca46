// What SIMD video instructions give, lane by lane.

#include "test/ptx/forms.h"

#include <string.h>

static Wide combined(const char *name, size_t length, Wide a, Wide b) {
  if (!strncmp(name, "vadd", length))
    return a + b;
  if (!strncmp(name, "vsub", length))
    return a - b;
  if (!strncmp(name, "vmin", length))
    return a < b ? a : b;
  if (!strncmp(name, "vmax", length))
    return a > b ? a : b;
  if (!strncmp(name, "vabsdiff", length))
    return a > b ? a - b : b - a;
  Wide sum = a + b; // vavrg: halves go up, and below zero down
  return sum >= 0 ? (sum + 1) / 2 : -((-sum + 1) / 2);
}

static bool compared(const Form *form, Wide a, Wide b) {
  return has(form, "eq")   ? a == b
         : has(form, "ne") ? a != b
         : has(form, "lt") ? a < b
         : has(form, "le") ? a <= b
         : has(form, "gt") ? a > b
                           : a >= b;
}

bool reference_of_videos(const Form *form, const uint64_t *in, Result *result) {
  const char *name = form->words[0];
  size_t length = strlen(name) - 1;
  if (name[0] != 'v')
    return false;
  Type lane = {form->type.kind, name[length] == '2' ? 16 : 8, 1};
  Wide most = ((Wide)1 << (lane.bits - (lane.kind == 's'))) - 1;
  Wide least = lane.kind == 's' ? -most - 1 : 0;
  Wide sum = (Wide)in[2];
  for (unsigned at = 0; at < 32; at += lane.bits) {
    Wide a = number_of(lane, in[0] >> at), b = number_of(lane, in[1] >> at);
    Wide value = !strncmp(name, "vset", length) ? compared(form, a, b)
                                                : combined(name, length, a, b);
    if (has(form, "sat"))
      value = clamped(value, least, most);
    sum += value;
    result->value |= cut(value, lane.bits) << at;
  }
  if (has(form, "add"))
    result->value = cut(sum, 32);
  return true;
}
