# The plugin as the README has it, with the SDK: a whole compilation.
# shellcheck shell=sh disable=SC2034,SC2154

cat >whole.cu <<'END'
#include <cstdio>
__global__ void k(int *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 1; }
int main() {
  k<<<1, 32>>>(nullptr);
  return 0;
}
END
if [ -n "$SANITIZE" ]; then
  skip 'clang is not instrumented and cannot load an instrumented plugin'
elif [ ! -e /usr/local/cuda/include/cuda_runtime.h ]; then
  skip 'there is no SDK'
else
  out=$(clang++-22 -fplugin="$plugin" --cuda-gpu-arch=sm_80 -c whole.cu 2>&1)
  status=$?
  tells "remark: kernel 'k' is verified"
  check 'it compiles' test "$status" -eq 0
  check 'there is an object file' test -s whole.o

  # Where extended lambdas are on, the SDK asks what nvcc alone knows; the launches
  # are read all the same.
  cat >lambda.cu <<'END'
#include <cuda/std/functional>
template <class F> __global__ void apply(int *a, F f) { a[threadIdx.x] = f(1); }
static_assert(!__nv_is_extended_device_lambda_closure_type(int), "none");
int main() {
  cuda::std::__invoke_of<int (*)(int), int> of;
  (void)of;
  apply<<<1, 64>>>((int *)nullptr, [] __device__(int i) { return i; });
}
END
  gives 0 'as launched at lambda.cu:7:3' lambda.cu --extended-lambda -std=c++17
  says_not 'does not compile'
fi
