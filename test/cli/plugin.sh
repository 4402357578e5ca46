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
cat >broken.cu <<'END'
__global__ void broken(int *a) {
  auto tile = missing::tile<32>(a);
  a[tile.rank()] = 1;
}
END
cp "$root/test/cli/same.cu" "$root/test/cli/pipe.cu" .
if [ -n "$SANITIZE" ]; then
  skip 'clang is not instrumented and cannot load an instrumented plugin'
else
  compile 0 "two.cu:5:22: warning: possible write-write race on 'a'" \
    -fsyntax-only two.cu
  compile 1 'error: possible write-write race' -Werror -fsyntax-only two.cu
  compile 0 "two.cu:5:22: warning: confirmed write-write race on 'a'" \
    $arg-confirm=on -fsyntax-only two.cu
  compile 1 "use of undeclared identifier 'missing'" -fsyntax-only broken.cu
  says_not 'PLEASE submit a bug report'
  compile 0 'blockDim (64,1,1)' $arg-blockDim=64 $arg-gridDim=1 \
    -fsyntax-only two.cu
  compile 0 "same.cu:2:11: note: assuming benign-writes: threads may write the" \
    $arg-blockDim=64 -fsyntax-only -Rpass=gpuverify same.cu
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
  pipe="-DLAUNCH -fsyntax-only pipe.cu"
  compile 0 "named barriers: kernel 'pipe' has no deadlock" $pipe
  compile 0 'for one block of (64,1,1); verified for one block: any, global memory was not looked at' $pipe
  compile 0 'warning: named barriers' $pipe
  compile 0 'remark: named barriers' $arg-one-block $pipe
  compile 0 'note: the proof does not decide this: inline assembly' $pipe
  compile 0 '' $arg-quiet $arg-one-block $pipe
  says_not 'named barriers'
  compile 0 "pipe.cu:20:24: warning: named barriers: read-write race" \
    -DRACY $pipe
  compile 0 'pipe.cu:14:23: note: other end is here: thread (0,0,0) writes' \
    -DRACY $pipe
  compile 1 'error: named barriers: read-write race' -Werror -DRACY $pipe
  compile 0 'pipe.cu:22:5: note: warp 1 waits at bar.sync 2, 64, where 32 of' \
    -DSTUCK $pipe
  compile 0 "kernel 'pipe': verdict is unknown: inline assembly" \
    $arg-barriers=off $pipe
  compile 0 'verdict is unknown: the block size is not known' \
    -fsyntax-only pipe.cu
  compile 0 '' $arg-quiet -S -o with.s -DLAUNCH pipe.cu
  check 'clang without the plugin' \
    clang++-22 $device -S -o without.s -DLAUNCH pipe.cu
  check 'the output is the same' cmp with.s without.s
  compile 0 'obligation' $arg-dump=pair -S -o - two.cu
fi
