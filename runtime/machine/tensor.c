// Matrix operations of a warp: wmma, mma.sync, ldmatrix, stmatrix, movmatrix.
//
// A matrix is spread over the registers of 32 lanes.  For mma.sync and ldmatrix
// PTX says which lane has which element; of wmma it says nothing, so there the
// elements lie row by row, equally many in each lane, and are repeated where a
// fragment has room for more.  All lanes bring what they have, one of them
// computes, and each gets its part.  Products are added up in double precision
// and rounded once.  No device promises that, but all come near it.  Numbers of
// the type tf32 lose the bits that it does not have.

#include "runtime/machine/tensor.h"

#include <math.h>
#include <string.h>

enum { MOST_SIDE = 32, MOST_ELEMENTS = MOST_SIDE * MOST_SIDE };

// ---------------------------------------------------------------- elements ---

static unsigned bytes_of(TensorType type) {
  switch (type) {
  case TENSOR_NONE:
    return 1;
  case TENSOR_S8:
  case TENSOR_U8:
    return 1;
  case TENSOR_F16:
  case TENSOR_BF16:
    return 2;
  case TENSOR_TF32:
  case TENSOR_F32:
  case TENSOR_S32:
    return 4;
  case TENSOR_F64:
    return 8;
  }
  return 1;
}

static double value_of_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double get(const char *at, TensorType type) {
  enum { NOT_IN_TF32 = (1 << 13) - 1 };
  uint64_t bits = 0;
  double value;
  memcpy(&bits, at, bytes_of(type));
  switch (type) {
  case TENSOR_F16:
    return half_value((uint16_t)bits);
  case TENSOR_BF16:
    return brain_value((uint16_t)bits);
  case TENSOR_TF32:
    return value_of_float((uint32_t)bits & ~(uint32_t)NOT_IN_TF32);
  case TENSOR_F32:
    return value_of_float((uint32_t)bits);
  case TENSOR_F64:
    memcpy(&value, &bits, sizeof value);
    return value;
  case TENSOR_S8:
    return (int8_t)bits;
  case TENSOR_U8:
    return (uint8_t)bits;
  case TENSOR_S32:
    return (int32_t)bits;
  case TENSOR_NONE:
    break;
  }
  return 0;
}

static uint64_t integer_bits(double value, bool saturates) {
  if (saturates)
    value = fmin(fmax(value, INT32_MIN), INT32_MAX);
  return (uint32_t)(int64_t)value;
}

static uint64_t float_bits(double value, bool saturates) {
  float rounded = (float)value;
  uint32_t bits;
  if (saturates && isinf(rounded))
    rounded = copysignf(3.402823466e38f, rounded);
  memcpy(&bits, &rounded, sizeof bits);
  return bits;
}

static void put(char *at, TensorType type, double value, bool saturates) {
  uint64_t bits = 0;
  switch (type) {
  case TENSOR_F16:
    bits = half_rounded(saturates ? fmin(fmax(value, -65504), 65504) : value);
    break;
  case TENSOR_F32:
    bits = float_bits(value, saturates);
    break;
  case TENSOR_F64:
    memcpy(&bits, &value, sizeof bits);
    break;
  case TENSOR_S32:
    bits = integer_bits(value, saturates);
    break;
  case TENSOR_BF16:
  case TENSOR_TF32:
  case TENSOR_S8:
  case TENSOR_U8:
  case TENSOR_NONE:
    return;
  }
  memcpy(at, &bits, bytes_of(type));
}

// --------------------------------------------------------------- fragments ---

typedef struct Matrix {
  TensorType type;
  unsigned rows, columns;
  enum { MATRIX_A, MATRIX_B, MATRIX_C } which;
} Matrix;

typedef struct Element {
  unsigned row, column;
} Element;

static unsigned own_count(const Matrix *matrix) {
  return matrix->rows * matrix->columns / LANES;
}

// As PTX says of mma.sync: by registers, of which each has `packed` elements.
static Element documented(const Matrix *matrix, unsigned lane, unsigned i) {
  unsigned group = lane / 4, in_group = lane % 4;
  unsigned bytes = bytes_of(matrix->type), packed = bytes < 4 ? 4 / bytes : 1;
  unsigned which = i / packed, along = in_group * packed + i % packed;
  bool has_halves = matrix->rows == 16;
  switch (matrix->which) {
  case MATRIX_A:
    return (Element){group + (has_halves ? 8 * (which & 1) : 0),
                     along + 4 * packed * (has_halves ? which / 2 : which)};
  case MATRIX_B:
    return (Element){along + 4 * packed * which, group};
  case MATRIX_C:
    break;
  }
  return (Element){group + 8 * (i / 2), in_group * 2 + i % 2};
}

static Element element(const TensorShape *shape, const Matrix *matrix,
                       unsigned lane, unsigned i) {
  unsigned at = lane * own_count(matrix) + i;
  if (!(shape->flags & TENSOR_IS_WMMA))
    return documented(matrix, lane, i);
  return (Element){at / matrix->columns, at % matrix->columns};
}

static Matrix matrix_a(const TensorShape *s) {
  return (Matrix){(TensorType)s->a, s->m, s->k, MATRIX_A};
}
static Matrix matrix_b(const TensorShape *s) {
  return (Matrix){(TensorType)s->b, s->k, s->n, MATRIX_B};
}
static Matrix matrix_c(const TensorShape *s, unsigned type) {
  return (Matrix){(TensorType)type, s->m, s->n, MATRIX_C};
}

// In bytes; with room for what is there twice, as LLVM has the fragments of f16
// for a and b of wmma.
static unsigned fragment_bytes(const TensorShape *shape, const Matrix *matrix) {
  bool has_more = shape->flags & TENSOR_IS_WMMA && matrix->type == TENSOR_F16 &&
                  matrix->which != MATRIX_C;
  enum { HALVES = 16 };
  return has_more ? HALVES * 2 : own_count(matrix) * bytes_of(matrix->type);
}

// ------------------------------------------------------------------ product
// ---

static double a[MOST_ELEMENTS], b[MOST_ELEMENTS], c[MOST_ELEMENTS];

static void gather(double *to, const Thread *warp, const Matrix *matrix,
                   unsigned offset) {
  for (unsigned lane = 0; lane < LANES; lane++)
    for (unsigned i = 0; i < own_count(matrix); i++) {
      Element at = element(&warp->job->shape, matrix, lane, i);
      to[at.row * matrix->columns + at.column] =
          get(warp[lane].job->in + offset + i * bytes_of(matrix->type),
              matrix->type);
    }
}

static double product(const TensorShape *shape, unsigned row, unsigned column) {
  double sum = c[row * shape->n + column];
  for (unsigned i = 0; i < shape->k; i++)
    sum = fma(a[row * shape->k + i], b[i * shape->n + column], sum);
  return sum;
}

static void multiply(Thread *warp) {
  const TensorShape *shape = &warp->job->shape;
  Matrix of_a = matrix_a(shape), of_b = matrix_b(shape);
  Matrix of_c = matrix_c(shape, shape->c), of_d = matrix_c(shape, shape->d);
  unsigned a_bytes = fragment_bytes(shape, &of_a);
  unsigned b_bytes = fragment_bytes(shape, &of_b);
  gather(a, warp, &of_a, 0);
  gather(b, warp, &of_b, a_bytes);
  gather(c, warp, &of_c, a_bytes + b_bytes);
  for (unsigned lane = 0; lane < LANES; lane++)
    for (unsigned i = 0; i < own_count(&of_d); i++) {
      Element at = element(shape, &of_d, lane, i);
      put(warp[lane].job->out + i * bytes_of(of_d.type), of_d.type,
          product(shape, at.row, at.column), shape->flags & TENSOR_SATURATES);
    }
}

// ------------------------------------------------------------ eight by eight
// ---

enum { SMALL = 8, PAIR = 4, HALF = 2, ROW = SMALL * HALF };

// The byte of one of two neighbours that a lane has, in its matrix.
static unsigned place_in_small(unsigned lane, unsigned i, bool by_columns) {
  unsigned row = lane / 4, column = lane % 4 * 2 + i;
  return by_columns ? column * ROW + row * HALF : row * ROW + column * HALF;
}

// From rows, one in each lane, to fragments.
static void spread(Thread *warp) {
  const TensorShape *shape = &warp->job->shape;
  for (unsigned lane = 0; lane < LANES; lane++)
    for (unsigned n = 0; n < shape->n; n++)
      for (unsigned i = 0; i < 2; i++) {
        unsigned at = place_in_small(lane, i, shape->flags & TENSOR_BY_COLUMNS);
        memcpy(warp[lane].job->out + n * PAIR + i * HALF,
               warp[n * SMALL + at / ROW].job->in + at % ROW, HALF);
      }
}

// From fragments to rows.
static void collect(Thread *warp, bool by_columns) {
  for (unsigned lane = 0; lane < LANES; lane++)
    for (unsigned n = 0; n < warp->job->shape.n; n++)
      for (unsigned i = 0; i < 2; i++) {
        unsigned at = place_in_small(lane, i, by_columns);
        memcpy(warp[n * SMALL + at / ROW].job->out + at % ROW,
               warp[lane].job->in + n * PAIR + i * HALF, HALF);
      }
}

// ----------------------------------------------------------------- the warp
// ---

// Which of them is said by m: 0 for ldmatrix, 1 for stmatrix.
enum { SPREAD, COLLECT };

void tensor_execute(Thread *warp) {
  const TensorShape *shape = &warp->job->shape;
  if (shape->k)
    multiply(warp);
  else if (shape->m == SPREAD)
    spread(warp);
  else
    collect(warp, shape->flags & TENSOR_BY_COLUMNS);
}

static TensorShape shape_of(uint64_t bits) {
  TensorShape shape;
  memcpy(&shape, &bits, sizeof shape);
  return shape;
}

void tensor_mma(char *out, const char *in, uint64_t shape) {
  TensorJob job = {shape_of(shape), in, out};
  warp_work(&job);
}

// ------------------------------------------------------------------- memory
// ---

// By the running thread, at its site.
static void access(char *at, uint64_t bytes) {
  Thread *self = machine.self;
  if (machine.run->watch != WATCH_NOTHING)
    access_hooks(machine.run)->access(at, bytes, self->site);
}

static Matrix matrix_of(const TensorShape *shape) {
  if (shape->flags & TENSOR_OF_A)
    return matrix_a(shape);
  return shape->flags & TENSOR_OF_B ? matrix_b(shape)
                                    : matrix_c(shape, shape->c);
}

typedef void Move(char *memory, char *fragment, size_t bytes);

static void take(char *memory, char *fragment, size_t bytes) {
  memcpy(fragment, memory, bytes);
}

static void give(char *memory, char *fragment, size_t bytes) {
  memcpy(memory, fragment, bytes);
}

// Each lane accesses its own elements, those side by side at once.
static void move(char *fragment, char *memory, int64_t stride,
                 const TensorShape *shape, Move *how) {
  enum { WIDEST = 16 };
  Matrix matrix = matrix_of(shape);
  unsigned lane = machine.self->index % LANES, bytes = bytes_of(matrix.type);
  bool by_columns = shape->flags & TENSOR_BY_COLUMNS;
  unsigned count = own_count(&matrix), step = by_columns ? 1 : count;
  if (step > WIDEST / bytes)
    step = WIDEST / bytes;
  if (!stride)
    stride = by_columns ? matrix.rows : matrix.columns;
  for (unsigned i = 0; i < count; i += step) {
    Element at = element(shape, &matrix, lane, i);
    int64_t index =
        by_columns ? at.column * stride + at.row : at.row * stride + at.column;
    access(memory + index * bytes, (uint64_t)step * bytes);
    how(memory + index * bytes, fragment + i * bytes, (size_t)step * bytes);
  }
}

void tensor_load(char *out, char *from, int32_t stride, uint64_t bits) {
  TensorShape shape = shape_of(bits);
  Matrix matrix = matrix_of(&shape);
  unsigned bytes = own_count(&matrix) * bytes_of(matrix.type);
  warp_work(NULL);
  move(out, from, stride, &shape, take);
  for (unsigned at = bytes; at < fragment_bytes(&shape, &matrix); at++)
    out[at] = out[at - bytes];
}

void tensor_store(const char *in, char *to, int32_t stride, uint64_t bits) {
  TensorShape shape = shape_of(bits);
  char fragment[MOST_SIDE * sizeof(double)];
  Matrix matrix = matrix_of(&shape);
  memcpy(fragment, in, own_count(&matrix) * bytes_of(matrix.type));
  warp_work(NULL);
  move(fragment, to, stride, &shape, give);
}

static bool has_row(const TensorShape *shape) {
  return machine.self->index % LANES < shape->n * SMALL;
}

void tensor_ldmatrix(char *out, char *from, uint64_t bits) {
  TensorJob job = {.shape = shape_of(bits), .out = out};
  char row[ROW] = {0};
  job.shape.m = SPREAD;
  job.in = row;
  if (has_row(&job.shape)) {
    access(from, ROW);
    memcpy(row, from, ROW);
  }
  warp_work(&job);
}

void tensor_stmatrix(const char *in, char *to, uint64_t bits) {
  TensorJob job = {.shape = shape_of(bits), .in = in};
  char row[ROW];
  job.shape.m = COLLECT;
  job.out = row;
  warp_work(&job);
  if (has_row(&job.shape)) {
    access(to, ROW);
    memcpy(to, row, ROW);
  }
}

// What is transposed by .trans of stmatrix, back in fragments.
void tensor_movmatrix(char *out, const char *in, uint64_t bits) {
  TensorJob job = {.shape = shape_of(bits), .in = in};
  char row[ROW];
  job.shape.m = COLLECT;
  job.shape.flags = TENSOR_BY_COLUMNS;
  job.out = row;
  warp_work(&job);
  job = (TensorJob){.shape = job.shape, .in = row, .out = out};
  job.shape.m = SPREAD;
  job.shape.flags = 0;
  warp_work(&job);
}
