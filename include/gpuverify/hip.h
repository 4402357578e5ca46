// HIP without ROCm: what a .hip file needs to be compiled by clang alone.
//
//   clang++ -x hip -nogpuinc -nogpulib -include gpuverify/hip.h ...
//
// The language is CUDA's, so what does not depend on the device is, too: the
// words, the vector types and mathematics are those of cuda/, under the names
// of libdevice.  hip/ has what AMD's devices do in another way, and the host's
// runtime by its names in HIP.  With sdkfree/rocm/ on the include path,
// <hip/hip_runtime.h> and its like come here.
//
// In LLVM IR a kernel then speaks of:
//
//   llvm.amdgcn.workitem.id.{x,y,z}, .workgroup.id.{x,y,z}; sizes are read
//     behind llvm.amdgcn.implicitarg.ptr
//   barriers: hip/sync.h; atomics: hip/atomic.h; lanes: hip/warp.h
//   __nv_<name>, __assertfail, malloc, free, llvm.memcpy/memset: see cuda.h
//   __ockl_printf_begin, .._append_args, .._append_string_n

#ifndef GPUVERIFY_HIP_H
#define GPUVERIFY_HIP_H

#if !defined(__clang__) || !defined(__HIP__)
#error "gpuverify/hip.h is for clang -x hip"
#endif
#ifdef HIP_INCLUDE_HIP_HIP_RUNTIME_H
#error "gpuverify/hip.h replaces ROCm, which is included already"
#endif

#pragma clang system_header

#pragma push_macro("__all")
#undef __all

#define __HIPCC__ 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 0
#define HIP_VERSION 60000000

#include "cuda/words.h"

#include "cuda/libc.h"

#include "cuda/vector.h"

#include "cuda/intrinsics.h"

#include "cuda/math.h"

#include "cuda/classify.h"
#include "cuda/minmax.h"

#include "hip/device.h"

#include "hip/sync.h"

#include "hip/atomic.h"

#include "hip/warp.h"

#include "hip/host.h"

#pragma pop_macro("__all")

#endif
