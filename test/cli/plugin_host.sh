# The host's side is compiled for the plugin as the driver would: with what only
# the host gets, from several files, in steps, and from standard input.
# shellcheck shell=sh disable=SC2034,SC2086,SC2154

if [ -n "$SANITIZE" ]; then
  skip 'clang is not instrumented and cannot load an instrumented plugin'
else
  cat >k.cu <<'END'
__global__ void k(int *a) { a[threadIdx.x % 64] = (int)threadIdx.x; }
void run(int *a) {
  k<<<1, 64>>>(a);
#if defined ONLY_HOST || defined _OPENMP
  k<<<1, 128>>>(a);
#endif
}
END
  sed 's/64/32/g; s/k(/other(/; s/k</other</; s/run/run_other/' k.cu >other.cu
  sized='for blockDim (64,1,1)'
  compile 0 "$sized" -fsyntax-only k.cu
  compile 0 "$sized" -S -save-temps k.cu -o k.s
  compile 0 'write-write race' -fsyntax-only -fopenmp k.cu
  device=${device#--cuda-device-only } # the driver has two things to do
  compile 0 "$sized" -fsyntax-only k.cu
  compile 0 "$sized" -fsyntax-only -fgpu-rdc k.cu
  compile 0 "$sized" -fsyntax-only k.cu other.cu
  tells 'for blockDim (32,1,1)'
  compile 0 "$sized" -fsyntax-only -Xarch_device -DONLY_HOST k.cu
  compile 0 'write-write race' -fsyntax-only -Xarch_host -DONLY_HOST k.cu
  compile 0 'write-write race' -fsyntax-only -fopenmp k.cu
fi
