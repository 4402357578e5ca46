// Matrix operations of a warp: what code says to the machine of them.

#ifndef RUNTIME_MACHINE_TENSOR_H
#define RUNTIME_MACHINE_TENSOR_H

#include "runtime/machine/machine.h"

typedef enum TensorType {
  TENSOR_NONE,
  TENSOR_F16,
  TENSOR_BF16,
  TENSOR_TF32,
  TENSOR_F32,
  TENSOR_F64,
  TENSOR_S8,
  TENSOR_U8,
  TENSOR_S32,
} TensorType;

// Of the matrices a (m rows, k columns), b (k, n), c and d (m, n).  Eight
// bytes, which code has as a number.
typedef struct TensorShape {
  uint8_t m, n, k;
  uint8_t a, b, c, d; // TensorType
  uint8_t flags;
} TensorShape;

enum {
  TENSOR_IS_WMMA = 1,    // its fragments have an order of our own
  TENSOR_BY_COLUMNS = 2, // of a load or store; of ldmatrix: .trans
  TENSOR_SATURATES = 4,
  TENSOR_OF_A = 8, // of a load: which matrix
  TENSOR_OF_B = 16,
};

// -------------------------------------------------------------- tensor.c ---

// What a lane has for the others, on its stack while it waits.
typedef struct TensorJob {
  TensorShape shape;
  const char *in;
  char *out;
} TensorJob;

// All lanes of a warp have come: fills what each of them gets.
void tensor_execute(Thread *warp);

void tensor_mma(char *out, const char *in, uint64_t shape);
void tensor_load(char *out, char *from, int32_t stride, uint64_t shape);
void tensor_store(const char *in, char *to, int32_t stride, uint64_t shape);
// Of `n` matrices of eight rows of 16 bytes, lane i gives the address of row i.
void tensor_ldmatrix(char *out, char *from, uint64_t shape);
void tensor_stmatrix(const char *in, char *to, uint64_t shape);
void tensor_movmatrix(char *out, const char *in, uint64_t shape);

#endif
