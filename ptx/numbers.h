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

// szext of a signed number, and of an unsigned one
uint32_t ptx_extend_clamp(uint32_t value, uint32_t length);
uint32_t ptx_extend_wrap(uint32_t value, uint32_t length);
uint32_t ptx_cut_clamp(uint32_t value, uint32_t length);
uint32_t ptx_cut_wrap(uint32_t value, uint32_t length);
// prmt with a mode
uint32_t ptx_permute_f4e(uint32_t low, uint32_t high, uint32_t which);
uint32_t ptx_permute_b4e(uint32_t low, uint32_t high, uint32_t which);
uint32_t ptx_permute_rc8(uint32_t low, uint32_t high, uint32_t which);
uint32_t ptx_permute_ecl(uint32_t low, uint32_t high, uint32_t which);
uint32_t ptx_permute_ecr(uint32_t low, uint32_t high, uint32_t which);
uint32_t ptx_permute_rc16(uint32_t low, uint32_t high, uint32_t which);
// dp2a.lo and .hi, of signed and unsigned numbers
uint32_t ptx_dot_low_ss(uint32_t a, uint32_t b, uint32_t sum);
uint32_t ptx_dot_low_su(uint32_t a, uint32_t b, uint32_t sum);
uint32_t ptx_dot_low_us(uint32_t a, uint32_t b, uint32_t sum);
uint32_t ptx_dot_low_uu(uint32_t a, uint32_t b, uint32_t sum);
uint32_t ptx_dot_high_ss(uint32_t a, uint32_t b, uint32_t sum);
uint32_t ptx_dot_high_su(uint32_t a, uint32_t b, uint32_t sum);
uint32_t ptx_dot_high_us(uint32_t a, uint32_t b, uint32_t sum);
uint32_t ptx_dot_high_uu(uint32_t a, uint32_t b, uint32_t sum);

#endif
