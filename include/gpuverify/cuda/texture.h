// Textures and surfaces: what is read is not known.
//
// A fetch becomes __gpuverify_any(ptr, i64), which fills private memory with
// arbitrary bytes: CUDA leaves it open what is read where the kernel itself
// writes the memory of a texture.  A surface can be written, and its memory
// may be read in other ways: surf1Dwrite and its like become
// __gpuverify_surface_write(), which the translator does not accept.

#ifndef GPUVERIFY_CUDA_TEXTURE_H
#define GPUVERIFY_CUDA_TEXTURE_H

#include "vector.h"

extern "C" __device__ void __gpuverify_any(void *, size_t);
extern "C" __device__ void __gpuverify_surface_write(void);

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

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

#define __GPUVERIFY_SURFACE(dimension)                                         \
  template <class T, class... Where>                                           \
  __GPUVERIFY_DEVICE_INLINE T surf##dimension##read(cudaSurfaceObject_t,       \
                                                    Where...) {                \
    return __gpuverify_any_value<T>();                                         \
  }                                                                            \
  template <class T, class... Where>                                           \
  __GPUVERIFY_DEVICE_INLINE void surf##dimension##read(                        \
      T *texel, cudaSurfaceObject_t, Where...) {                               \
    *texel = __gpuverify_any_value<T>();                                       \
  }                                                                            \
  template <class T, class... Where>                                           \
  __GPUVERIFY_DEVICE_INLINE void surf##dimension##write(                       \
      T, cudaSurfaceObject_t, Where...) {                                      \
    __gpuverify_surface_write();                                               \
  }
__GPUVERIFY_SURFACE(1D)
__GPUVERIFY_SURFACE(2D)
__GPUVERIFY_SURFACE(3D)
__GPUVERIFY_SURFACE(1DLayered)
__GPUVERIFY_SURFACE(2DLayered)
__GPUVERIFY_SURFACE(Cubemap)

#endif
