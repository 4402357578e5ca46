# No compilation with the plugin passes unseen: without its other half, with an
# shellcheck shell=sh disable=SC2034,SC2086,SC2154
# shellcheck shell=sh disable=SC2086,SC2154

echo '__global__ void k(int *a) { a[threadIdx.x] = 1; }' >k.cu
whole=$plugin built=$(dirname "$plugin")

if [ -n "$SANITIZE" ]; then
  skip 'clang is not instrumented and cannot load an instrumented plugin'
else
  mkdir half
  cp "$built/gpuverify.so" half
  plugin=$PWD/half/gpuverify.so
  compile 1 'error: gpuverify: nothing is checked: ' -c k.cu -o k.o
  tells 'gpuverify-22.so: cannot open'
  check 'nothing is compiled' test ! -e k.o
  compile 1 'error: gpuverify: nothing is checked: ' -fsyntax-only -w k.cu
  compile 1 'error: gpuverify: nothing is checked: ' -fno-integrated-cc1 \
    -fsyntax-only k.cu
  echo text >half/gpuverify-22.so
  compile 1 'gpuverify-22.so: ' -fsyntax-only k.cu
  # As another version would be: what the loader knows it by is another.
  identity=$(cat "$built/identity")
  sed "s/$identity/$(echo "$identity" | tr 0-9a-f 1-9a-f0)/" \
    "$built/gpuverify-22.so" >half/gpuverify-22.so
  compile 1 'gpuverify-22.so is of another version than gpuverify.so' \
    -fsyntax-only k.cu
  cp "$built/gpuverify-22.so" half
  compile 0 'remark: kernel' -fsyntax-only k.cu

  for plugin in "$built/libgpuverify-clang.so" "$built/libgpuverify-cuda.so"; do
    compile 1 'error: gpuverify: nothing is checked: this library is a part' \
      -fsyntax-only k.cu
  done
  plugin=$whole
  other=$(command -v clang++-14 || command -v clang++-19 || echo none)
  if [ "$other" = none ]; then
    skip 'there is no other clang'
  else
    out=$("$other" -fplugin="$plugin" -fsyntax-only -x c++ /dev/null 2>&1)
    status=$?
    tells 'error: gpuverify: nothing is checked: this plugin is for clang 22'
    check 'another clang does not go on' test "$status" -eq 1
  fi
fi
