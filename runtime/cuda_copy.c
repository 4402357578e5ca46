// Copies and fills.  All memory is one, so the kind of a copy says nothing but
// that the caller has thought of it; what must be the device's is checked.

#include "runtime/cuda.h"

#include <string.h>

// Does it lie in an allocation of the device as a whole, if anywhere?
static bool fits(const void *at, uint64_t bytes) {
  const Allocation *allocation = memory_find(at);
  return !allocation || bytes <= (uint64_t)(allocation->at + allocation->bytes -
                                            (const char *)at);
}

static bool is_on_device(const void *at) {
  const Program *program = cuda_program();
  if (memory_find(at))
    return true;
  for (size_t i = 0; i < program->globals.count; i++) {
    const Global *global = &program->globals.at[i];
    if ((uint64_t)((const char *)at - global->at) < global->bytes)
      return true;
  }
  return false;
}

static CudaError check(const void *to, const void *from, uint64_t bytes,
                       int kind) {
  bool to_device = kind == COPY_HOST_TO_DEVICE || kind == COPY_DEVICE_TO_DEVICE;
  bool from_device =
      kind == COPY_DEVICE_TO_HOST || kind == COPY_DEVICE_TO_DEVICE;
  if (kind < COPY_HOST_TO_HOST || kind > COPY_DEFAULT)
    return cudaErrorInvalidMemcpyDirection;
  if (bytes && (!to || !from || !fits(to, bytes) || !fits(from, bytes)))
    return cudaErrorInvalidValue;
  if (bytes && ((to_device && !is_on_device(to)) ||
                (from_device && !is_on_device(from))))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

CudaError copy_bytes(void *to, const void *from, uint64_t bytes, int kind) {
  CudaError error = check(to, from, bytes, kind);
  if (!error && bytes)
    memmove(to, from, bytes);
  return error;
}

static CudaError copy_rows(void *to, uint64_t to_pitch, const void *from,
                           uint64_t from_pitch, uint64_t width, uint64_t height,
                           int kind) {
  CudaError error = cudaSuccess;
  if (width > to_pitch || width > from_pitch)
    return cudaErrorInvalidPitchValue;
  for (uint64_t i = 0; i < height && !error; i++)
    error = copy_bytes((char *)to + i * to_pitch,
                       (const char *)from + i * from_pitch, width, kind);
  return error;
}

static CudaError fill(void *at, int value, uint64_t bytes) {
  if (bytes && (!is_on_device(at) || !fits(at, bytes)))
    return cudaErrorInvalidValue;
  if (bytes)
    memset(at, value, bytes);
  return cudaSuccess;
}

static CudaError fill_rows(void *at, uint64_t pitch, int value, uint64_t width,
                           uint64_t height) {
  CudaError error = width > pitch ? cudaErrorInvalidPitchValue : cudaSuccess;
  for (uint64_t i = 0; i < height && !error; i++)
    error = fill((char *)at + i * pitch, value, width);
  return error;
}

// Elements of two or four bytes repeat all of the value.
CudaError copy_fill(const CudaFill *rows) {
  uint64_t width = rows->width * rows->element;
  CudaError error = cudaSuccess;
  if (rows->height > 1 && width > rows->pitch)
    return cudaErrorInvalidPitchValue;
  for (uint64_t y = 0; y < rows->height && !error; y++) {
    char *row = (char *)rows->at + y * rows->pitch;
    error = fill(row, (int)rows->value, width);
    for (uint64_t x = 0; x < width && !error && rows->element > 1;
         x += rows->element)
      memcpy(row + x, &rows->value, rows->element);
  }
  return error;
}

// ------------------------------------------------------------------ lines ---

DEFAULT_CALL(cudaMemcpy, void *to, const void *from, size_t bytes, int kind) {
  ANSWER(copy_bytes(to, from, bytes, kind));
}

STREAM_CALL(cudaMemcpyAsync, void *to, const void *from, size_t bytes, int kind,
            CudaStream *stream) {
  GraphNode node = {.kind = NODE_COPY,
                    .copy = copy_of_line(to, from, bytes, kind)};
  return cuda_submit(stream, &node);
}

DEFAULT_CALL(cudaMemcpyPeer, void *to, int to_device, const void *from,
             int from_device, size_t bytes) {
  ANSWER(to_device || from_device
             ? cudaErrorInvalidDevice
             : copy_bytes(to, from, bytes, COPY_DEVICE_TO_DEVICE));
}

STREAM_CALL(cudaMemcpyPeerAsync, void *to, int to_device, const void *from,
            int from_device, size_t bytes, CudaStream *stream) {
  UNCAPTURED(stream);
  ANSWER(to_device || from_device
             ? cudaErrorInvalidDevice
             : copy_bytes(to, from, bytes, COPY_DEVICE_TO_DEVICE));
}

DEFAULT_CALL(cudaMemset, void *at, int value, size_t bytes) {
  ANSWER(fill(at, value, bytes));
}

STREAM_CALL(cudaMemsetAsync, void *at, int value, size_t bytes,
            CudaStream *stream) {
  GraphNode node = {.kind = NODE_FILL,
                    .fill = {at, bytes, (unsigned)value & 0xff, 1, bytes, 1}};
  return cuda_submit(stream, &node);
}

// ------------------------------------------------------------------- rows ---

DEFAULT_CALL(cudaMemcpy2D, void *to, size_t to_pitch, const void *from,
             size_t from_pitch, size_t width, size_t height, int kind) {
  ANSWER(copy_rows(to, to_pitch, from, from_pitch, width, height, kind));
}

STREAM_CALL(cudaMemcpy2DAsync, void *to, size_t to_pitch, const void *from,
            size_t from_pitch, size_t width, size_t height, int kind,
            CudaStream *stream) {
  GraphNode node = {
      .kind = NODE_COPY,
      .copy = {.to = {to, to_pitch, width, height},
               .from = {(void *)(uintptr_t)from, from_pitch, width, height},
               .extent = {width, height, 1},
               .kind = kind}};
  return cuda_submit(stream, &node);
}

DEFAULT_CALL(cudaMemset2D, void *at, size_t pitch, int value, size_t width,
             size_t height) {
  ANSWER(fill_rows(at, pitch, value, width, height));
}

STREAM_CALL(cudaMemset2DAsync, void *at, size_t pitch, int value, size_t width,
            size_t height, CudaStream *stream) {
  GraphNode node = {
      .kind = NODE_FILL,
      .fill = {at, pitch, (unsigned)value & 0xff, 1, width, height}};
  return cuda_submit(stream, &node);
}

static CudaError fill_box(CudaPitched to, int value, CudaExtent extent) {
  CudaError error = cudaSuccess;
  for (uint64_t i = 0; i < extent.depth && !error; i++)
    error = fill_rows((char *)to.at + i * to.pitch * to.height, to.pitch, value,
                      extent.width, extent.height);
  return error;
}

DEFAULT_CALL(cudaMemset3D, CudaPitched to, int value, CudaExtent extent) {
  ANSWER(fill_box(to, value, extent));
}

STREAM_CALL(cudaMemset3DAsync, CudaPitched to, int value, CudaExtent extent,
            CudaStream *stream) {
  UNCAPTURED(stream);
  ANSWER(fill_box(to, value, extent));
}

// ---------------------------------------------------------------- symbols ---

CudaError copy_symbol(const void *handle, uint64_t offset, uint64_t bytes,
                      char **at) {
  const Global *global = cuda_symbol(handle);
  if (!global)
    return cudaErrorInvalidSymbol;
  if (offset > global->bytes || bytes > global->bytes - offset)
    return cudaErrorInvalidValue;
  *at = global->at + offset;
  return cudaSuccess;
}

static CudaError copy_to_symbol(const void *symbol, const void *from,
                                uint64_t bytes, uint64_t offset, int kind) {
  char *to = NULL;
  CudaError error = copy_symbol(symbol, offset, bytes, &to);
  return error ? error : copy_bytes(to, from, bytes, kind);
}

static CudaError copy_from_symbol(void *to, const void *symbol, uint64_t bytes,
                                  uint64_t offset, int kind) {
  char *from = NULL;
  CudaError error = copy_symbol(symbol, offset, bytes, &from);
  return error ? error : copy_bytes(to, from, bytes, kind);
}

DEFAULT_CALL(cudaMemcpyToSymbol, const void *symbol, const void *from,
             size_t bytes, size_t offset, int kind) {
  ANSWER(copy_to_symbol(symbol, from, bytes, offset, kind));
}

STREAM_CALL(cudaMemcpyToSymbolAsync, const void *symbol, const void *from,
            size_t bytes, size_t offset, int kind, CudaStream *stream) {
  char *at = NULL;
  GraphNode node = {.kind = NODE_COPY};
  CudaError error = cuda_begin();
  if (!error)
    error = copy_symbol(symbol, offset, bytes, &at);
  node.copy = copy_of_line(at, from, bytes, kind);
  return cuda_end(error ? error : cuda_submit(stream, &node));
}

DEFAULT_CALL(cudaMemcpyFromSymbol, void *to, const void *symbol, size_t bytes,
             size_t offset, int kind) {
  ANSWER(copy_from_symbol(to, symbol, bytes, offset, kind));
}

STREAM_CALL(cudaMemcpyFromSymbolAsync, void *to, const void *symbol,
            size_t bytes, size_t offset, int kind, CudaStream *stream) {
  char *at = NULL;
  GraphNode node = {.kind = NODE_COPY};
  CudaError error = cuda_begin();
  if (!error)
    error = copy_symbol(symbol, offset, bytes, &at);
  node.copy = copy_of_line(to, at, bytes, kind);
  return cuda_end(error ? error : cuda_submit(stream, &node));
}

CALL(cudaGetSymbolAddress, void **at, const void *symbol) {
  char *place = NULL;
  CudaError error = cuda_begin();
  if (!error)
    error = copy_symbol(symbol, 0, 0, &place);
  if (!error)
    *at = place;
  return cuda_end(error);
}

CALL(cudaGetSymbolSize, size_t *bytes, const void *symbol) {
  CudaError error = cuda_begin();
  const Global *global = error ? NULL : cuda_symbol(symbol);
  if (!error && !global)
    error = cudaErrorInvalidSymbol;
  if (global)
    *bytes = global->bytes;
  return cuda_end(error);
}
