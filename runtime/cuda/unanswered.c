// What is not answered: a program that calls it learns so, and so does its
// user.
//
// These functions have arguments, at which nobody looks: a caller of C may give
// more than are taken.

#include "runtime/cuda/cuda.h"

#define UNANSWERED(name)                                                       \
  EXPORT CudaError name(void);                                                 \
  CudaError name(void) { return cuda_unanswered(#name); }
#include "runtime/cuda/unanswered.def"
#undef UNANSWERED
