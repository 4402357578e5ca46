# `gpuverify repair`: options, forms of the answer, and files that are changed.
# shellcheck shell=sh

cat >two.cu <<'CU'
__global__ void first(int *out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[127 - threadIdx.x];
}
__global__ void fine(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void second(int *out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = 1; out[blockIdx.x * blockDim.x + threadIdx.x] = tile[127 - threadIdx.x];
}
CU
cp two.cu whole.cu
options='--no-confirm --blockDim=128 --gridDim=8'

# Without --fix nothing is changed, and the exit status is that of the proof.
# shellcheck disable=SC2086
gives 1 "repair: with this change kernel 'second' is verified" \
  repair $options two.cu
tells "repair: with this change kernel 'first' is verified"
says_not 'is changed'
check 'the file is what it was' cmp two.cu whole.cu

# A difference that patch takes; one proposal is made on top of the other.
# shellcheck disable=SC2086
"$gpuverify" repair $options two.cu |
  sed -n '/^--- /,/^repair:/ { /^repair:/d; p; }' >two.diff
cp whole.cu patched.cu
check 'patch takes the difference' patch -s patched.cu two.diff
# shellcheck disable=SC2086
gives 0 "kernel 'second'" $options patched.cu

# JSON: an object a kernel, in one of which there was nothing to repair.
# shellcheck disable=SC2086
gives 1 '"repair":{"found":true,"reason":null' repair $options --json two.cu
tells '"repair":null'
tells '"sentence":"insert '
tells '"diff":"--- two.cu\n+++ two.cu\n'

# YAML, as clang-apply-replacements takes it.
# shellcheck disable=SC2086
gives 1 'verified' repair $options --export-fixes=fixes.yaml two.cu
check 'the edits are written' grep -q 'ReplacementText: "  __syncthreads();' \
  fixes.yaml
apply=$(command -v clang-apply-replacements-22 || command -v clang-apply-replacements)
if [ -n "$apply" ]; then
  mkdir fixes && mv fixes.yaml fixes
  check 'clang-apply-replacements takes them' "$apply" fixes
  # shellcheck disable=SC2086
  gives 0 "kernel 'second'" $options two.cu
  cp whole.cu two.cu
else
  skip 'there is no clang-apply-replacements'
fi
# The changes of each of several files are for that file.
cp two.cu again.cu
# shellcheck disable=SC2086
gives 1 'verified' repair $options --export-fixes=fixes.yaml two.cu again.cu
check 'both files are named' test "$(grep -c '  - FilePath: .*/two.cu' fixes.yaml)" = \
  "$(grep -c '  - FilePath: .*/again.cu' fixes.yaml)"
# shellcheck disable=SC2086
gives 2 'no/such/folder' repair $options --export-fixes=no/such/folder/f two.cu

# A document is about the file as it is when it was changed.
cp whole.cu changed.cu
# shellcheck disable=SC2086
gives 0 "; repaired: insert '__syncthreads();' at changed.cu:4:3" \
  repair $options --fix --sarif changed.cu
says_not '"kind": "fail"'
tells "kernel 'second' is verified"
# shellcheck disable=SC2086
gives 1 '"kind": "fail"' repair $options --sarif two.cu

# --fix: the file is changed, a link to it stays one, and so does its mode.
ln -s two.cu link.cu
chmod 640 two.cu
# shellcheck disable=SC2086
gives 0 'the file is changed' repair $options --fix link.cu
check 'the link is one' test -L link.cu
check 'the mode stays' test "$(stat -c %a two.cu)" = 640
# shellcheck disable=SC2086
gives 0 "kernel 'second'" $options two.cu
# shellcheck disable=SC2086
gives 0 'verdict: verified' repair $options --fix two.cu
says_not 'repair:'

# A header is changed, too, if it is none of the system.
mkdir inc
cat >inc/pass.h <<'CU'
__device__ int pass(int *tile) {
  tile[threadIdx.x] = 1;
  return tile[127 - threadIdx.x];
}
CU
cat >user.cu <<'CU'
#include "pass.h"
__global__ void user(int *out) {
  __shared__ int tile[128];
  out[blockIdx.x * blockDim.x + threadIdx.x] = pass(tile);
}
CU
# shellcheck disable=SC2086
gives 1 "inc/pass.h:3:3: insert '__syncthreads();'" repair $options -nocudainc \
  -Iinc user.cu
# shellcheck disable=SC2086
gives 1 'there is no place in the source' repair $options -nocudainc \
  -isystem inc user.cu

# A body may be of two files, and lines may end as they do elsewhere.
cat >inc/body.inc <<'CU'
  tile[threadIdx.x] = 1;
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[127 - threadIdx.x];
CU
cat >body.cu <<'CU'
__global__ void body(int *out) {
  __shared__ int tile[128];
#include "inc/body.inc"
}
CU
# shellcheck disable=SC2086
gives 1 'there is no place in the source' repair $options -nocudainc body.cu
head -n 5 whole.cu | sed "s/\$/$(printf '\r')/" >dos.cu
# shellcheck disable=SC2086
gives 0 'the file is changed' repair $options --fix dos.cu
check 'each line ends alike' \
  test "$(tr -cd '\r' <dos.cu | wc -c)" -eq "$(wc -l <dos.cu)"

# HIP.
cp whole.cu two.hip
# shellcheck disable=SC2086
gives 0 "kernel 'second' is verified" repair $options -nogpuinc --fix two.hip

# The time of the search.
cp whole.cu two.cu
sed -i 's/^  tile.*/  for (int i = 0; i < 9; i++) { tile[threadIdx.x] = i; tile[127 - threadIdx.x] = i; }/' two.cu
# shellcheck disable=SC2086
gives 1 'repair: with' repair $options --repair-timeout=0 two.cu

# Sizes are as good for a repair as for a proof.
gives 1 'warning: block size 2048' repair --no-confirm --blockDim=2048 two.cu

# Wrong use.
gives 2 'no file is given (see gpuverify repair --help)' repair
gives 0 'usage: gpuverify repair' repair --help
gives 2 'No such file' repair no_such.cu
echo >two.ll
gives 2 'this is IR' repair two.ll
gives 2 'only redundant barriers are told' repair "$root/test/barriers/cells.ptx"
gives 2 "an option of 'gpuverify repair'" --fix two.cu
echo 'int' >broken.cu
gives 3 'broken.cu: does not compile' repair broken.cu
echo 'int i;' >empty.cu
gives 2 'there is no kernel in this file' repair empty.cu

# A macro's argument is part of the macro, and a template has other instances.
cat >parts.cu <<'END'
#define ONCE(statement) do { if (threadIdx.x < 5) { statement; } } while (0)
__device__ __host__ void inc(int *p) { *p += 1; }
template <class T> __device__ void add(int *p, T x) { *p += x; }
__global__ void argument(int *s) {
  ONCE(*s += 1);
}
__global__ void both(int *s) { inc(s); }
__global__ void typed(int *s) { add(s, 1); }
__global__ void directive(int *s) {
  *s += 1
#ifdef MORE
      + 99
#endif
      ;
}
END
gives 1 'verdict: racy' repair parts.cu --no-confirm --gridDim=1 --blockDim=256
says_not 'with this change'
cat >label.cu <<'END'
__global__ void k(int *a, int n) {
  if (n > 5) [[likely]]
    __syncthreads();
  a[threadIdx.x] = 1;
}
END
gives 0 '+    {}' repair --redundant-barriers label.cu -std=c++20 --gridDim=1 \
  --blockDim=256
gives 2 '--kernel is for the proof' repair label.cu --kernel=k

# The bytes of a file with the line ends of DOS are its bytes.
sed 's/$/\r/' whole.cu >dos.cu
cp dos.cu dos.whole
# shellcheck disable=SC2086
gives 1 'verified' repair $options --export-fixes=dos.yaml dos.cu
check 'what is added ends its line as the others do' \
  grep -qF '__syncthreads();\r\n"' dos.yaml
cat >edit.py <<'END'
import re, sys
text = open('dos.cu', 'rb').read()
edits = re.findall(r'Offset: +(\d+)\n +Length: +(\d+)\n +ReplacementText: "(.*)"',
                   open('dos.yaml').read().split('Replacements:', 1)[1])
for at, length, new in sorted(edits, key=lambda e: -int(e[0])):
    new = new.encode().decode('unicode_escape').encode()
    text = text[:int(at)] + new + text[int(at) + int(length):]
open('dos.cu', 'wb').write(text)
END
check 'the edits are made' python3 edit.py
# shellcheck disable=SC2086
gives 0 "verdict: verified (kernel 'first'" $options dos.cu
mv dos.cu dos.edited
cp dos.whole dos.cu
# shellcheck disable=SC2086
gives 0 'the file is changed' repair $options --fix dos.cu
check '--fix writes the same' cmp dos.cu dos.edited

# All of the files, or none: the second one cannot be written.
mkdir apart
cat >apart/tail.h <<'CU'
__device__ void tail(int *tile, int *out) {
  out[threadIdx.x] = tile[127 - threadIdx.x];
  tile[threadIdx.x] = 2;
  out[threadIdx.x] += tile[127 - threadIdx.x];
}
CU
cat >apart/head.cu <<'CU'
#include "tail.h"
__global__ void head(int *out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = 1;
  tail(tile, out);
}
CU
cp -r apart apart.whole
# shellcheck disable=SC2086
gives 1 'repair: with these' repair --no-confirm --blockDim=128 --gridDim=1 \
  apart/head.cu
if { [ "$(id -u)" -ne 0 ] && chmod a-w apart/tail.h; } ||
  chattr +i apart/tail.h 2>/dev/null; then
  gives 2 'apart/tail.h: ' repair --no-confirm --blockDim=128 --gridDim=1 --fix \
    apart/head.cu
  check 'none of the files is changed' diff -r apart apart.whole
  chattr -i apart/tail.h 2>/dev/null
else
  skip 'as root every file can be written'
fi

# Behind a #line it is not known what belongs where.
{ echo '#line 1 "two.h"'; cat whole.cu; } >lines.cu
# shellcheck disable=SC2086
gives 2 'lines.cu: there is a #line in this file' repair $options lines.cu
