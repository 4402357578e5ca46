// The types of CUDA's runtime API as the library's callers lay them out.
//
// Only what is read or written here has a name; numbers of enumerations are
// CUDA's.  cudaDeviceProp comes in two layouts: the one of CUDA 12, which our
// own headers have, too, and the one of CUDA 13, which has fewer members.

#ifndef RUNTIME_CUDA_TYPES_H
#define RUNTIME_CUDA_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum CudaError {
#define CUDA_ERROR(number, name) name = number,
#include "runtime/cuda/errors.def"
#undef CUDA_ERROR
} CudaError;

typedef struct CudaDim {
  unsigned x, y, z;
} CudaDim;

typedef struct CudaStream CudaStream;
typedef struct CudaEvent CudaEvent;

enum {
  COPY_HOST_TO_HOST,
  COPY_HOST_TO_DEVICE,
  COPY_DEVICE_TO_HOST,
  COPY_DEVICE_TO_DEVICE,
  COPY_DEFAULT,
};

typedef struct CudaPool CudaPool;

typedef struct CudaExtent {
  size_t width, height, depth;
} CudaExtent;

typedef struct CudaPosition {
  size_t x, y, z;
} CudaPosition;

typedef struct CudaPitched {
  void *at;
  size_t pitch, width, height;
} CudaPitched;

// cudaChannelFormatDesc
typedef struct CudaFormat {
  int bits[4]; // of each component
  int kind;
} CudaFormat;

typedef struct CudaArray CudaArray;

// cudaMemcpy3DParms
typedef struct CudaCopy {
  CudaArray *from_array;
  CudaPosition from_at;
  CudaPitched from;
  CudaArray *to_array;
  CudaPosition to_at;
  CudaPitched to;
  CudaExtent extent;
  int kind;
} CudaCopy;

// cudaMemsetParams
typedef struct CudaFill {
  void *at;
  size_t pitch;
  unsigned value, element; // bytes of one
  size_t width, height;    // in elements
} CudaFill;

// cudaKernelNodeParams
typedef struct CudaKernelNode {
  const void *kernel;
  CudaDim grid, block;
  unsigned shared;
  void **arguments, **extra;
} CudaKernelNode;

// cudaHostNodeParams
typedef struct CudaHostNode {
  void (*call)(void *data);
  void *data;
} CudaHostNode;

typedef struct CudaGraph CudaGraph;
typedef struct CudaGraphExec CudaGraphExec;
typedef struct GraphNode GraphNode;

enum {
  MEMORY_UNREGISTERED,
  MEMORY_HOST,
  MEMORY_DEVICE,
  MEMORY_MANAGED,
};

typedef struct CudaPointer {
  int type, device;
  void *on_device, *on_host;
} CudaPointer;

typedef struct CudaLaunchAttribute {
  int id;
  char padding[4];
  union {
    char room[64];
    int number;
    CudaDim size;
  } value;
} CudaLaunchAttribute;

enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };

typedef struct CudaLaunchConfig {
  CudaDim grid, block;
  size_t shared;
  CudaStream *stream;
  CudaLaunchAttribute *attributes;
  unsigned count;
} CudaLaunchConfig;

enum { LIMIT_STACK = 0, LIMIT_HEAP = 2 };

#endif
