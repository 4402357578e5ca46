// Functions of numbers alone, which are the C library's own.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <arpa/inet.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#define BOTH(name)                                                             \
  {#name, (void *)(uintptr_t)(double (*)(double))name, 0}, {                   \
    #name "f", (void *)(uintptr_t)(float (*)(float))name##f, false             \
  }
#define BOTH_OF_TWO(name)                                                      \
  {#name, (void *)(uintptr_t)(double (*)(double, double))name, 0}, {           \
    #name "f", (void *)(uintptr_t)(float (*)(float, float))name##f, false      \
  }

#define WITH_INT(name)                                                         \
  {#name, (void *)(uintptr_t)(double (*)(double, int))name, 0}, {              \
    #name "f", (void *)(uintptr_t)(float (*)(float, int))name##f, false        \
  }
#define ROUNDED(name)                                                          \
  {#name, (void *)(uintptr_t)(long (*)(double))name, 0}, {                     \
    #name "f", (void *)(uintptr_t)(long (*)(float))name##f, false              \
  }

#define LONG(name)                                                             \
  {#name, (void *)(uintptr_t)(long double (*)(long double))name, 0}
#define LONG_OF_TWO(name)                                                      \
  {#name, (void *)(uintptr_t)(long double (*)(long double, long double))name, 0}

static double posix_frexp(double value, int *exponent) {
  world_touch(exponent, sizeof *exponent, true);
  return frexp(value, exponent);
}

static double posix_modf(double value, double *whole) {
  world_touch(whole, sizeof *whole, true);
  return modf(value, whole);
}

static void posix_sincos(double value, double *sine, double *cosine) {
  world_touch(sine, sizeof *sine, true);
  world_touch(cosine, sizeof *cosine, true);
  sincos(value, sine, cosine);
}

const PosixCall math_calls[] = {
    POSIX_CALL(frexp),
    POSIX_CALL(modf),
    POSIX_CALL(sincos),
    BOTH(asinh),
    BOTH(acosh),
    BOTH(atanh),
    BOTH(nearbyint),
    BOTH(tgamma),
    BOTH(logb),
    BOTH_OF_TWO(copysign),
    BOTH_OF_TWO(remainder),
    BOTH_OF_TWO(fdim),
    BOTH_OF_TWO(nextafter),
    WITH_INT(ldexp),
    WITH_INT(scalbn),
    ROUNDED(lround),
    ROUNDED(lrint),
    ROUNDED(llround),
    ROUNDED(llrint),
    {"fma", (void *)(uintptr_t)(double (*)(double, double, double))fma, 0},
    {"fmaf", (void *)(uintptr_t)(float (*)(float, float, float))fmaf, 0},
    PURE_CALL(div),
    PURE_CALL(ldiv),
    PURE_CALL(lldiv),
    BOTH(sqrt),
    BOTH(sin),
    BOTH(cos),
    BOTH(tan),
    BOTH(asin),
    BOTH(acos),
    BOTH(atan),
    BOTH(sinh),
    BOTH(cosh),
    BOTH(tanh),
    BOTH(exp),
    BOTH(exp2),
    BOTH(expm1),
    BOTH(log),
    BOTH(log2),
    BOTH(log10),
    BOTH(log1p),
    BOTH(cbrt),
    BOTH(floor),
    BOTH(ceil),
    BOTH(round),
    BOTH(trunc),
    BOTH(rint),
    BOTH(fabs),
    BOTH(erf),
    BOTH(erfc),
    BOTH_OF_TWO(pow),
    BOTH_OF_TWO(fmod),
    BOTH_OF_TWO(atan2),
    BOTH_OF_TWO(hypot),
    BOTH_OF_TWO(fmin),
    BOTH_OF_TWO(fmax),
    LONG(sqrtl),
    LONG(sinl),
    LONG(cosl),
    LONG(tanl),
    LONG(asinl),
    LONG(acosl),
    LONG(atanl),
    LONG(sinhl),
    LONG(coshl),
    LONG(tanhl),
    LONG(expl),
    LONG(exp2l),
    LONG(expm1l),
    LONG(logl),
    LONG(log2l),
    LONG(log10l),
    LONG(log1pl),
    LONG(cbrtl),
    LONG(floorl),
    LONG(ceill),
    LONG(roundl),
    LONG(truncl),
    LONG(rintl),
    LONG(nearbyintl),
    LONG(fabsl),
    LONG(erfl),
    LONG(erfcl),
    LONG_OF_TWO(powl),
    LONG_OF_TWO(fmodl),
    LONG_OF_TWO(atan2l),
    LONG_OF_TWO(hypotl),
    LONG_OF_TWO(fminl),
    LONG_OF_TWO(fmaxl),
    LONG_OF_TWO(copysignl),
    {"ldexpl", (void *)(uintptr_t)(long double (*)(long double, int))ldexpl, 0},
    PLAIN_CALL(creal),
    PLAIN_CALL(crealf),
    PLAIN_CALL(cimag),
    PLAIN_CALL(cimagf),
    PLAIN_CALL(cabs),
    PLAIN_CALL(cabsf),
    PLAIN_CALL(carg),
    PLAIN_CALL(cargf),
    PLAIN_CALL(conj),
    PLAIN_CALL(conjf),
    PLAIN_CALL(cproj),
    PLAIN_CALL(cprojf),
    PLAIN_CALL(cexp),
    PLAIN_CALL(cexpf),
    PLAIN_CALL(clog),
    PLAIN_CALL(clogf),
    PLAIN_CALL(csqrt),
    PLAIN_CALL(csqrtf),
    PLAIN_CALL(cpow),
    PLAIN_CALL(cpowf),
    PLAIN_CALL(csin),
    PLAIN_CALL(csinf),
    PLAIN_CALL(ccos),
    PLAIN_CALL(ccosf),
    PLAIN_CALL(ctan),
    PLAIN_CALL(ctanf),
    PURE_CALL(abs),
    PURE_CALL(ffs),
    PURE_CALL(ffsl),
    PURE_CALL(ffsll),
    PURE_CALL(htons),
    PURE_CALL(htonl),
    PURE_CALL(ntohs),
    PURE_CALL(ntohl),
    {"imaxabs", (void *)(uintptr_t)labs, APART},
    PURE_CALL(labs),
    PURE_CALL(llabs),
    {NULL, NULL, 0}};
