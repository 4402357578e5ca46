// Functions of numbers alone, which are the C library's own.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

#include <math.h>
#include <stdlib.h>

#define BOTH(name)                                                             \
  {#name, (void *)(uintptr_t)(double (*)(double))name, 0}, {                   \
    #name "f", (void *)(uintptr_t)(float (*)(float))name##f, false             \
  }
#define BOTH_OF_TWO(name)                                                      \
  {#name, (void *)(uintptr_t)(double (*)(double, double))name, 0}, {           \
    #name "f", (void *)(uintptr_t)(float (*)(float, float))name##f, false      \
  }

const PosixCall math_calls[] = {
    BOTH(sqrt),        BOTH(sin),          BOTH(cos),
    BOTH(tan),         BOTH(asin),         BOTH(acos),
    BOTH(atan),        BOTH(sinh),         BOTH(cosh),
    BOTH(tanh),        BOTH(exp),          BOTH(exp2),
    BOTH(expm1),       BOTH(log),          BOTH(log2),
    BOTH(log10),       BOTH(log1p),        BOTH(cbrt),
    BOTH(floor),       BOTH(ceil),         BOTH(round),
    BOTH(trunc),       BOTH(rint),         BOTH(fabs),
    BOTH(erf),         BOTH(erfc),         BOTH_OF_TWO(pow),
    BOTH_OF_TWO(fmod), BOTH_OF_TWO(atan2), BOTH_OF_TWO(hypot),
    BOTH_OF_TWO(fmin), BOTH_OF_TWO(fmax),  PURE_CALL(abs),
    PURE_CALL(labs),   PURE_CALL(llabs),   {NULL, NULL, 0}};
