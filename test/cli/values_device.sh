# gpuverify run --detect=values --device=cuda, up to the driver: without one, and
# with one that executes nothing (test/device/libcuda.c).  What a device says of
# the kernels of test/run is for `make device`.
# shellcheck shell=sh

cat >two.cu <<'EOT'
__global__ void two(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  int other = threadIdx.x < 32 ? tile[threadIdx.x + 32] : 0;
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x] + other;
}
EOT
cat >two.json <<'EOT'
{"kernel": "two", "grid": [2], "block": [64],
 "arguments": [{"name": "out", "type": "i32", "count": 128}]}
EOT
executed() {
  want=$1 text=$2
  shift 2
  gives "$want" "$text" run --prove=0 two.cu --launch=two.json --device=cuda \
    --clang-arg=-nocudainc --clang-arg=-nocudalib "$@"
}

gives 2 'a whole program is executed on this machine' run two.cu \
  --detect=values --device=cuda
executed 2 'a device looks for --detect=values, or for nothing'
executed 2 'a device looks for --detect=values, or for nothing' --detect=races

mkdir empty
export LD_LIBRARY_PATH="$PWD/empty"
if ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'; then
  skip 'this machine has a CUDA driver'
else
  executed 2 'there is no CUDA driver (libcuda.so.1) on this machine' \
    --detect=values
fi

fake_driver || return 0

cat >copies.cu <<'EOT'
__global__ void copies(int *in) {
  __shared__ int tile[64];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
      (unsigned)__cvta_generic_to_shared(tile)), "l"(in) : "memory");
}
EOT
sed 's/"two"/"copies"/' two.json >copies.json
gives 4 'is not executed twice on a device' run copies.cu \
  --launch=copies.json --detect=values --prove=0 --device=cuda \
  --clang-arg=-nocudainc --clang-arg=-nocudalib
export FAKE FAKE_LOG=calls.log FAKE_PTX=kernel.ptx

# Executed once, ended, and what it has left is fetched.
FAKE=follows
executed 0 'verdict: passed (this run by values on no device' --detect=values
check 'the grid is executed, and ended, once' \
  test "$(grep -c '^start 2 1 1, 64 1 1, 0' calls.log)" = 1
check 'both ends of an execution are there' \
  test "$(grep -c '^start .*256 1 1' calls.log)" = 2
check 'what the kernel has left is fetched' grep -q '^get 512' calls.log
check 'the PTX has a block of 64 threads' grep -q '^.maxntid 64' kernel.ptx
check 'the PTX has what ends the grid' grep -q __gpuverify_values_end kernel.ptx
if [ -x /usr/local/cuda/bin/ptxas ]; then
  for arch in 80 90 100; do
    check "ptxas takes the PTX for sm_$arch" \
      /usr/local/cuda/bin/ptxas -arch=sm_$arch -o kernel.cubin kernel.ptx
  done
else
  skip 'no ptxas'
fi
executed 0 '"device":"no device"' --detect=values --json
executed 0 'by values of warps on no device' --detect=values --unit=warp
rm calls.log
executed 0 'verdict: passed (this run on no device' --detect=none
check 'a kernel that looks for nothing has no copies' \
  test "$(grep -c slices calls.log)$(grep -c start calls.log)" = 01
executed 4 'cannot take memory for copies' --detect=values --values-memory=100

# What is told is a race of the arrays that the host knows.
FAKE=races
executed 1 "two.cu:4:34: read-write race on 'out'" --detect=values
contains 'thread (1,0,0) in block (0,0,0) writes out[1] (bytes 4..7), two.cu:3:21' ||
  fail 'no places of both threads'
FAKE=broken
executed 4 'cannot execute the kernel' --detect=values

# What is proved is executed once there, too, and without copies.
FAKE=follows
rm calls.log
sed 's/threadIdx.x < 32/0/' two.cu >proved.cu
gives 0 'by values, proved on no device' run proved.cu --launch=two.json \
  --device=cuda --detect=values --clang-arg=-nocudainc --clang-arg=-nocudalib
check 'a kernel that is proved has no copies' \
  test "$(grep -c slices calls.log)$(grep -c start calls.log)" = 01
