// What instructions on words of bits compute, where it is no operator of C.

#include "ptx/numbers.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Four bytes of the eight; of one with the fourth bit its sign only.
uint32_t bits_permute(uint32_t low, uint32_t high, uint32_t which) {
  uint64_t bytes = (uint64_t)high << 32 | low;
  uint32_t result = 0;
  for (unsigned n = 0; n < 4; n++) {
    uint32_t chosen = which >> 4 * n & 15;
    uint32_t byte = bytes >> 8 * (chosen & 7) & 0xff;
    if (chosen & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * n;
  }
  return result;
}

// A digit says which byte of the two words, the lowest byte last; a row for
// each value of the last operand's two bits.
const uint16_t *ptx_permutation(const char *mode) {
  static const struct {
    const char *mode;
    uint16_t rows[4];
  } all[] = {{"f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
             {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
             {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
             {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
             {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
             {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i].mode, mode))
      return all[i].rows;
  assert(!"a mode that prmt does not have");
  return NULL;
}

// The n-th bit that is set from a place on, up or down; all ones: there is
// none.
uint32_t bits_find(uint32_t mask, uint32_t from, int32_t n) {
  int step = n < 0 ? -1 : 1;
  int64_t left = (n < 0 ? -(int64_t)n : n) - 1;
  if (!n)
    return from < 32 && mask >> from & 1 ? from : UINT32_MAX;
  for (int i = (int)from; i >= 0 && i < 32; i += step)
    if (mask >> i & 1 && left-- == 0)
      return (uint32_t)i;
  return UINT32_MAX;
}
