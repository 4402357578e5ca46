// Copies and fills.  All memory is one, so the kind of a copy says nothing but
// that the caller has thought of it; what must be the device's is checked.

#include "runtime/cuda/cuda.h"

#include <string.h>

typedef unsigned long long Count; // for messages

static const Global *global_at(const void *at) {
  const DeviceProgram *program = cuda_program();
  for (size_t i = 0; i < program->globals.count; i++) {
    const Global *global = &program->globals.at[i];
    if ((uint64_t)((const char *)at - global->at) < global->bytes)
      return global;
  }
  return NULL;
}

// One end of a copy, or what is filled.
typedef struct End {
  const char *work, *name; // "a copy", "its source"
  const void *at;
  uint64_t bytes;
  bool is_on_device; // it must be
} End;

static CudaError refuse_part(const End *end, const char *array, unsigned number,
                             int64_t offset, uint64_t size) {
  return cuda_refuse(cudaErrorInvalidValue,
                     "%s of %llu bytes is not made: %s begins with byte %lld "
                     "of %s%.0u, which has %llu",
                     end->work, (Count)end->bytes, end->name, (long long)offset,
                     array, number, (Count)size);
}

static CudaError refuse_end(const End *end, const char *why) {
  return cuda_refuse(cudaErrorInvalidValue,
                     "%s of %llu bytes is not made: %s %s", end->work,
                     (Count)end->bytes, end->name, why);
}

// All of it lies in one array of the device, if any of it does.
static CudaError check_end(const End *end) {
  const char *at = end->at;
  const Allocation *allocation = memory_around(at);
  const Global *global = allocation ? NULL : global_at(at);
  const char *start = allocation ? allocation->at : global ? global->at : at;
  uint64_t size = allocation ? allocation->bytes : global ? global->bytes : 0;
  bool fits = at >= start && (uint64_t)(at - start) <= size &&
              end->bytes <= size - (uint64_t)(at - start);
  if (!end->bytes)
    return cudaSuccess;
  if (!at)
    return refuse_end(end, "is null");
  if (allocation && allocation->kind == ALLOCATION_GONE)
    return refuse_end(end, "has been given back");
  if (allocation && !fits)
    return refuse_part(end, "allocation ", allocation->order, at - start, size);
  if (global && !fits)
    return refuse_part(end, global->source, 0, at - start, size);
  if (!allocation && !global && end->is_on_device)
    return refuse_end(end, "is not memory of the device");
  return cudaSuccess;
}

CudaError copy_check(const void *to, uint64_t to_bytes, const void *from,
                     uint64_t from_bytes, int kind) {
  bool to_device = kind == COPY_HOST_TO_DEVICE || kind == COPY_DEVICE_TO_DEVICE;
  bool from_device =
      kind == COPY_DEVICE_TO_HOST || kind == COPY_DEVICE_TO_DEVICE;
  if (kind < COPY_HOST_TO_HOST || kind > COPY_DEFAULT)
    return cudaErrorInvalidMemcpyDirection;
  End target = {"a copy", "its target", to, to_bytes, to_device};
  End source = {"a copy", "its source", from, from_bytes, from_device};
  CudaError error = check_end(&target);
  return error ? error : check_end(&source);
}

CudaError copy_bytes(void *to, const void *from, uint64_t bytes, int kind) {
  CudaError error = copy_check(to, bytes, from, bytes, kind);
  if (error || !bytes)
    return error;
  guard_open(to);
  guard_open(from);
  memmove(to, from, bytes);
  return error;
}

// From the first byte of the first row to the last of the last one.
static uint64_t extent_of(uint64_t pitch, uint64_t width, uint64_t height) {
  return width && height ? (height - 1) * pitch + width : 0;
}

static CudaError copy_rows(void *to, uint64_t to_pitch, const void *from,
                           uint64_t from_pitch, uint64_t width, uint64_t height,
                           int kind) {
  if (width > to_pitch || width > from_pitch)
    return cuda_refuse(cudaErrorInvalidPitchValue,
                       "a copy is not made: rows of %llu bytes, %llu and %llu "
                       "apart",
                       (Count)width, (Count)from_pitch, (Count)to_pitch);
  CudaError error = copy_check(to, extent_of(to_pitch, width, height), from,
                               extent_of(from_pitch, width, height), kind);
  for (uint64_t i = 0; i < height && width && !error; i++)
    memmove((char *)to + i * to_pitch, (const char *)from + i * from_pitch,
            width);
  return error;
}

static CudaError check_fill(const void *at, uint64_t bytes) {
  End target = {"a fill", "its target", at, bytes, true};
  return check_end(&target);
}

static CudaError fill(void *at, int value, uint64_t bytes) {
  CudaError error = check_fill(at, bytes);
  if (!error && bytes)
    memset(at, value, bytes);
  return error;
}

static CudaError check_rows(const void *at, uint64_t pitch, uint64_t width,
                            uint64_t height) {
  if (width > pitch)
    return cuda_refuse(cudaErrorInvalidPitchValue,
                       "a fill is not made: rows of %llu bytes, %llu apart",
                       (Count)width, (Count)pitch);
  return check_fill(at, extent_of(pitch, width, height));
}

static CudaError fill_rows(void *at, uint64_t pitch, int value, uint64_t width,
                           uint64_t height) {
  CudaError error = check_rows(at, pitch, width, height);
  for (uint64_t i = 0; i < height && width && !error; i++)
    memset((char *)at + i * pitch, value, width);
  return error;
}

void copy_for_kernel(const Child *child) {
  if (child->from)
    copy_bytes(child->to, child->from, child->bytes, COPY_DEFAULT);
  else
    fill(child->to, (int)child->value, child->bytes);
}

// Elements of two or four bytes repeat all of the value.
CudaError copy_fill(const CudaFill *rows) {
  uint64_t width = rows->width * rows->element;
  CudaError error = rows->height > 1
                        ? check_rows(rows->at, rows->pitch, width, rows->height)
                        : cudaSuccess;
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
  uint64_t rows = extent.depth ? (extent.depth - 1) * to.height : 0;
  CudaError error =
      check_rows(to.at, to.pitch, extent.width, rows + extent.height);
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
    return refuse_part(&(End){"a copy", "its part", NULL, bytes, true},
                       global->source, 0, (int64_t)offset, global->bytes);
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
