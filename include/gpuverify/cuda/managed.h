// __managed__, which clang knows for HIP only.
//
// To a kernel it is a variable of the device.  Where the whole program is
// executed, that is the variable of the host, too: the section says which ones.

#ifndef GPUVERIFY_CUDA_MANAGED_H
#define GPUVERIFY_CUDA_MANAGED_H

#undef __managed__
#ifdef __GPUVERIFY_PROGRAM__
#define __managed__                                                            \
  __attribute__((device)) __attribute__((section("gpuverify_managed")))
#else
#define __managed__ __attribute__((device))
#endif

#endif
