// Arrays: memory with a format and a shape, for textures and surfaces.
//
// Ours lie row by row without gaps.  Every copy to or from one is a box of rows
// between two places, each an array or plain memory with a pitch.

#include "runtime/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

enum { ARRAY_SIGN = 0x4152 };

// ------------------------------------------------------------------- arrays
// ---

unsigned format_bytes(const CudaFormat *format) {
  return (unsigned)(format->bits[0] + format->bits[1] + format->bits[2] +
                    format->bits[3]) /
         8;
}

// Components of 8, 16 or 32 bits, one, two or four of them.
CudaError format_check(const CudaFormat *format) {
  unsigned count = 0;
  for (unsigned n = 0; n < 4; n++) {
    int bits = format->bits[n];
    if (bits && bits != 8 && bits != 16 && bits != 32)
      return cudaErrorInvalidChannelDescriptor;
    if (bits && (count != n || bits != format->bits[0]))
      return cudaErrorInvalidChannelDescriptor;
    count += bits != 0;
  }
  if (!count || count == 3 || format->kind < 0 || format->kind > TEXTURE_FLOAT)
    return cudaErrorInvalidChannelDescriptor;
  return cudaSuccess;
}

bool array_is_valid(const CudaArray *array) {
  return array && array->sign == ARRAY_SIGN;
}

// A side that is zero is not there.
static uint64_t sides(uint64_t side) { return side ? side : 1; }

static CudaError take(CudaArray **array, const CudaFormat *format,
                      CudaExtent extent, unsigned flags) {
  CudaError error = format_check(format);
  CudaArray *made = error ? NULL : calloc(1, sizeof *made);
  if (error)
    return error;
  if (!made)
    return cudaErrorMemoryAllocation;
  if (!extent.width) {
    free(made);
    return cudaErrorInvalidValue;
  }
  made->sign = ARRAY_SIGN;
  made->format = *format;
  made->extent = extent;
  made->flags = flags;
  made->pitch = extent.width * format_bytes(format);
  made->slice = made->pitch * sides(extent.height);
  made->bytes = made->slice * sides(extent.depth);
  error = memory_take(ALLOCATION_ARRAY, (void **)&made->at, made->bytes);
  if (error)
    free(made);
  else
    *array = made;
  return error;
}

static CudaError give(CudaArray *array) {
  if (!array)
    return cudaSuccess;
  if (!array_is_valid(array))
    return cudaErrorInvalidResourceHandle;
  array->sign = 0;
  CudaError error = memory_give(array->at, ALLOCATION_ARRAY);
  free(array);
  return error;
}

CALL(cudaMallocArray, CudaArray **array, const CudaFormat *format, size_t width,
     size_t height, unsigned flags) {
  ANSWER(take(array, format, (CudaExtent){width, height, 0}, flags));
}

CALL(cudaMalloc3DArray, CudaArray **array, const CudaFormat *format,
     CudaExtent extent, unsigned flags) {
  ANSWER(take(array, format, extent, flags));
}

CALL(cudaFreeArray, CudaArray *array) { ANSWER(give(array)); }

CALL(cudaGetChannelDesc, CudaFormat *format, const CudaArray *array) {
  CudaError error = cuda_begin();
  if (!error && !array_is_valid(array))
    error = cudaErrorInvalidResourceHandle;
  if (!error)
    *format = array->format;
  return cuda_end(error);
}

CALL(cudaArrayGetInfo, CudaFormat *format, CudaExtent *extent, unsigned *flags,
     CudaArray *array) {
  CudaError error = cuda_begin();
  if (!error && !array_is_valid(array))
    error = cudaErrorInvalidResourceHandle;
  if (!error && format)
    *format = array->format;
  if (!error && extent)
    *extent = array->extent;
  if (!error && flags)
    *flags = array->flags;
  return cuda_end(error);
}

// -------------------------------------------------------------------- boxes
// ---

// One end of a copy.
typedef struct Place {
  char *at;
  uint64_t pitch, slice;
} Place;

static CudaError place_in_array(Place *place, const CudaArray *array,
                                CudaPosition from, CudaExtent extent) {
  uint64_t element = array_is_valid(array) ? format_bytes(&array->format) : 0;
  if (!element)
    return cudaErrorInvalidResourceHandle;
  if (from.x + extent.width > array->extent.width ||
      from.y + extent.height > sides(array->extent.height) ||
      from.z + extent.depth > sides(array->extent.depth))
    return cudaErrorInvalidValue;
  *place = (Place){array->at + from.z * array->slice + from.y * array->pitch +
                       from.x * element,
                   array->pitch, array->slice};
  return cudaSuccess;
}

static Place place_in_memory(const CudaPitched *memory, CudaPosition from,
                             uint64_t element) {
  uint64_t slice = memory->pitch * memory->height;
  return (Place){(char *)memory->at + from.z * slice + from.y * memory->pitch +
                     from.x * element,
                 memory->pitch, slice};
}

static CudaError copy_box(Place to, Place from, uint64_t bytes,
                          const CudaExtent *extent, int kind) {
  bool is_empty = !bytes || !extent->height || !extent->depth;
  uint64_t rows = is_empty ? 0 : extent->height - 1;
  uint64_t slices = is_empty ? 0 : extent->depth - 1;
  CudaError error =
      is_empty
          ? cudaSuccess
          : copy_check(to.at, slices * to.slice + rows * to.pitch + bytes,
                       from.at, slices * from.slice + rows * from.pitch + bytes,
                       kind);
  for (uint64_t z = 0; z < extent->depth && !is_empty && !error; z++)
    for (uint64_t y = 0; y < extent->height; y++)
      memmove(to.at + z * to.slice + y * to.pitch,
              from.at + z * from.slice + y * from.pitch, bytes);
  return error;
}

// The width counts elements where there is an array, else bytes.
CudaError copy_3d(const CudaCopy *copy) {
  const CudaArray *array = copy->to_array ? copy->to_array : copy->from_array;
  CudaError error = cudaSuccess;
  if (array && !array_is_valid(array))
    return cudaErrorInvalidResourceHandle;
  uint64_t element = array ? format_bytes(&array->format) : 1;
  Place to = place_in_memory(&copy->to, copy->to_at, 1);
  Place from = place_in_memory(&copy->from, copy->from_at, 1);
  if (copy->to_array)
    error = place_in_array(&to, copy->to_array, copy->to_at, copy->extent);
  if (!error && copy->from_array)
    error =
        place_in_array(&from, copy->from_array, copy->from_at, copy->extent);
  uint64_t bytes = copy->extent.width * element;
  if (!error &&
      ((!copy->to_array && copy->extent.height > 1 && bytes > to.pitch) ||
       (!copy->from_array && copy->extent.height > 1 && bytes > from.pitch)))
    error = cudaErrorInvalidPitchValue;
  return error ? error : copy_box(to, from, bytes, &copy->extent, copy->kind);
}

DEFAULT_CALL(cudaMemcpy3D, const CudaCopy *copy) { ANSWER(copy_3d(copy)); }

STREAM_CALL(cudaMemcpy3DAsync, const CudaCopy *copy, CudaStream *stream) {
  GraphNode node = {.kind = NODE_COPY, .copy = *copy};
  return cuda_submit(stream, &node);
}

// ----------------------------------------------------------- rows and lines
// ---

static CudaError rows_to_array(CudaArray *to, uint64_t x, uint64_t y,
                               const void *from, uint64_t pitch, uint64_t width,
                               uint64_t height, int kind) {
  uint64_t element = array_is_valid(to) ? format_bytes(&to->format) : 1;
  if (width % element || x % element)
    return cudaErrorInvalidValue;
  CudaCopy copy = {.to_array = to,
                   .to_at = {x / element, y, 0},
                   .from = {(void *)(uintptr_t)from, pitch, width, height},
                   .extent = {width / element, height, 1},
                   .kind = kind};
  return copy_3d(&copy);
}

static CudaError rows_from_array(void *to, uint64_t pitch,
                                 const CudaArray *from, uint64_t x, uint64_t y,
                                 uint64_t width, uint64_t height, int kind) {
  uint64_t element = array_is_valid(from) ? format_bytes(&from->format) : 1;
  if (width % element || x % element)
    return cudaErrorInvalidValue;
  CudaCopy copy = {.from_array = (CudaArray *)(uintptr_t)from,
                   .from_at = {x / element, y, 0},
                   .to = {to, pitch, width, height},
                   .extent = {width / element, height, 1},
                   .kind = kind};
  return copy_3d(&copy);
}

// A line goes on in the next row.
static CudaError line(CudaArray *array, uint64_t x, uint64_t y, void *memory,
                      uint64_t bytes, int kind, bool is_to_array) {
  CudaError error = cudaSuccess;
  uint64_t row = array_is_valid(array) ? array->pitch : bytes;
  for (char *at = memory; bytes && !error; y++, x = 0) {
    uint64_t part = bytes < row - x ? bytes : row - x;
    if (x >= row)
      return cudaErrorInvalidValue;
    error = is_to_array ? rows_to_array(array, x, y, at, part, part, 1, kind)
                        : rows_from_array(at, part, array, x, y, part, 1, kind);
    at += part;
    bytes -= part;
  }
  return error;
}

DEFAULT_CALL(cudaMemcpy2DToArray, CudaArray *to, size_t x, size_t y,
             const void *from, size_t pitch, size_t width, size_t height,
             int kind) {
  ANSWER(rows_to_array(to, x, y, from, pitch, width, height, kind));
}

STREAM_CALL(cudaMemcpy2DToArrayAsync, CudaArray *to, size_t x, size_t y,
            const void *from, size_t pitch, size_t width, size_t height,
            int kind, CudaStream *stream) {
  UNCAPTURED(stream);
  ANSWER(rows_to_array(to, x, y, from, pitch, width, height, kind));
}

DEFAULT_CALL(cudaMemcpy2DFromArray, void *to, size_t pitch,
             const CudaArray *from, size_t x, size_t y, size_t width,
             size_t height, int kind) {
  ANSWER(rows_from_array(to, pitch, from, x, y, width, height, kind));
}

STREAM_CALL(cudaMemcpy2DFromArrayAsync, void *to, size_t pitch,
            const CudaArray *from, size_t x, size_t y, size_t width,
            size_t height, int kind, CudaStream *stream) {
  UNCAPTURED(stream);
  ANSWER(rows_from_array(to, pitch, from, x, y, width, height, kind));
}

DEFAULT_CALL(cudaMemcpyToArray, CudaArray *to, size_t x, size_t y,
             const void *from, size_t bytes, int kind) {
  ANSWER(line(to, x, y, (void *)(uintptr_t)from, bytes, kind, true));
}

DEFAULT_CALL(cudaMemcpyFromArray, void *to, const CudaArray *from, size_t x,
             size_t y, size_t bytes, int kind) {
  ANSWER(line((CudaArray *)(uintptr_t)from, x, y, to, bytes, kind, false));
}
