// Errors as CUDA has them: each call returns one and leaves it to be asked for;
// what a kernel did wrong stays until the device is reset.

#define _GNU_SOURCE

#include "runtime/cuda/cuda.h"

#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static CudaError stuck;
static _Thread_local CudaError last;
static unsigned depth; // of calls, of the thread that has the lock

CudaError cuda_begin(void) {
  pthread_mutex_lock(&lock);
  if (!depth++)
    guard_enter();
  return stuck;
}

static void leave(void) {
  if (!--depth)
    guard_leave();
  pthread_mutex_unlock(&lock);
}

CudaError cuda_end(CudaError error) {
  if (error && error != cudaErrorNotReady)
    last = error;
  leave();
  return error;
}

void cuda_stick(CudaError error) {
  if (!stuck)
    stuck = error;
}

void cuda_unstick(void) {
  stuck = cudaSuccess;
  last = cudaSuccess;
}

CALL(cudaGetLastError, void) {
  CudaError error = cuda_begin();
  if (!error)
    error = last;
  last = cudaSuccess;
  cuda_asks();
  leave();
  return error;
}

CALL(cudaPeekAtLastError, void) {
  CudaError error = cuda_begin();
  if (!error)
    error = last;
  cuda_asks();
  leave();
  return error;
}

// ----------------------------------------------------------------- names ---

const char *cudaGetErrorName(CudaError error) {
  switch (error) {
#define CUDA_ERROR(number, name)                                               \
  case number:                                                                 \
    return #name;
#include "runtime/cuda/errors.def"
#undef CUDA_ERROR
  }
  return "unrecognized error code";
}

// "illegal address" of cudaErrorIllegalAddress.
static void spell(char text[64], const char *name) {
  size_t length = 0;
  name += !strncmp(name, "cudaError", 9) ? 9 : 4;
  for (; *name && length < 60; name++) {
    if (length && isupper((unsigned char)*name) &&
        islower((unsigned char)name[-1]))
      text[length++] = ' ';
    text[length++] = (char)tolower((unsigned char)*name);
  }
  text[length] = 0;
}

EXPORT const char *cudaGetErrorString(CudaError error);
const char *cudaGetErrorString(CudaError error) {
  static char texts[1000][64];
  const char *name = cudaGetErrorName(error);
  if ((unsigned)error >= 1000 || name[0] != 'c')
    return name;
  if (!error)
    return "no error";
  spell(texts[error], name);
  return texts[error];
}

// ------------------------------------------------------ what is not there ---

CudaError cuda_unanswered(const char *name) {
  static const char *said[256];
  cuda_begin();
  for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
    if (said[i] == name)
      break;
    if (said[i])
      continue;
    said[i] = name;
    fprintf(stderr,
            "gpuverify: %s is not answered here; it returns "
            "cudaErrorNotSupported\n",
            name);
    break;
  }
  return cuda_end(cudaErrorNotSupported);
}
