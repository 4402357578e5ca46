# gpuverify schedules --device=cuda, up to the driver: without one, and with one
# that executes nothing (test/device/libcuda.c).  What gates do is tested in
# test/unit/test_gates.c; nothing here has run on a device.
# shellcheck shell=sh

kernel=$root/test/schedules/free_list.cu
enforced() {
  want=$1 text=$2
  shift 2
  gives "$want" "$text" schedules "$kernel" -DBUG=1 --device=cuda \
    --clang-arg=-nocudainc --clang-arg=-nocudalib \
    --launch="${kernel%.cu}.json" --output=list.json "$@"
}

mkdir empty
export LD_LIBRARY_PATH="$PWD/empty"
if ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'; then
  skip 'this machine has a CUDA driver'
else
  enforced 2 'there is no CUDA driver (libcuda.so.1) on this machine'
fi

fake_driver || return 0
export FAKE FAKE_LOG=calls.log FAKE_PTX=kernel.ptx

# The schedule is put there, followed, and looked at.
FAKE=follows
enforced 1 'enforced on no device, 20 accesses: passed'
contains 'verdict: schedule-dependent' || fail 'another verdict than here'
check 'one launch for each schedule' \
  test "$(grep -c '^launch 2 1 1, 1 1 1, 0, first buffer' calls.log)" = 2
check 'what is taken for gates is given back' grep -q '^give 160' calls.log
check 'the kernel is loaded anew' test "$(grep -c '^load' calls.log)" = 2
for word in 'fence.sc' 'ld.acquire' 'st.release' 'nanosleep' 'globaltimer' \
  'isspacep.local' '.version 8.4' 'gpuverify_gates'; do
  check "the PTX has $word" grep -q "$word" kernel.ptx
done
if [ -x /usr/local/cuda/bin/ptxas ]; then
  check 'ptxas takes the PTX' \
    /usr/local/cuda/bin/ptxas -arch=sm_80 -o kernel.cubin kernel.ptx
else
  skip 'no ptxas'
fi
FAKE=asserts
enforced 1 'assertion, by thread (0,0,0) in block (1,0,0)'
FAKE=differs
enforced 1 'accesses: schedule-dependent'
contains 'head[0] is 1 at the end, 0 after the canonical schedule' ||
  fail 'no values of the device'
FAKE=follows
enforced 1 '"device":{"name":"no device","enforced":true,"accesses":20,' --json
enforced 1 'enforced on no device' --replay=list.json
gives 0 'there is no schedule to enforce on no device' schedules "$kernel" \
  -DBUG=0 --clang-arg=-nocudainc --clang-arg=-nocudalib --check=assert \
  --launch="${kernel%.cu}.json" --device=cuda

# The canonicaliser is launched, too, with one thread.
: >calls.log
cat >count.cu <<'END'
__device__ int last;
__global__ void count(int *sum, int *order) {
  int now = *sum;
  *(volatile int *)sum = now + 1;
  order[blockIdx.x] = last = now;
}
__device__ void forget(int *order) { order[0] = order[1] = 0; }
END
printf '{"grid": 2, "block": 1, "arguments": [%s, %s]}' \
  '{"count": 1}' '{"count": 2}' >count.json
gives 1 'enforced on no device' schedules --canonical=forget \
  --launch=count.json --device=cuda --clang-arg=-nocudainc \
  --clang-arg=-nocudalib count.cu
check 'variables are fetched' grep -q '^variable gpuverify_variable_0' calls.log
check 'the canonicaliser is launched' grep -q '^function gpuverify_also' calls.log

# What the device does not do, each with its sentence.
FAKE=strays
enforced 1 'cannot follow this schedule: after 1 of 20 accesses a thread makes another access'
FAKE=late
enforced 1 'a thread that has the next access does not come to it'
FAKE=ptx
enforced 1 'the CUDA driver is too old for the PTX of this kernel'
FAKE=newer
enforced 1 'the kernel is compiled for a newer device than this one'
FAKE=full
enforced 1 'the device has room for 1 of the 2 blocks, and gates need all'
FAKE=broken
enforced 1 'the CUDA driver cannot execute the kernel: an illegal address (error 700)'
FAKE=hangs
enforced 1 'the kernel has not ended on the device after 1 s' --timeout=1
FAKE=none
enforced 2 'the CUDA driver finds no device on this machine'
FAKE=old
enforced 2 'no device has compute capability 6.0, and 7.0 is needed'

# A driver without the functions that we need.
echo 'int cuInit(unsigned f) { return (int)f; }' >old.c
${CC:-cc} -fPIC -shared -o driver/libcuda.so.1 old.c
enforced 2 'the CUDA driver is too old: it has no cuDriverGetVersion'

# A kernel that cannot have gates.
cat >grid.cu <<'END'
extern "C" __device__ void __gpuverify_grid_sync();
__global__ void both(int *cell) {
  atomicAdd(cell, 1);
  __gpuverify_grid_sync();
}
END
echo '{"kernel": "both", "grid": 2, "block": 1, "arguments": [{"count": 1}]}' \
  >grid.json
${CC:-cc} -std=c17 -I"$root" -fPIC -shared -o driver/libcuda.so.1 \
  "$root/test/device/libcuda.c"
FAKE=follows
gives 4 "'__gpuverify_grid_sync' has no code for a device" schedules \
  --launch=grid.json --device=cuda --clang-arg=-nocudainc \
  --clang-arg=-nocudalib grid.cu
# Clusters that only the launch has.
cat >clusters.cu <<'END'
__global__ void both(int *cell) {
  int old = *(volatile int *)cell;
  *(volatile int *)cell = old + 1;
}
END
echo '{"kernel": "both", "grid": 2, "block": 1, "cluster": 2,
  "arguments": [{"count": 1}]}' >clusters.json
gives 1 'the clusters of this launch are not those' schedules \
  --launch=clusters.json --device=cuda -arch=sm_90 --clang-arg=-nocudainc \
  --clang-arg=-nocudalib clusters.cu

# Everything at once: what is the same there and what is not, in one table.
FAKE=follows
(cd "$root" && FAKE_LOG=/dev/null FAKE_PTX=/dev/null VERIFIER=$gpuverify \
  test/device/compare schedules/ring.cu 'schedules/free_list.cu BUG=1') >table.txt 2>&1
check 'what agrees is a row' grep -q '^| test/schedules/ring.cu BUG=1 .*racy' table.txt
check 'what differs is told' grep -q \
  '^FAIL test/schedules/free_list.cu BUG=1: assertion here, passed on' table.txt
unset LD_LIBRARY_PATH FAKE FAKE_LOG FAKE_PTX
