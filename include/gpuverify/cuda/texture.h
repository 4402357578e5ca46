// Textures and surfaces: what is read is not known.
//
// A fetch becomes __gpuverify_any(ptr, i64), which fills private memory with
// arbitrary bytes: CUDA leaves it open what is read where the kernel itself
// writes the memory of a texture.  A surface can be written: what is accessed of
// it, and where, is told by __gpuverify_surface_read() and its like.

#ifndef GPUVERIFY_CUDA_TEXTURE_H
#define GPUVERIFY_CUDA_TEXTURE_H

#include "vector.h"

extern "C" __device__ void __gpuverify_any(void *, size_t);

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

// Bytes at (x, y, z), and what becomes of places outside of the surface.
extern "C" __device__ void __gpuverify_surface_read(cudaSurfaceObject_t, int x,
                                                    int y, int z, int bytes,
                                                    int mode);
extern "C" __device__ void __gpuverify_surface_write(cudaSurfaceObject_t, int x,
                                                     int y, int z, int bytes,
                                                     int mode);

enum cudaTextureReadMode {
  cudaReadModeElementType,
  cudaReadModeNormalizedFloat
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureAddressMode {
  cudaAddressModeWrap,
  cudaAddressModeClamp,
  cudaAddressModeMirror,
  cudaAddressModeBorder
};
enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero,
  cudaBoundaryModeClamp,
  cudaBoundaryModeTrap
};
enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};

enum {
  cudaTextureType1D = 1,
  cudaTextureType2D = 2,
  cudaTextureType3D = 3,
  cudaTextureTypeCubemap = 0xc,
  cudaTextureType1DLayered = 0xf1,
  cudaTextureType2DLayered = 0xf2,
  cudaTextureTypeCubemapLayered = 0xfc
};

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
};
template <class T, int kind = cudaTextureType1D,
          cudaTextureReadMode mode = cudaReadModeElementType>
struct __device_builtin_texture_type__ texture : textureReference {};

// The type of what a fetch returns: floats where bytes are normalised.
template <class T, cudaTextureReadMode> struct __gpuverify_texel {
  typedef T type;
};
#define __GPUVERIFY_TEXEL(T, result)                                           \
  template <> struct __gpuverify_texel<T, cudaReadModeNormalizedFloat> {       \
    typedef result type;                                                       \
  };
__GPUVERIFY_TEXEL(unsigned char, float)
__GPUVERIFY_TEXEL(signed char, float)
__GPUVERIFY_TEXEL(char, float)
__GPUVERIFY_TEXEL(unsigned short, float)
__GPUVERIFY_TEXEL(short, float)
__GPUVERIFY_TEXEL(uchar1, float1)
__GPUVERIFY_TEXEL(uchar2, float2)
__GPUVERIFY_TEXEL(uchar4, float4)
__GPUVERIFY_TEXEL(char4, float4)
__GPUVERIFY_TEXEL(ushort2, float2)
__GPUVERIFY_TEXEL(ushort4, float4)

template <class T> __GPUVERIFY_DEVICE_INLINE T __gpuverify_any_value() {
  T texel;
  __gpuverify_any(&texel, sizeof texel);
  return texel;
}

// A fetch by texture<..>, by object, and by object with a pointer to fill.
#define __GPUVERIFY_FETCH(name)                                                \
  template <class T, int kind, cudaTextureReadMode mode, class... Where>       \
  __GPUVERIFY_DEVICE_INLINE typename __gpuverify_texel<T, mode>::type name(    \
      texture<T, kind, mode>, Where...) {                                      \
    return __gpuverify_any_value<typename __gpuverify_texel<T, mode>::type>(); \
  }                                                                            \
  template <class T, class... Where>                                           \
  __GPUVERIFY_DEVICE_INLINE T name(cudaTextureObject_t, Where...) {            \
    return __gpuverify_any_value<T>();                                         \
  }                                                                            \
  template <class T, class... Where>                                           \
  __GPUVERIFY_DEVICE_INLINE void name(T *texel, cudaTextureObject_t,           \
                                      Where...) {                              \
    *texel = __gpuverify_any_value<T>();                                       \
  }
__GPUVERIFY_FETCH(tex1Dfetch)
__GPUVERIFY_FETCH(tex1D)
__GPUVERIFY_FETCH(tex2D)
__GPUVERIFY_FETCH(tex3D)
__GPUVERIFY_FETCH(texCubemap)
__GPUVERIFY_FETCH(tex1DLayered)
__GPUVERIFY_FETCH(tex2DLayered)
__GPUVERIFY_FETCH(texCubemapLayered)
__GPUVERIFY_FETCH(tex1DLod)
__GPUVERIFY_FETCH(tex2DLod)
__GPUVERIFY_FETCH(tex3DLod)
__GPUVERIFY_FETCH(tex1DGrad)
__GPUVERIFY_FETCH(tex2DGrad)
__GPUVERIFY_FETCH(tex3DGrad)

// Of a surface x is in bytes; y and z are rows, layers and faces.
#define __GPUVERIFY_SURFACE(dimension, y, z, ...)                              \
  template <class T>                                                           \
  __GPUVERIFY_DEVICE_INLINE T surf##dimension##read(                           \
      cudaSurfaceObject_t surface, __VA_ARGS__,                                \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    __gpuverify_surface_read(surface, x, y, z, sizeof(T), mode);               \
    return __gpuverify_any_value<T>();                                         \
  }                                                                            \
  template <class T>                                                           \
  __GPUVERIFY_DEVICE_INLINE void surf##dimension##read(                        \
      T *texel, cudaSurfaceObject_t surface, __VA_ARGS__,                      \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    __gpuverify_surface_read(surface, x, y, z, sizeof(T), mode);               \
    *texel = __gpuverify_any_value<T>();                                       \
  }                                                                            \
  template <class T>                                                           \
  __GPUVERIFY_DEVICE_INLINE void surf##dimension##write(                       \
      T, cudaSurfaceObject_t surface, __VA_ARGS__,                             \
      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                   \
    __gpuverify_surface_write(surface, x, y, z, sizeof(T), mode);              \
  }
__GPUVERIFY_SURFACE(1D, 0, 0, int x)
__GPUVERIFY_SURFACE(2D, y, 0, int x, int y)
__GPUVERIFY_SURFACE(3D, y, z, int x, int y, int z)
__GPUVERIFY_SURFACE(1DLayered, 0, layer, int x, int layer)
__GPUVERIFY_SURFACE(2DLayered, y, layer, int x, int y, int layer)
__GPUVERIFY_SURFACE(Cubemap, y, face, int x, int y, int face)
__GPUVERIFY_SURFACE(CubemapLayered, y, face, int x, int y, int face)

#endif
