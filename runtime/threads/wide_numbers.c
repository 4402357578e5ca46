// Arithmetic that is a call in machine code.
//
// Some are called in the program's IR, too: products of complex numbers.  Their
// types are of no interest here, and some the compiler knows better.

#include "runtime/threads/world.h"

#define WIDE(name) extern void wide_##name(void) __asm__(#name);
#include "runtime/threads/wide_numbers.def"
#undef WIDE

const PosixCall wide_calls[] = {
#define WIDE(name) {#name, (void *)(uintptr_t)wide_##name, APART},
#include "runtime/threads/wide_numbers.def"
#undef WIDE
    {NULL, NULL, 0}};
