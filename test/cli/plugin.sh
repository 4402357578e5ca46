# The same inside clang: warnings, errors and the user's object file.
# shellcheck shell=sh disable=SC2086,SC2154

cat >two.cu <<'END'
__global__ void good(int *a) {
  a[threadIdx.x + blockIdx.x * blockDim.x] = 1;
}
__global__ void racy(int *a) {
  a[threadIdx.x / 2] = threadIdx.x;
}
END
device="--cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80
  -Wno-unknown-cuda-version
  -I$root/include -include gpuverify/cuda.h"

# compile STATUS TEXT ARGUMENT..: clang with the plugin.
compile() {
  want=$1 text=$2
  shift 2
  out=$(clang++-22 -fplugin="$plugin" $device "$@" 2>&1)
  status=$?
  if [ "$status" -ne "$want" ]; then
    fail "clang $*: status $status, not $want"
  elif ! contains "$text"; then
    fail "clang $*: does not say: $text"
  else
    pass
  fi
}

arg=-fplugin-arg-gpuverify
if [ -n "$SANITIZE" ]; then
  skip 'clang is not instrumented and cannot load an instrumented plugin'
else
  compile 0 "two.cu:5:22: warning: possible write-write race on 'a'" \
    -fsyntax-only two.cu
  compile 1 'error: possible write-write race' -Werror -fsyntax-only two.cu
  compile 0 "two.cu:5:22: warning: confirmed write-write race on 'a'" \
    $arg-confirm=on -fsyntax-only two.cu
  compile 0 'blockDim (64,1,1)' $arg-blockDim=64 $arg-gridDim=1 \
    -fsyntax-only two.cu
  compile 1 "did you mean '--blockDim'?" $arg-blokDim=64 -fsyntax-only two.cu
  compile 1 'an option of the command' $arg-json -fsyntax-only two.cu
  mkdir -p out/obj out/src
  cp two.cu out/src/absolute.cu
  here=$PWD
  cd out/obj || exit 1 # a build system says where everything is
  compile 0 "$here/out/src/absolute.cu:5:22: warning: possible write-write" \
    -fsyntax-only "$here/out/src/absolute.cu"
  cd "$here" || exit 1
  export GPUVERIFY_FLAGS='--blockDim=0'
  compile 1 'in GPUVERIFY_FLAGS: --blockDim=0: sizes are at least 1' \
    -fsyntax-only two.cu
  unset GPUVERIFY_FLAGS
  compile 0 '' -S -o with.s two.cu
  check 'clang without the plugin' clang++-22 $device -S -o without.s two.cu
  check 'the output is the same' cmp with.s without.s
  compile 0 'obligation' $arg-dump=pair -S -o - two.cu
fi
