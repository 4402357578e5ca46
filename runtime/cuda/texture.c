// Texture and surface objects: what texture.c needs to know of them.

#include "runtime/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TEXTURES = 1 << 20 };

enum {
  RESOURCE_ARRAY = 0,
  RESOURCE_LINEAR = 2,
  RESOURCE_ROWS = 3,
  FILTER_LINEAR = 1,
};

// Of both objects; `kind` says which member of the union it is.
typedef struct Resource {
  int kind;
  union {
    CudaArray *array;
    struct {
      char *at;
      CudaFormat format;
      size_t bytes;
    } linear;
    struct {
      char *at;
      CudaFormat format;
      size_t width, height, pitch;
    } rows;
    int room[32];
  } of;
} Resource;

typedef struct Sampling {
  int address[3], filter, read, is_srgb;
  float border[4];
  int is_normalized;
  unsigned anisotropy;
  int mipmap_filter;
  float bias, least, most;
  int no_trilinear, is_seamless;
} Sampling;

typedef struct Described {
  bool is_used;
  Resource resource;
  Sampling sampling;
} Described;

static Described *described; // by handle, as textures.at

// ----------------------------------------------------------------- resources
// ---

static void set_format(Texture *texture, const CudaFormat *format) {
  for (unsigned n = 0; n < 4; n++)
    texture->bits[n] = (unsigned)format->bits[n];
  texture->element = format_bytes(format);
  texture->kind = (TextureKind)format->kind;
}

static CudaError set_array(Texture *texture, const CudaArray *array) {
  if (!array_is_valid(array))
    return cudaErrorInvalidResourceHandle;
  texture->at = array->at;
  texture->bytes = array->bytes;
  texture->width = array->extent.width;
  texture->height = array->extent.height;
  texture->depth = array->extent.depth;
  texture->pitch = array->pitch;
  texture->slice = array->slice;
  set_format(texture, &array->format);
  return cudaSuccess;
}

static CudaError set_linear(Texture *texture, const Resource *resource) {
  CudaError error = format_check(&resource->of.linear.format);
  if (error || !memory_find(resource->of.linear.at))
    return error ? error : cudaErrorInvalidValue;
  texture->at = resource->of.linear.at;
  texture->bytes = resource->of.linear.bytes;
  texture->width = texture->bytes / format_bytes(&resource->of.linear.format);
  texture->pitch = texture->bytes;
  texture->is_line = true;
  set_format(texture, &resource->of.linear.format);
  return cudaSuccess;
}

static CudaError set_rows(Texture *texture, const Resource *resource) {
  CudaError error = format_check(&resource->of.rows.format);
  if (error || !memory_find(resource->of.rows.at))
    return error ? error : cudaErrorInvalidValue;
  texture->at = resource->of.rows.at;
  texture->width = resource->of.rows.width;
  texture->height = resource->of.rows.height;
  texture->pitch = resource->of.rows.pitch;
  texture->bytes = texture->pitch * texture->height;
  texture->slice = texture->bytes;
  set_format(texture, &resource->of.rows.format);
  return cudaSuccess;
}

static CudaError set_resource(Texture *texture, const Resource *resource) {
  if (resource->kind == RESOURCE_ARRAY)
    return set_array(texture, resource->of.array);
  if (resource->kind == RESOURCE_LINEAR)
    return set_linear(texture, resource);
  if (resource->kind == RESOURCE_ROWS)
    return set_rows(texture, resource);
  return cuda_unanswered("cudaCreateTextureObject of a mipmapped array");
}

// ------------------------------------------------------------------ sampling
// ---

// Integers are filtered only as floats.
static CudaError set_sampling(Texture *texture, const Sampling *sampling) {
  bool is_wide = texture->bits[0] == 32;
  bool is_float = texture->kind == TEXTURE_FLOAT;
  texture->is_linear = sampling->filter == FILTER_LINEAR;
  texture->is_read_normalized = sampling->read && !is_float;
  texture->is_normalized = sampling->is_normalized;
  if (sampling->is_srgb)
    return cuda_unanswered("cudaCreateTextureObject with sRGB");
  if (texture->is_read_normalized && is_wide)
    return cudaErrorInvalidNormSetting;
  if (texture->is_linear && !is_float && !texture->is_read_normalized)
    return cudaErrorInvalidFilterSetting;
  for (unsigned n = 0; n < 3; n++) {
    if (sampling->address[n] < TEXTURE_WRAP ||
        sampling->address[n] > TEXTURE_BORDER)
      return cudaErrorInvalidValue;
    texture->address[n] = (TextureAddress)sampling->address[n];
  }
  memcpy(texture->border, sampling->border, sizeof texture->border);
  return cudaSuccess;
}

// ------------------------------------------------------------------- objects
// ---

static CudaError add(const Texture *texture, const Described *description,
                     uint64_t *handle) {
  static size_t room;
  if (textures.count == room) {
    size_t wanted = room ? 2 * room : 16;
    Texture *more = realloc(textures.at, wanted * sizeof *more);
    if (more)
      textures.at = more;
    Described *also = realloc(described, wanted * sizeof *also);
    if (also)
      described = also;
    if (!more || !also || wanted > MOST_TEXTURES)
      return cudaErrorMemoryAllocation;
    room = wanted;
  }
  textures.at[textures.count] = *texture;
  described[textures.count++] = *description;
  *handle = textures.count;
  return cudaSuccess;
}

static CudaError create(uint64_t *handle, const Resource *resource,
                        const Sampling *sampling) {
  Texture texture = {.is_surface = !sampling};
  Described description = {.is_used = true, .resource = *resource};
  CudaError error = set_resource(&texture, resource);
  if (!error && sampling) {
    error = set_sampling(&texture, sampling);
    description.sampling = *sampling;
  }
  return error ? error : add(&texture, &description, handle);
}

static CudaError destroy(uint64_t handle) {
  Texture *texture = texture_find(handle);
  if (!texture)
    return handle ? cudaErrorInvalidValue : cudaSuccess;
  texture->at = NULL;
  described[handle - 1].is_used = false;
  return cudaSuccess;
}

CALL(cudaCreateTextureObject, uint64_t *handle, const Resource *resource,
     const Sampling *sampling, const void *view) {
  if (view)
    return cuda_unanswered("cudaCreateTextureObject with a view");
  ANSWER(sampling ? create(handle, resource, sampling) : cudaErrorInvalidValue);
}

CALL(cudaDestroyTextureObject, uint64_t handle) { ANSWER(destroy(handle)); }

CALL(cudaCreateSurfaceObject, uint64_t *handle, const Resource *resource) {
  ANSWER(resource->kind == RESOURCE_ARRAY ? create(handle, resource, NULL)
                                          : cudaErrorInvalidValue);
}

CALL(cudaDestroySurfaceObject, uint64_t handle) { ANSWER(destroy(handle)); }

static CudaError describe(uint64_t handle, Resource *resource,
                          Sampling *sampling) {
  if (!texture_find(handle))
    return cudaErrorInvalidValue;
  if (resource)
    *resource = described[handle - 1].resource;
  if (sampling)
    *sampling = described[handle - 1].sampling;
  return cudaSuccess;
}

CALL(cudaGetTextureObjectResourceDesc, Resource *resource, uint64_t handle) {
  ANSWER(describe(handle, resource, NULL));
}

CALL(cudaGetTextureObjectTextureDesc, Sampling *sampling, uint64_t handle) {
  ANSWER(describe(handle, NULL, sampling));
}

CALL(cudaGetSurfaceObjectResourceDesc, Resource *resource, uint64_t handle) {
  ANSWER(describe(handle, resource, NULL));
}
