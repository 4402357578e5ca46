// Textures and surfaces: address modes, filters, formats, layers, cube maps,
// plain memory; what a surface writes is there, and watched.
//
// The fetches are assembly, because our own headers know nothing of textures.
//
// args:     --detect=races
// prints:   textures: 0 wrong
// verdict:  passed
// bug 1:    out-of-bounds   a surface is written outside, where that is a trap
// bug 2:    racy            two threads write one place of a surface

#include <math.h>
#include <stdio.h>
#include <string.h>

__device__ float fetch(cudaTextureObject_t texture, float x, float y) {
  float red, green, blue, alpha;
  asm("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
      : "=f"(red), "=f"(green), "=f"(blue), "=f"(alpha)
      : "l"(texture), "f"(x), "f"(y));
  return red;
}

__global__ void fetch_all(float *out, cudaTextureObject_t texture,
                          const float2 *at, int count) {
  int i = threadIdx.x;
  if (i < count)
    out[i] = fetch(texture, at[i].x, at[i].y);
}

__global__ void fetch_numbers(int *out, cudaTextureObject_t texture) {
  int a, b, c, d;
  asm("tex.1d.v4.s32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
      : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
      : "l"(texture), "r"((int)threadIdx.x));
  out[threadIdx.x] = a + b;
}

__global__ void fetch_layers(float *out, cudaTextureObject_t layered,
                             cudaTextureObject_t cube) {
  float a, b, c, d;
  int i = threadIdx.x, axis = i / 2;
  float along = i % 2 ? -1 : 1;
  asm("tex.a2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"
      : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
      : "l"(layered), "r"(i), "f"(0.5f), "f"(1.5f));
  out[i] = a;
  asm("tex.cube.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"
      : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
      : "l"(cube), "f"(axis == 0 ? along : 0.1f),
        "f"(axis == 1 ? along : 0.1f), "f"(axis == 2 ? along : 0.1f));
  out[6 + i] = a;
}

__global__ void write_surface(cudaSurfaceObject_t surface) {
  int x = threadIdx.x, y = threadIdx.y;
  float value = x + 10 * y;
  if (BUG == 2)
    x /= 2;
  asm volatile("sust.b.2d.b32.trap [%0, {%1, %2}], {%3};" // says 1,2: array 9
               ::"l"(surface), "r"(4 * x + (BUG == 1 && x == 3 ? 4 : 0)),
               "r"(y), "f"(value)
               : "memory");
  asm volatile("sust.b.2d.b32.zero [%0, {%1, %2}], {%3};" ::"l"(surface),
               "r"(4 * x), "r"(y + 100), "f"(value)
               : "memory");
}

__global__ void read_surface(float *out, cudaSurfaceObject_t surface) {
  asm volatile("suld.b.2d.b32.clamp {%0}, [%1, {%2, %3}];"
               : "=f"(out[threadIdx.x])
               : "l"(surface), "r"(4 * (int)threadIdx.x - 4), "r"(1));
}

static int wrong;

static void expect(const char *what, const float *got, const float *wanted,
                   int count) {
  for (int i = 0; i < count; i++)
    if (fabsf(got[i] - wanted[i]) > 1e-6f) {
      printf("%s %d: %g, not %g\n", what, i, got[i], wanted[i]);
      wrong++;
    }
}

static cudaArray_t make_array(cudaChannelFormatDesc format, const void *data,
                              size_t element, size_t layers, unsigned flags) {
  cudaArray_t array;
  cudaMemcpy3DParms copy;
  memset(&copy, 0, sizeof copy);
  copy.extent.width = 4;
  copy.extent.height = flags & 4 ? 4 : 2;
  copy.extent.depth = layers;
  cudaMalloc3DArray(&array, &format, copy.extent, flags);
  copy.srcPtr.ptr = (void *)data;
  copy.srcPtr.pitch = 4 * element;
  copy.srcPtr.xsize = 4;
  copy.srcPtr.ysize = copy.extent.height;
  copy.dstArray = array;
  copy.extent.depth = layers ? layers : 1;
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  return array;
}

static cudaTextureObject_t make_texture(cudaArray_t array,
                                        cudaTextureAddressMode address,
                                        cudaTextureFilterMode filter,
                                        cudaTextureReadMode read,
                                        bool is_normalized) {
  cudaResourceDesc resource;
  cudaTextureDesc how;
  cudaTextureObject_t texture = 0;
  memset(&resource, 0, sizeof resource);
  memset(&how, 0, sizeof how);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = address;
  how.filterMode = filter;
  how.readMode = read;
  how.normalizedCoords = is_normalized;
  if (cudaCreateTextureObject(&texture, &resource, &how, 0))
    printf("no texture: %s\n", cudaGetErrorString(cudaGetLastError()));
  return texture;
}

static float *out;
static float2 *places;

static void check(const char *what, cudaTextureObject_t texture,
                  const float2 *at, const float *wanted, int count) {
  memcpy(places, at, count * sizeof *at);
  fetch_all<<<1, 32>>>(out, texture, places, count);
  cudaDeviceSynchronize();
  expect(what, out, wanted, count);
}

static void check_modes() {
  const float data[] = {0, 1, 2, 3, 10, 11, 12, 13};
  const unsigned char bytes[] = {0, 51, 102, 255, 0, 0, 0, 0};
  cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaChannelFormatDesc small = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
  cudaArray_t array = make_array(floats, data, 4, 0, 0);
  const float2 plain[] = {{0.5f, 0.5f}, {3.9f, 1.9f}, {-7, 0}, {9, 9}};
  const float clamped[] = {0, 13, 0, 13}, bordered[] = {0, 13, 0, 0};
  check("point, clamp",
        make_texture(array, cudaAddressModeClamp, cudaFilterModePoint,
                     cudaReadModeElementType, false),
        plain, clamped, 4);
  check("point, border",
        make_texture(array, cudaAddressModeBorder, cudaFilterModePoint,
                     cudaReadModeElementType, false),
        plain, bordered, 4);
  const float2 around[] = {{1.125f, 0.25f}, {-0.125f, 0.25f}, {2.375f, 0.75f}};
  const float wrapped[] = {0, 3, 11}, mirrored[] = {3, 0, 11};
  check("wrap",
        make_texture(array, cudaAddressModeWrap, cudaFilterModePoint,
                     cudaReadModeElementType, true),
        around, wrapped, 3);
  check("mirror",
        make_texture(array, cudaAddressModeMirror, cudaFilterModePoint,
                     cudaReadModeElementType, true),
        around, mirrored, 3);
  // A third is 85/256, for the weight has eight bits of fraction.
  const float2 between[] = {{1, 0.5f}, {0.5f, 1}, {1, 1}, {0.833333f, 0.5f}};
  const float filtered[] = {0.5f, 5, 5.5f, 85 / 256.0f};
  check("linear",
        make_texture(array, cudaAddressModeClamp, cudaFilterModeLinear,
                     cudaReadModeElementType, false),
        between, filtered, 4);
  const float2 columns[] = {{1.5f, 0}, {2.5f, 0}, {3.5f, 0}, {3, 0.5f}};
  const float parts[] = {0.2f, 0.4f, 1, 45875 / 65535.0f}; // sixteen bits
  check("normalised",
        make_texture(make_array(small, bytes, 1, 0, 0), cudaAddressModeClamp,
                     cudaFilterModeLinear, cudaReadModeNormalizedFloat, false),
        columns, parts, 4);
}

static void check_layers() {
  float data[6 * 16], wanted[12];
  cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  for (int i = 0; i < 6 * 16; i++)
    data[i] = i;
  cudaTextureObject_t layered = make_texture(
      make_array(floats, data, 4, 6, 1), cudaAddressModeClamp,
      cudaFilterModePoint, cudaReadModeElementType, false);
  cudaTextureObject_t cube = make_texture(
      make_array(floats, data, 4, 6, 4), cudaAddressModeClamp,
      cudaFilterModePoint, cudaReadModeElementType, true);
  // Where 0.1 and 0.1 lie on a face of 4 times 4, by the face's two axes.
  const int inside[] = {1 + 4 * 1, 2 + 4 * 1, 2 + 4 * 2,
                        2 + 4 * 1, 2 + 4 * 1, 1 + 4 * 1};
  for (int i = 0; i < 6; i++) {
    wanted[i] = i * 8 + 4;
    wanted[6 + i] = i * 16 + inside[i];
  }
  fetch_layers<<<1, 6>>>(out, layered, cube);
  cudaDeviceSynchronize();
  expect("layers", out, wanted, 12);
}

static void check_memory() {
  const float wanted[] = {-1, 1, 3, 0};
  short *memory;
  int *sums;
  float got[4];
  cudaResourceDesc resource;
  cudaTextureDesc how;
  cudaTextureObject_t texture = 0;
  memset(&resource, 0, sizeof resource);
  memset(&how, 0, sizeof how);
  cudaMallocManaged((void **)&memory, 6 * sizeof *memory);
  cudaMallocManaged((void **)&sums, 4 * sizeof *sums);
  for (short i = 0; i < 6; i++)
    memory[i] = i - (i < 2);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = {16, 16, 0, 0, cudaChannelFormatKindSigned};
  resource.res.linear.sizeInBytes = 6 * sizeof *memory;
  cudaCreateTextureObject(&texture, &resource, &how, 0);
  memory[2] = 1, memory[3] = 0, memory[4] = 5, memory[5] = -2;
  fetch_numbers<<<1, 4>>>(sums, texture); // the last is behind the end
  cudaDeviceSynchronize();
  for (int i = 0; i < 4; i++)
    got[i] = sums[i];
  expect("memory", got, wanted, 4);
}

static void check_surface() {
  const float nothing[8] = {0}, wanted[] = {10, 10, 11, 12, 13, 13};
  cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaResourceDesc resource;
  cudaSurfaceObject_t surface = 0;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = make_array(floats, nothing, 4, 0, 2);
  cudaCreateSurfaceObject(&surface, &resource);
  write_surface<<<1, dim3(4, 2)>>>(surface);
  read_surface<<<1, 6>>>(out, surface);
  if (!cudaDeviceSynchronize() && !BUG)
    expect("surface", out, wanted, 6);
}

int main() {
  cudaMallocManaged((void **)&out, 32 * sizeof *out);
  cudaMallocManaged((void **)&places, 32 * sizeof *places);
  check_modes();
  check_layers();
  check_memory();
  check_surface();
  printf("textures: %d wrong\n", wrong);
  return 0;
}
