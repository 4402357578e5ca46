# gpuverify -j: several kernels or files at a time, told one after the other.
# shellcheck shell=sh

cat >many.cu <<'END_OF_CUDA'
template <int N> __global__ void good(int *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x + N] = N;
}
__global__ void racy(int *a) { a[threadIdx.x / 2] = threadIdx.x; }
__global__ void wrong(int *a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    a[i] = i;
}
void launch(int *a, int n) {
  good<1><<<4, 64>>>(a);
  racy<<<1, 64>>>(a);
  good<2><<<4, 64>>>(a);
  wrong<<<1, 64>>>(a, n);
  good<3><<<4, 64>>>(a);
}
END_OF_CUDA
echo '__global__ void k(int *a) { a[threadIdx.x] = 1; }' >k.cu
echo '__global__ void broken(int *a) { a[0] = missing; }' >broken.cu
echo 'int nothing;' >nothing.cu

# in_order ARGUMENT..: the verdicts as they are printed.  What an alarm looks
# like depends on what the process has proved before.
in_order() {
  {
    "$gpuverify" --no-confirm "$@" 2>&1
    echo "status $?"
  } | grep -E "^verdict: |^status |^gpuverify: |error: " |
    sed 's/, [0-9.]* s)$/)/'
}

same() {
  in_order -j1 "$@" >one.txt
  for jobs in 0 2 5; do
    in_order "-j$jobs" "$@" >several.txt
    check "-j$jobs $*" cmp one.txt several.txt
  done
  out=$(cat one.txt)
}

same many.cu
tells "verdict: racy (possible, kernel 'racy'"
tells "kernel 'good<3>'"
tells 'status 1'
same --file-timeout=20 many.cu
same many.cu broken.cu k.cu missing.cu nothing.cu many.cu k.cu
tells 'does not compile'
tells 'there is no kernel in this file'
same --kernel-args='wrong,*,64' many.cu
same --kernel-args='nobody,*,64' many.cu k.cu k.cu
tells '--kernel-args: no kernel is called'
gives 2 '-j=many: expected a whole number' -j=many k.cu
gives 2 '-j=257: ' -j=257 k.cu
gives 0 '"verdict":"verified"' -j3 --json k.cu k.cu
