// How instructions of PTX compute, where neither LLVM nor the host does it so.

#ifndef PTX_NUMBERS_H
#define PTX_NUMBERS_H

#include <stdint.h>

// .rn, .rz, .rm and .rp
typedef enum Direction {
  DIRECTION_NEAREST,
  DIRECTION_ZERO,
  DIRECTION_DOWN,
  DIRECTION_UP,
} Direction;

double ptx_fma_odd(double a, double b, double c);
double ptx_odd_of_unsigned(uint64_t value);
double ptx_odd_of_signed(int64_t value);
// Four bytes of the eight, as prmt says.
uint32_t bits_permute(uint32_t low, uint32_t high, uint32_t which);
// What a mode of prmt, "f4e", makes of its last operand: four of these.
const uint16_t *ptx_permutation(const char *mode);
// fns, from a place below 32
uint32_t bits_find(uint32_t mask, uint32_t from, int32_t n);
// half.c
uint16_t half_directed(double value, uint32_t direction);
uint16_t brain_directed(double value, uint32_t direction);

double ptx_integral(double value, uint32_t direction);
int64_t ptx_signed_of_double(double value, uint32_t direction, uint32_t bits,
                             int64_t of_nan);
uint64_t ptx_unsigned_of_double(double value, uint32_t direction, uint32_t bits,
                                uint64_t of_nan);

double ptx_greatest(double a, double b);
double ptx_least(double a, double b);
float ptx_greatest_float(float a, float b);
float ptx_least_float(float a, float b);

#endif
