// Textures and surfaces as kernels see them.
//
// What a fetch returns is defined by the appendix "Texture Fetching" of the
// CUDA programming guide: a coordinate is scaled if it is normalised, half an
// element is taken off for linear filtering, and the weight of a neighbour has
// eight bits of fraction.  Of a cube map a direction says the face and where in
// it.  Fetches are not compared with writes of other threads; surfaces give an
// address, and what is read or written there is an access like all others.

#include "runtime/machine/machine.h"

#include <math.h>
#include <string.h>

Textures textures;

Texture *texture_find(uint64_t handle) {
  return handle && handle <= textures.count && textures.at[handle - 1].at
             ? &textures.at[handle - 1]
             : NULL;
}

// ---------------------------------------------------------------- elements ---

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// One component as the kernel gets it: an integer, or the bits of a float.
static uint32_t component(const Texture *t, const char *at, unsigned bits) {
  uint32_t raw = 0;
  if (bits == 32) { // the common case; only floats are filtered as they are
    memcpy(&raw, at, 4);
    return raw;
  }
  memcpy(&raw, at, bits / 8);
  uint32_t sign = raw >> (bits - 1) & 1;
  uint32_t most = UINT32_MAX >> (32 - bits);
  if (t->kind == TEXTURE_FLOAT)
    return bits == 16 ? bits_of((float)half_value((uint16_t)raw)) : raw;
  int32_t value =
      (int32_t)(sign && t->kind == TEXTURE_SIGNED ? raw | ~most : raw);
  if (!t->is_read_normalized)
    return (uint32_t)value;
  if (t->kind == TEXTURE_UNSIGNED)
    return bits_of((float)raw / (float)most);
  return bits_of(fmaxf((float)value / (float)(most >> 1), -1));
}

typedef struct Texel {
  uint32_t words[4];
} Texel;

static Texel texel_at(const Texture *t, uint64_t x, uint64_t y, uint64_t z) {
  Texel texel = {{0}};
  const char *at = t->at + z * t->slice + y * t->pitch + x * t->element;
  bool is_float = t->kind == TEXTURE_FLOAT || t->is_read_normalized;
  for (unsigned n = 0; n < 4 && t->bits[n]; at += t->bits[n] / 8, n++)
    texel.words[n] = component(t, at, t->bits[n]);
  if (!t->bits[3])
    texel.words[3] = is_float ? bits_of(1) : 1;
  return texel;
}

static Texel border(const Texture *t) {
  Texel texel = {{0}};
  bool is_float = t->kind == TEXTURE_FLOAT || t->is_read_normalized;
  for (unsigned n = 0; n < 4; n++)
    texel.words[n] =
        is_float ? bits_of(t->border[n]) : (uint32_t)(int32_t)t->border[n];
  return texel;
}

// --------------------------------------------------------------- addresses ---

// False: it lies outside, and outside there is the border.
static bool bring_inside(const Texture *t, unsigned axis, int64_t size,
                         int64_t *index) {
  TextureAddress how = t->address[axis];
  if (!t->is_normalized && how != TEXTURE_BORDER)
    how = TEXTURE_CLAMP;
  if (*index >= 0 && *index < size)
    return true;
  switch (how) {
  case TEXTURE_WRAP:
    *index %= size;
    *index += *index < 0 ? size : 0;
    return true;
  case TEXTURE_CLAMP:
    *index = *index < 0 ? 0 : size - 1;
    return true;
  case TEXTURE_MIRROR:
    *index = (*index % (2 * size) + 2 * size) % (2 * size);
    *index = *index < size ? *index : 2 * size - 1 - *index;
    return true;
  case TEXTURE_BORDER:
    break;
  }
  return false;
}

typedef struct Picture {
  unsigned axes;
  int64_t size[3];
  uint64_t layer;
} Picture;

static Texel fetch_at(const Texture *t, const Picture *picture,
                      int64_t index[3]) {
  for (unsigned n = 0; n < picture->axes; n++)
    if (!bring_inside(t, n, picture->size[n], &index[n]))
      return border(t);
  uint64_t z = picture->axes == 3 ? (uint64_t)index[2] : picture->layer;
  if (picture->axes == 1 && t->slice)
    return texel_at(t, (uint64_t)index[0], 0, picture->layer);
  return texel_at(t, (uint64_t)index[0], (uint64_t)index[1], z);
}

// --------------------------------------------------------------- filtering ---

// As an integer downwards, after a limit that is far from all of them.
static int64_t below(double value) {
  int64_t whole = (int64_t)value;
  return whole - ((double)whole > value);
}

static double within(double value) {
  const double most = 1e15;
  return value > most ? most : value >= -most ? value : value < 0 ? -most : 0;
}

// Corner by corner, each with the product of its weights.
// What was made of bytes is filtered in sixteen bits: a device of compute
// capability 9.0 does so.
static float rounded(const Texture *t, unsigned component, float sum) {
  const float most = UINT16_MAX;
  return t->is_read_normalized && t->bits[component] == 8
             ? floorf(sum * most + 0.5f) / most
             : sum;
}

static Texel filtered(const Texture *t, const Picture *picture,
                      const double *at) {
  float sum[4] = {0};
  int64_t base[3] = {0}, index[3] = {0};
  double weight[3] = {0};
  Texel texel;
  for (unsigned n = 0; n < picture->axes; n++) {
    base[n] = below(at[n] - 0.5);
    weight[n] = floor((at[n] - 0.5 - (double)base[n]) * 256 + 0.5) / 256;
  }
  for (unsigned corner = 0; corner < 1u << picture->axes; corner++) {
    double share = 1;
    for (unsigned n = 0; n < picture->axes; n++) {
      unsigned side = corner >> n & 1;
      index[n] = base[n] + side;
      share *= side ? weight[n] : 1 - weight[n];
    }
    texel = fetch_at(t, picture, index);
    for (unsigned n = 0; n < 4 && share > 0; n++)
      sum[n] += (float)share * float_of(texel.words[n]);
  }
  for (unsigned n = 0; n < 4; n++)
    texel.words[n] = bits_of(rounded(t, n, sum[n]));
  return texel;
}

static Texel nearest(const Texture *t, const Picture *picture,
                     const double *at) {
  int64_t index[3] = {0};
  for (unsigned n = 0; n < picture->axes; n++)
    index[n] = below(at[n]);
  return fetch_at(t, picture, index);
}

static Texel fetch(const Texture *t, const Picture *picture,
                   const double *given) {
  double at[3];
  for (unsigned n = 0; n < picture->axes; n++) {
    double scaled =
        t->is_normalized ? given[n] * (double)picture->size[n] : given[n];
    at[n] = within(scaled);
  }
  return t->is_linear && !t->is_line ? filtered(t, picture, at)
                                     : nearest(t, picture, at);
}

// ------------------------------------------------------------------- cubes ---

typedef struct Face {
  unsigned number;
  double s, t, m;
} Face;

static Face face_of(double x, double y, double z) {
  double ax = fabs(x), ay = fabs(y), az = fabs(z);
  if (ax >= ay && ax >= az)
    return x >= 0 ? (Face){0, -z, -y, x} : (Face){1, z, -y, -x};
  if (ay >= az)
    return y >= 0 ? (Face){2, x, z, y} : (Face){3, x, -z, -y};
  return z >= 0 ? (Face){4, x, -y, z} : (Face){5, -x, -y, -z};
}

static Texel fetch_cube(const Texture *t, uint64_t layer, const double *at) {
  Texture face_only = *t;
  Face face = face_of(at[0], at[1], at[2]);
  double inside[] = {(face.s / face.m + 1) / 2, (face.t / face.m + 1) / 2};
  Picture picture = {.axes = 2,
                     .size = {(int64_t)t->width, (int64_t)t->height},
                     .layer = layer * 6 + face.number};
  face_only.is_normalized = true;
  face_only.address[0] = face_only.address[1] = TEXTURE_CLAMP;
  return fetch(&face_only, &picture, inside);
}

// ---------------------------------------------------------------- entrance ---

// A layer that is not there is the nearest one.
static uint64_t layer_of(uint64_t layers, int32_t layer) {
  if (layer < 0 || !layers)
    return 0;
  return (uint64_t)layer < layers ? (uint64_t)layer : layers - 1;
}

void texture_fetch(uint32_t *out, uint64_t handle, uint32_t axes,
                   uint32_t is_layered, int32_t layer, double x, double y,
                   double z) {
  const Texture *t = texture_find(handle);
  double at[] = {x, y, z};
  Texel texel = {{0}};
  if (!t || t->is_surface)
    machine_fail(INCIDENT_CRASH, "%s",
                 "a texture is fetched that is none, or not any more");
  uint64_t layers = axes == TEXTURE_CUBE ? t->depth / 6 : t->depth;
  uint64_t chosen = is_layered ? layer_of(layers, layer) : 0;
  Picture picture = {
      .axes = axes,
      .size = {(int64_t)t->width, (int64_t)t->height, (int64_t)t->depth},
      .layer = chosen};
  for (unsigned n = 0; n < 3; n++)
    picture.size[n] = picture.size[n] ? picture.size[n] : 1;
  if (axes == TEXTURE_CUBE)
    texel = fetch_cube(t, chosen, at);
  else if (!t->is_line || (x >= 0 && x < (double)t->width))
    texel = fetch(t, &picture, at);
  memcpy(out, texel.words, sizeof texel.words);
}

// ---------------------------------------------------------------- surfaces ---

typedef enum Boundary {
  BOUNDARY_TRAP,
  BOUNDARY_CLAMP,
  BOUNDARY_ZERO,
} Boundary;

// False: it lies outside and is to be there.
static bool bring(int64_t *index, int64_t size, uint32_t boundary) {
  if (*index >= 0 && *index < size)
    return true;
  *index = *index < 0 ? 0 : size - 1;
  return boundary == BOUNDARY_CLAMP;
}

// Nobody may touch what is behind its end.
enum { BEHIND = 256 };

void *surface_at(void *nowhere, uint64_t handle, uint32_t axes,
                 uint32_t is_layered, uint32_t bytes, uint32_t boundary,
                 int32_t layer, int32_t x, int32_t y, int32_t z) {
  const Texture *t = texture_find(handle);
  if (!t || !t->is_surface)
    machine_fail(INCIDENT_CRASH, "%s",
                 "a surface is accessed that is none, or not any more");
  int64_t column = x / (int64_t)bytes - (x < 0), row = axes > 1 ? y : 0;
  int64_t slice = axes > 2 ? z : is_layered ? layer : 0;
  int64_t columns = (int64_t)(t->width * t->element / bytes);
  bool is_inside = bring(&column, columns, boundary);
  is_inside &= axes < 2 || bring(&row, (int64_t)t->height, boundary);
  is_inside &=
      (axes < 3 && !is_layered) || bring(&slice, (int64_t)t->depth, boundary);
  if (is_inside)
    return t->at + (uint64_t)slice * t->slice + (uint64_t)row * t->pitch +
           (uint64_t)column * bytes;
  return boundary == BOUNDARY_ZERO ? nowhere : t->at + t->bytes + BEHIND;
}
