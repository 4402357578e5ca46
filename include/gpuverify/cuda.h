// CUDA without the SDK: what a .cu file needs to be compiled by clang alone.
//
//   clang++ -x cuda -nocudainc -nocudalib -include gpuverify/cuda.h ...
//
// declares what nvcc declares before the first line of a program: the words
// of the language, the vector types, the device functions and the part of the
// host's runtime that programs with <<<>>> call.  With sdkfree/ on the include
// path, <cuda_runtime.h>, <cooperative_groups.h> and their like come here,
// too.  No header of the C or C++ library is read unless the program includes
// it: they would take longer than most verdicts.
//
// In LLVM IR a kernel then speaks of:
//
//   llvm.nvvm.read.ptx.sreg.{tid,ctaid,ntid,nctaid}.{x,y,z}, .laneid, .warpid,
//     .nwarpid, .smid, .nsmid, .gridid, .lanemask.{eq,lt,le,gt,ge}, .clock,
//     .clock64, .globaltimer, .dynamic_smem_size, .total_smem_size
//   barriers: cuda/sync.h; atomics: cuda/atomic.h; warps: cuda/warp.h
//   __nv_<name>, of values alone: mathematics and bits (__nv_sinf, __nv_clz,
//     __nv_popc, __nv_mulhi, __nv_vadd4, __nv_max, ..), but for __nv_modf,
//     __nv_frexp, __nv_sincos, __nv_sincospi, __nv_remquo (with f, too), and
//     __nv_fast_sincosf, which write through pointers
//   __assertfail (assert failed), vprintf, malloc, free, llvm.memcpy/memset

#ifndef GPUVERIFY_CUDA_H
#define GPUVERIFY_CUDA_H

#if !defined(__clang__) || !defined(__CUDA__)
#error "gpuverify/cuda.h is for clang -x cuda"
#endif
#ifdef __CUDA_RUNTIME_H__
#error "gpuverify/cuda.h replaces the CUDA SDK, which is included already"
#endif

#pragma clang system_header

// A function of ours, and a word of gpuverify.h.
#pragma push_macro("__all")
#undef __all

// The C++ library's headers look here for CUDA.
#define __CUDACC__ 1
#define __NVCC__ 1
#define CUDA_VERSION 12080
#define CUDART_VERSION 12080
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8

#include "cuda/words.h"

#include "cuda/libc.h"

#include "cuda/vector.h"

#include "cuda/intrinsics.h"

#include "cuda/math.h"

#include "cuda/classify.h"
#include "cuda/lambdas.h"
#include "cuda/minmax.h"

#include "cuda/device.h"

#include "cuda/sync.h"

#include "cuda/atomic.h"

#include "cuda/warp.h"

#include "cuda/texture.h"

#include "cuda/host.h"

#pragma pop_macro("__all")

#endif
