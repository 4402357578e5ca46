# HIP: by its suffix or by options, in the command and in clang, without ROCm.
# shellcheck shell=sh disable=SC2034,SC2154

echo '{"grid": 1, "block": 1, "arguments": []}' >k.json
cat >k.hip <<'END'
#include <hip/hip_runtime.h>
__global__ void k(int *a) { a[threadIdx.x % 64] = (int)threadIdx.x; }
void run(int *a) { hipLaunchKernelGGL(k, 1, 64, 0, 0, a); }
END
sed 's/k(/other(/; s/(k,/(other,/; s/void run/void run_other/' k.hip >other.cu
cp k.hip k.cpp
cp k.hip k.hip.cpp
own=--clang-arg=-nogpuinc
gives 0 'for blockDim = (64,1,1), gridDim = (1,1,1)' $own k.hip
gives 0 'for blockDim = (64,1,1), gridDim = (1,1,1)' $own k.hip.cpp
gives 0 'for blockDim = (64,1,1), gridDim = (1,1,1)' $own --hip other.cu
gives 0 'for blockDim = (64,1,1), gridDim = (1,1,1)' $own -x hip k.cpp
gives 0 "kernel 'other'" $own --hip k.hip other.cu
gives 0 'verdict: verified' $own --offload-arch=gfx1030 k.hip
gives 1 'write-write race' $own --blockDim=128 k.hip
gives 2 'not a .cu, .hip, .cl, .ll or .bc file' k.cpp
gives 2 'k.hip: --cuda contradicts its suffix' --cuda k.hip
gives 2 'k.hip: --global_size is for OpenCL' --global_size=64 k.hip
gives 2 'k.hip: give one --offload-arch at a time' \
  --offload-arch=gfx90a --offload-arch=gfx1030 k.hip
gives 2 'k.hip: give one --offload-arch at a time' \
  --offload-arch=gfx90a,gfx1030 k.hip
gives 2 '--cuda, --hip and --opencl exclude each other' --hip --cuda k.cu
gives 2 'not a .cu, .cl, .ll or .bc file' run --launch=k.json k.hip
gives 2 'not a .ptx or .cu file' barriers k.hip

cat >amd.ll <<'END'
target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k() { ret void }
END
gives 2 'code for devices of AMD is proved, and not executed' run \
  --launch=k.json amd.ll

if [ -n "$SANITIZE" ]; then
  skip 'clang is not instrumented and cannot load an instrumented plugin'
else
  device="-x hip --offload-device-only --offload-arch=gfx90a -nogpuinc -nogpulib
    -isystem $root/include -isystem $root/include/gpuverify/sdkfree/rocm
    -include gpuverify/hip.h"
  compile 0 'for blockDim (64,1,1)' -fsyntax-only -Rpass=gpuverify \
    -Rremark-backend-plugin k.hip
  sed 's/1, 64/1, 128/' k.hip >wide.hip
  compile 0 'wide.hip:2:49: warning: possible write-write race' \
    -fsyntax-only wide.hip
  device="-x hip --offload-host-only -nogpuinc -nogpulib
    -isystem $root/include -isystem $root/include/gpuverify/sdkfree/rocm
    -include gpuverify/hip.h"
  compile 0 '' -fsyntax-only wide.hip
  says_not race
fi
