// CUDA's device library, by the names of its functions.

#ifndef LLVM_LIBDEVICE_H
#define LLVM_LIBDEVICE_H

#include <stdbool.h>
#include <stddef.h>

// What libdevice.def has of a function of CUDA's device library.
typedef struct LibraryFunction {
  const char *name, *types;
  const char *operation; // or NULL
} LibraryFunction;

// By its linkage name; NULL: it is none.
const LibraryFunction *library_find(const char *name);
// Counted from 0, in the order of libdevice.def.
size_t library_number(const LibraryFunction *function);
// It reads or writes what the caller can see, and not only its operands.
bool library_touches_memory(const LibraryFunction *function);

#endif
