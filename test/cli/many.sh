# Many kernels, deep calls, and what there is no time for.
# shellcheck shell=sh disable=SC2034,SC2086,SC2154

# kernels N: correct ones, each a little proof.
kernels() {
  awk -v n="$1" 'BEGIN {
    for (i = 0; i < n; i++)
      printf "__global__ void k%d(int *a)" \
        " { a[threadIdx.x + blockIdx.x * blockDim.x] = threadIdx.x + %d; }\n",
        i, i
  }'
}
# deep N: so many levels of calls, those below first.
deep() {
  awk -v n="$1" 'BEGIN {
    print "__device__ int f0(int x) { return x; }"
    for (i = 1; i <= n; i++)
      printf "__device__ int f%d(int x) { return f%d(x + %d) ^ x; }\n",
        i, i - 1, i
    printf "__global__ void deep(int *a) { a[threadIdx.x] = f%d(1); }\n", n
  }'
}
# wide N: each of so many levels is called twice.
wide() {
  awk -v n="$1" 'BEGIN {
    print "template <int N> __device__ int f(int x)" \
      " { return f<N - 1>(x) ^ f<N - 1>(x + N); }"
    print "template <> __device__ int f<0>(int x) { return x; }"
    printf "__global__ void wide(int *a) { a[threadIdx.x] = f<%d>(1); }\n", n
    print "__global__ void small(int *a) { a[threadIdx.x] = f<3>(1); }"
  }'
}

deep 1000 >deep.cu
gives 0 'verdict: verified' --gridDim=1 deep.cu
wide 60 >wide.cu
gives 4 "kernel 'wide'" --gridDim=1 wide.cu
tells 'with all that it calls, the kernel has more than a million instructions'
tells "verdict: verified (kernel 'small'"

# A file without time for all of its kernels: each has a verdict or is in the
# one line about those that have none.
kernels 600 >many.cu
gives 4 'kernels: ' --file-timeout=1 many.cu
decided=$(printf '%s\n' "$out" | grep -c '^verdict: verified')
left=$(printf '%s\n' "$out" |
  sed -n 's/^many.cu: not looked at: \([0-9]*\) kernels: .* more: the time.*/\1/p')
open=$(printf '%s\n' "$out" | grep -c "^verdict: unknown (kernel 'k")
check 'every kernel is told of' test "$((decided + open + left))" -eq 600
check 'no share is too small' test "$open" -le 1
# Easy kernels have a verdict, whatever stands before them.
factors() {
  awk -v n="$1" 'BEGIN {
    for (i = 0; i < n; i++)
      printf "__global__ void hard%d(int *a, unsigned x, unsigned y) {" \
        " if (x * 1ull * y == 4611685846628697223ull + 2 * %d && x > 1 && y > 1)" \
        " a[0] = threadIdx.x; }\n", i, i
  }'
}
{
  factors 30
  kernels 20
} >factors_first.cu
gives 4 "verdict: verified (kernel 'k19'" --file-timeout=3 factors_first.cu
check 'a glance is enough for the easy ones' \
  test "$(printf '%s\n' "$out" | grep -c '^verdict: verified')" -eq 20
objects=$("$gpuverify" --file-timeout=1 --json many.cu | grep -c '^{')
check 'a program gets all of them' test "$objects" -eq 600

if [ -n "$SANITIZE" ]; then
  skip 'clang is not instrumented and cannot load an instrumented plugin'
else
  compile 0 'remark: kernel' -fsyntax-only deep.cu
  compile 0 'warning: gpuverify: not looked at: ' -Werror \
    $arg-file-timeout=1 -fsyntax-only many.cu
  lines=$(printf '%s\n' "$out" | grep -c 'warning: ')
  check 'one line for those left out' test "$lines" -le 2
fi

# An interrupted proof says what it has and has not.
cat >endless.cu <<'END'
__global__ void first(int *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 1; }
__global__ void second(unsigned long *a, unsigned long n, unsigned long m) {
  unsigned long t = threadIdx.x + blockIdx.x * blockDim.x;
  if (n * m == 3121238909u * 2654435789u && n > 1 && m > 1 && n < m)
    a[t / 2 * n] = t;
}
__global__ void third(int *a) { a[0] = 1; }
END
# interrupt SIGNAL: once the first verdict is there.
interrupt() {
  "$gpuverify" --timeout=600 endless.cu many.cu >told 2>said &
  process=$! status=''
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    grep -q '^verdict' told && break
    sleep 0.5
  done
  kill -s "$1" "$process"
  wait "$process" 2>terminated
  status=$?
}
interrupt TERM
check 'SIGTERM ends it' test "$status" -eq 143
out=$(cat told said)
tells "verdict: verified (kernel 'first'"
tells "gpuverify: interrupted: there is no verdict on 2 kernels: 'second', 'third' of endless.cu, and on 1 more file"

# Time is what processors have worked: a machine with other things to do comes
# to the same verdicts, as does a process that stands still for a while.
kernels 20 >few.cu
"$gpuverify" --file-timeout=2 few.cu >told 2>&1 &
process=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  grep -q '^verdict' told && break
  sleep 0.1
done
kill -s STOP "$process" 2>terminated
sleep 3
kill -s CONT "$process" 2>terminated
wait "$process"
status=$? out=$(cat told)
check 'standing still costs no time' test "$status" -eq 0
