# Options: what is wrong with them is one sentence, and the exit status is 2.
# shellcheck shell=sh disable=SC2086

echo '__global__ void k(int *a) { a[threadIdx.x] = 1; }' >k.cu
echo '__kernel void k(__global int *a) { a[get_global_id(0)] = 1; }' >k.cl

gives 2 'gpuverify: no file is given (see --help)'
gives 0 'usage: gpuverify' --help
gives 0 'gpuverify 0.' --version
gives 2 "unknown option '--blokDim=4'; did you mean '--blockDim'?" \
  --blokDim=4 k.cu
gives 2 "unknown option '--frobnicate' (see --help)" --frobnicate k.cu
gives 2 '-x: a file'"'"'s name says what is in it' -x c++ k.cu
gives 0 'verified' -x cu k.cu
gives 2 '-o: nothing is written to a file' -o k.cu
gives 2 '-o: nothing is written to a file' k.cu -o
gives 0 'verdict: verified' -c -o k.o k.cu
gives 2 '-E: nothing is preprocessed for you to see' -E k.cu
gives 2 '-S: nothing is compiled for you to see' run -S k.cu
gives 2 '-arch=sm_999: no such architecture is known' -arch=sm_999 k.cu
gives 2 'foo: no such architecture is known' -arch foo k.cu
gives 2 'arch=compute_13,code=sm_13: no such architecture' \
  -gencode arch=compute_13,code=sm_13 k.cu
gives 2 'sm_90x: no such architecture' run --cuda-gpu-arch=sm_90x k.cu
gives 0 'verdict: verified' -arch=native --offload-arch=sm_90a k.cu
gives 2 '--blockDim=0: sizes are at least 1' --blockDim=0 k.cu
gives 2 '--gridDim=4,0: sizes are at least 1' --gridDim=4,0 k.cu
gives 2 '--blockDim=1,2,3,4: expected X, X,Y or X,Y,Z' --blockDim=1,2,3,4 k.cu
gives 2 '--blockDim=wide: expected X, X,Y or X,Y,Z' --blockDim wide k.cu
gives 2 '--blockDim: a value is missing' k.cu --blockDim
gives 2 '--block-dim=32: contradicts the 64,1,1 given before' \
  --blockDim=64 --block-dim=32 k.cu
gives 0 'warning: block size 32,33,1: 1056 threads' --blockDim=32,33 k.cu
gives 2 '134217729 threads, but a block has at most 134217728' \
  --blockDim=134217729 k.cu
gives 0 '--no-infer is ignored: what is guessed of loops' --no-infer --verbose k.cu
gives 2 'z is at most 64' --blockDim=1,1,65 k.cu
gives 2 'y is at most 65535' --gridDim=1,65536 k.cu
gives 2 'x is at most 2147483647' --gridDim=2147483648 k.cu
gives 2 '134217729 threads, but a block has at most 134217728' \
  --local_size=134217729 k.cl
gives 2 'global size 100,1,1 is no multiple of the local size 64,1,1' \
  --global_size=100 --local_size=64 k.cl
gives 2 '--global_size and --num_groups exclude each other' \
  --global_size=128 --num_groups=2 k.cl
gives 2 'k.cu: --global_size is for OpenCL; use --gridDim' \
  --global_size=128 k.cu
gives 2 'k.cu: --global_offset is for OpenCL' --global_offset=1 k.cu
gives 2 'k.cl: --cuda contradicts its suffix' --cuda k.cl
gives 2 '--cuda, --hip and --opencl exclude each other' --cuda --opencl k.cl
gives 2 '--quiet and --verbose exclude each other' --quiet --verbose k.cu
gives 2 '--dump=llvm: expected one of kernel|program|pair|smt' --dump=llvm k.cu
gives 2 '--timeout=soon: expected a whole number' --timeout=soon k.cu
gives 2 '--timeout=1e9: expected a whole number' --timeout=1e9 k.cu
gives 2 '--memory=-1: a number below 0' --memory=-1 k.cu
gives 2 '--timeout=99999999999: a number above 4294967295' \
  --timeout=99999999999 k.cu
gives 2 '--warp-sync=4000: a number above 1024' --warp-sync=4000 k.cu
gives 2 '--threads=100000: a number above 256' barriers --threads=100000 k.cu
gives 2 '--seed=-1: a number below 0' schedules --seed=-1 k.cu
gives 2 '--blockDim=-1: sizes are at least 1' --blockDim=-1 k.cu
gives 2 '--gridDim=4,-4: sizes are at least 1' --gridDim 4,-4 k.cu
gives 2 '--global_offset=-1: an offset is at least 0' --global_offset=-1 k.cl
gives 2 '--kernel-arrays=k,-4: an array has at least 0 bytes' \
  --kernel-arrays=k,-4 k.cu
gives 2 '--json=yes: this option takes no value' --json=yes k.cu
gives 2 'pointers have 64 bits' --pointer-bitwidth=32 k.cu
gives 2 '--stop-at-gbpl: there are no stages to stop at' --stop-at-gbpl k.cu
gives 2 '--time-as-csv=x: times are in the reports' --time-as-csv=x k.cu
gives 2 '--loop-unwind=2000: a number above 1024' --loop-unwind=2000 k.cu
gives 2 "--kernel-args=k: expected a kernel's name" --kernel-args=k k.cu
gives 2 '--kernel-args: no kernel is called: other' --kernel-args=other,1 k.cu
gives 2 "--kernel-args: 'k' takes 0 scalars, 1 given" \
  --kernel-args=k,1 k.cu
gives 2 "--kernel-arrays: 'k' takes 1 pointers, 2 given" \
  --kernel-arrays=k,4,4 k.cu
gives 2 'give one file' --emit-boogie=k.bpl k.cu k.cl
gives 2 "cannot write '/nosuch/k.bpl'" --emit-boogie=/nosuch/k.bpl k.cu
gives 2 'give one file' --emit-program=k.bpl k.cu k.cl
gives 2 "cannot write '/nosuch/k.bpl'" --emit-program=/nosuch/k.bpl k.cu

export GPUVERIFY_FLAGS='--blockDim=0'
gives 2 'in GPUVERIFY_FLAGS: --blockDim=0: sizes are at least 1' k.cu
export GPUVERIFY_FLAGS='--blockDim=32'
gives 2 'contradicts the 32,1,1' --blockDim=64 k.cu
unset GPUVERIFY_FLAGS

cat >left.cu <<'END_OF_CUDA'
__global__ void k(int *a, int n) {
  if (threadIdx.x >= n)
    return;
  __syncthreads();
  a[blockIdx.x * blockDim.x + threadIdx.x] = n;
}
END_OF_CUDA
gives 0 'without exited-threads: barrier divergence' left.cu
gives 0 'exited-threads' --exited-threads=allowed left.cu
gives 1 'barrier divergence' --exited-threads=error left.cu
gives 1 'barrier divergence' --strict left.cu
gives 0 'exited-threads' --strict --assume=exited-threads left.cu
gives 2 '--exited-threads=no: expected one of allowed|error' --exited-threads=no left.cu

# What source code promises is tried, and is no promise of LLVM IR.
cat >wraps.cu <<'END_OF_CUDA'
__global__ void k(int *a, int n) {
  int t = threadIdx.x;
  a[n + t >= n ? t : 0] = t;
}
END_OF_CUDA
cat >wraps.ll <<'END_OF_IR'
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %a, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %sum = add nsw i32 %n, %t
  %grows = icmp sge i32 %sum, %n
  %i = select i1 %grows, i32 %t, i32 0
  %place = getelementptr i32, ptr addrspace(1) %a, i32 %i
  store i32 %t, ptr addrspace(1) %place
  ret void
}
END_OF_IR
gives 0 'assuming launch-limits, no-signed-overflow' --blockDim=64 --gridDim=1 wraps.cu
gives 0 'without no-signed-overflow: possible' --blockDim=64 --gridDim=1 \
  --ladder=no-signed-overflow wraps.cu
gives 1 'race' --strict wraps.cu
gives 1 'race' --ladder=sizes-fit wraps.cu
gives 2 "--ladder=sizes: 'sizes' is none of exited-threads, " --ladder=sizes wraps.cu
gives 1 'race' wraps.ll
gives 2 'no-signed-overflow is assumed of source files alone' \
  --ladder=no-signed-overflow wraps.ll

# Options in a file, as nvcc and clang read them.
echo '__global__ void told(int *a) { a[threadIdx.x * STEP] = WIDTH; }' >told.cu
printf -- '-DSTEP=1\n"-DWIDTH=3 + 4" --blockDim=64 --gridDim=1 -nocudainc\n' >told.rsp
gives 0 "kernel 'told'" told.cu --options-file told.rsp
gives 0 "kernel 'told'" --options-file=told.rsp told.cu
gives 0 "kernel 'told'" @told.rsp told.cu
gives 2 "--options-file: cannot read 'gone.rsp'" told.cu --options-file gone.rsp

# What stands in another place than it seems to.
mkdir elsewhere
echo '#define SIZE 64' >elsewhere/size.h
cat >sized.cu <<'END_OF_FILE'
#include "size.h"
__global__ void sized(int *a) { a[threadIdx.x + blockIdx.x * SIZE] = 1; }
END_OF_FILE
printf '{ "version": 0, "roots": [ { "type": "file", "name": "%s",
  "external-contents": "%s" } ] }\n' "$PWD/size.h" "$PWD/elsewhere/size.h" >o.yaml
echo '{ broken' >broken.yaml
sized='--blockDim=64 --gridDim=2 -nocudainc sized.cu'
gives 3 "'size.h' file not found" $sized
gives 0 'verdict: verified' $sized -ivfsoverlay o.yaml
gives 0 'verdict: verified' $sized -ivfsoverlayo.yaml
gives 3 "overlay file 'none.yaml' not found" $sized -ivfsoverlay none.yaml
gives 3 "invalid virtual filesystem overlay file 'broken.yaml'" $sized \
  -ivfsoverlay broken.yaml
gives 2 '-ivfsoverlay: a value is missing' $sized -ivfsoverlay
