// The device: one, of modest size, whose name says what it really is.

#define _GNU_SOURCE

#include "runtime/cuda/cuda.h"

#include <string.h>

#define MEMBER(type, member, dimensions, ...) type member dimensions;
#define NOTHING(...)

typedef struct OldProperties { // CUDA 12
#define BOTH MEMBER
#define EARLIER MEMBER
#define LATER NOTHING
#define ATTRIBUTE NOTHING
#include "runtime/cuda/device.def"
#undef EARLIER
#undef LATER
} OldProperties;

typedef struct NewProperties { // CUDA 13
#define EARLIER NOTHING
#define LATER MEMBER
#include "runtime/cuda/device.def"
#undef EARLIER
#undef LATER
} NewProperties;
#undef BOTH
#undef ATTRIBUTE

#define VALUE(type, member, dimensions, ...) .member = __VA_ARGS__,

static const OldProperties old_properties = {
#define BOTH VALUE
#define EARLIER VALUE
#define LATER NOTHING
#define ATTRIBUTE NOTHING
#include "runtime/cuda/device.def"
#undef EARLIER
#undef LATER
};

static const NewProperties new_properties = {
#define EARLIER NOTHING
#define LATER VALUE
#include "runtime/cuda/device.def"
#undef EARLIER
#undef LATER
#undef BOTH
#undef ATTRIBUTE
};

static const struct {
  int number, value;
} attributes[] = {
#define BOTH NOTHING
#define EARLIER NOTHING
#define LATER NOTHING
#define ATTRIBUTE(number, value) {number, value},
#include "runtime/cuda/device.def"
#undef BOTH
#undef EARLIER
#undef LATER
#undef ATTRIBUTE
};

// What depends on the architecture that the program is compiled for.
static void set_capability(int *major, int *minor, int *has_clusters) {
  *major = (int)ledger_capability() / 10;
  *minor = (int)ledger_capability() % 10;
  *has_clusters = *major >= 9;
}

// An attribute of these numbers; else `otherwise`.
static int capability_of(int number, int otherwise) {
  enum { MAJOR = 75, MINOR = 76, CLUSTERS = 120 };
  int major, minor, has_clusters;
  set_capability(&major, &minor, &has_clusters);
  return number == MAJOR      ? major
         : number == MINOR    ? minor
         : number == CLUSTERS ? has_clusters
                              : otherwise;
}

static CudaError of_device(int device) {
  return device ? cudaErrorInvalidDevice : cudaSuccess;
}

CALL(cudaGetDeviceProperties, NewProperties *properties, int device) {
  CudaError error = cuda_begin();
  if (!error)
    error = of_device(device);
  if (!error) {
    *properties = new_properties;
    set_capability(&properties->major, &properties->minor,
                   &properties->clusterLaunch);
  }
  return cuda_end(error);
}

CALL(cudaGetDeviceProperties_v2, OldProperties *properties, int device) {
  CudaError error = cuda_begin();
  if (!error)
    error = of_device(device);
  if (!error) {
    *properties = old_properties;
    set_capability(&properties->major, &properties->minor,
                   &properties->clusterLaunch);
  }
  return cuda_end(error);
}

CALL(cudaDeviceGetAttribute, int *value, int number, int device) {
  CudaError error = cuda_begin();
  *value = 0;
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    if (attributes[i].number == number)
      *value = attributes[i].value;
  *value = capability_of(number, *value);
  return cuda_end(error ? error : of_device(device));
}

// ------------------------------------------------------------- which one ---

CALL(cudaGetDeviceCount, int *count) {
  *count = 1;
  ANSWER(cudaSuccess);
}

CALL(cudaGetDevice, int *device) {
  *device = 0;
  ANSWER(cudaSuccess);
}

CALL(cudaSetDevice, int device) { ANSWER(of_device(device)); }
CALL(cudaInitDevice, int device, unsigned flags, unsigned more) {
  (void)flags, (void)more;
  ANSWER(of_device(device));
}

CALL(cudaSetValidDevices, const int *devices, int count) {
  ANSWER(count > 0 ? of_device(devices[0]) : cudaSuccess);
}

CALL(cudaChooseDevice, int *device, const void *wanted) {
  (void)wanted;
  *device = 0;
  ANSWER(cudaSuccess);
}

static unsigned flags_set;

CALL(cudaSetDeviceFlags, unsigned flags) {
  flags_set = flags;
  ANSWER(cudaSuccess);
}

CALL(cudaGetDeviceFlags, unsigned *flags) {
  *flags = flags_set | 8; // cudaDeviceMapHost
  ANSWER(cudaSuccess);
}

CALL(cudaDeviceGetPCIBusId, char *text, int length, int device) {
  CudaError error = cuda_begin();
  if (!error)
    error = of_device(device);
  if (!error)
    snprintf(text, (size_t)length, "0000:00:00.0");
  return cuda_end(error);
}

CALL(cudaDeviceGetByPCIBusId, int *device, const char *text) {
  *device = 0;
  ANSWER(strcmp(text, "0000:00:00.0") ? cudaErrorInvalidValue : cudaSuccess);
}

CALL(cudaDriverGetVersion, int *version) {
  *version = CUDA_VERSION;
  ANSWER(cudaSuccess);
}

CALL(cudaRuntimeGetVersion, int *version) {
  *version = CUDA_VERSION;
  ANSWER(cudaSuccess);
}

// ----------------------------------------------------------------- peers ---

CALL(cudaDeviceCanAccessPeer, int *can, int device, int peer) {
  CudaError error = cuda_begin();
  *can = 0;
  if (!error)
    error = of_device(device);
  return cuda_end(error ? error : of_device(peer));
}

CALL(cudaDeviceEnablePeerAccess, int peer, unsigned flags) {
  (void)peer, (void)flags;
  ANSWER(cudaErrorInvalidDevice);
}

CALL(cudaDeviceDisablePeerAccess, int peer) {
  (void)peer;
  ANSWER(cudaErrorInvalidDevice);
}

// ----------------------------------------------------------- as a whole ---

// Everything that was asked for has been done.
CALL(cudaDeviceSynchronize, void) { ANSWER(cudaSuccess); }
CALL(cudaThreadSynchronize, void) { ANSWER(cudaSuccess); }

CALL(cudaDeviceReset, void) {
  cuda_begin();
  memory_give_all();
  cuda_unstick();
  return cuda_end(cudaSuccess);
}

CALL(cudaThreadExit, void) { return cudaDeviceReset(); }

// What only says how fast something is to be.
CALL(cudaDeviceSetCacheConfig, int config) {
  (void)config;
  ANSWER(cudaSuccess);
}

CALL(cudaDeviceGetCacheConfig, int *config) {
  *config = 0;
  ANSWER(cudaSuccess);
}

CALL(cudaDeviceSetSharedMemConfig, int config) {
  (void)config;
  ANSWER(cudaSuccess);
}

CALL(cudaDeviceGetSharedMemConfig, int *config) {
  *config = 1; // banks of four bytes
  ANSWER(cudaSuccess);
}

CALL(cudaCtxResetPersistingL2Cache, void) { ANSWER(cudaSuccess); }
CALL(cudaProfilerStart, void) { ANSWER(cudaSuccess); }
CALL(cudaProfilerStop, void) { ANSWER(cudaSuccess); }

typedef struct CudaChannel {
  int x, y, z, w, kind;
} CudaChannel;

EXPORT CudaChannel cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
CudaChannel cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return (CudaChannel){x, y, z, w, kind};
}
