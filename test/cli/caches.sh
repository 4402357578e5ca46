# ccache: what is another verdict is another compilation.
# shellcheck shell=sh disable=SC2034,SC2086,SC2154

cat >k.cu <<'END'
#include "gpuverify.h"
__global__ void k(int *a, int n) {
  __requires(n >= 1);
  a[(threadIdx.x + blockIdx.x * blockDim.x) / n] = threadIdx.x;
}
END

# ask ARGUMENT..: a compilation by way of the cache; its verdict is in $out.
ask() {
  out=$(ccache clang++-22 -fplugin="$PWD/own/gpuverify.so" $device \
    -c k.cu -o k.o "$@" 2>&1)
}

# hits: how often the cache had the answer.
hits() { ccache --print-stats | awk '/_cache_hit/ { n += $2 } END { print n }'; }

if [ -n "$SANITIZE" ]; then
  skip 'clang is not instrumented and cannot load an instrumented plugin'
elif ! command -v ccache >/dev/null; then
  skip 'there is no ccache'
else
  CCACHE_DIR=$PWD/cache CCACHE_CONFIGPATH=/dev/null
  export CCACHE_DIR CCACHE_CONFIGPATH
  unset CCACHE_DISABLE
  mkdir own
  built=$(dirname "$plugin")
  cp "$built/gpuverify.so" "$built/gpuverify-22.so" own
  ask
  ask
  tells 'warning: possible write-write race'
  check 'the same again comes from the cache' test "$(hits)" -eq 1
  ask $arg-only-divergence
  tells 'remark: kernel'
  check 'an option is another compilation' test "$(hits)" -eq 1
  sed -i 's/n >= 1/n == 1/' k.cu
  ask
  tells 'remark: kernel'
  check 'an annotation is another compilation' test "$(hits)" -eq 1
  # What the README has for GPUVERIFY_FLAGS.
  GPUVERIFY_FLAGS=--blockDim=2
  export GPUVERIFY_FLAGS
  CCACHE_NAMESPACE=$GPUVERIFY_FLAGS ask
  tells 'blockDim (2,1,1)'
  check 'a name space is another compilation' test "$(hits)" -eq 1
  unset GPUVERIFY_FLAGS
  # Another plugin is another loader.
  identity=$(cat "$built/identity")
  for library in gpuverify.so gpuverify-22.so; do
    sed "s/$identity/$(echo "$identity" | tr 0-9a-f 1-9a-f0)/" \
      "$built/$library" >own/$library
  done
  ask
  tells 'remark: kernel'
  check 'another version is another compilation' test "$(hits)" -eq 1
  unset CCACHE_DIR CCACHE_CONFIGPATH
fi
