# Programs that clang makes check themselves (-fplugin-arg-gpuverify-detect=values):
# what becomes of kernels and launches, and what such a program says, by a driver
# and a runtime without a device (test/device).
# shellcheck shell=sh disable=SC2034,SC2154,SC2086

build=$(dirname "$gpuverify")
mkdir driver
for library in cuda.so.1 cudart.so; do
  source=$root/test/device/lib${library%%.*}.c
  ${CC:-cc} -std=c17 -I"$root" -fPIC -shared -o driver/lib$library "$source"
done

cat >two.cu <<'END'
extern "C" int puts(const char *);
extern "C" void _exit(int);
extern "C" void abort(void);

template <int SIZE> __global__ void shift(int *out) {
  __shared__ int tile[SIZE];
  int t = threadIdx.x;
  tile[t] = t;
  out[blockIdx.x * SIZE + t] = tile[(t + 32) % SIZE];
}

__global__ void count(int *out) {
  clock64();
  out[0] = threadIdx.x;
}

int main(int argc, char **) {
  int *out;
  cudaMalloc((void **)&out, 128 * sizeof(int));
  shift<64><<<2, 64>>>(out);
  shift<64><<<2, 64>>>(out);
  if (argc > 1)
    count<<<1, 32>>>(out);
  if (argc > 2)
    argc > 3 ? abort() : _exit(0);
  cudaFree(out);
  puts("done");
  return 0;
}
END

# Both sides apart, for the device's code need not be assembled here.
own="-nocudainc -nocudalib -Wno-unknown-cuda-version --cuda-gpu-arch=sm_80
  -I$root/include -include gpuverify/cuda.h"
values="-fplugin=$plugin $arg-detect=values"
side() {
  out=$(clang++-22 "$@" 2>&1)
  status=$?
}

# program STATUS TEXT ARGUMENT..: it ends with STATUS and says TEXT.
program() {
  want=$1 text=$2
  shift 2
  : >log.txt
  out=$(FAKE_MODULE=two.ptx FAKE_LOG=log.txt LD_LIBRARY_PATH=driver ./two "$@" 2>&1)
  status=$?
  if [ "$status" -ne "$want" ]; then
    fail "status $status, not $want"
  elif ! contains "$text"; then
    fail "does not say: $text"
  else
    pass
  fi
}

if [ -n "$SANITIZE" ]; then
  skip 'clang is not instrumented and cannot load an instrumented plugin'
else

for level in -O0 -O2; do
  side $own $values $level --cuda-device-only -S -o two.ptx two.cu
  said=$out
  check "it compiles with $level" test "$status" -eq 0
  out=$said
  tells "two.cu:13:3: warning: kernel 'count' does not check itself: --detect=values: 'llvm.nvvm.read.ptx.sreg.clock"
  says_not "'shift"
  check "the kernel is there ($level)" grep -q '\.entry _Z5shiftILi64EEvPi(' two.ptx
  check "and so is the other ($level)" \
    grep -q '\.entry __gpuverify_values_of__Z5shiftILi64EEvPi(' two.ptx
  check "what is not cut has no other ($level)" \
    sh -c '! grep -q "entry __gpuverify_values_of__Z5countPi" two.ptx'
  check "what ends a grid is there ($level)" \
    grep -q '\.entry __gpuverify_values_end' two.ptx
  check "and is in a table ($level)" \
    grep -q '__gpuverify_values_sites__Z5countPi\[' two.ptx
  for chip in 80 90 100; do
    if [ -x /usr/local/cuda/bin/ptxas ]; then
      sed "s/^\.target sm_80/.target sm_$chip/" two.ptx >$chip.ptx
      check "ptxas takes it for sm_$chip ($level)" \
        /usr/local/cuda/bin/ptxas -arch=sm_$chip -o two.cubin $chip.ptx
    else
      skip "there is no ptxas for sm_$chip"
    fi
  done
done

# Without the option all is as it was.
side $own -O2 --cuda-device-only -S -o plain.ptx two.cu
side $own -O2 -fplugin="$plugin" --cuda-device-only -S -o with.ptx two.cu
check 'the plugin alone changes nothing' cmp plain.ptx with.ptx
# The kernels that users wrote are the same with it.
entry() { sed -n '/\.entry _Z5shift/,/^}/p' "$1" | grep -v '^ *//'; }
entry plain.ptx >plain.entry
entry two.ptx >two.entry
check 'nor does the option change a kernel' cmp plain.entry two.entry

echo nothing >empty
side $own $values -O1 --cuda-host-only -Xclang -fcuda-include-gpubinary \
  -Xclang empty -c -o two.o two.cu
check 'the host compiles' test "$status" -eq 0
side two.o -o two -Ldriver -L"$build" -lgpuverify-values -lcudart
check 'it links' test "$status" -eq 0
check 'no launch goes past us' sh -c '! nm -u two.o | grep -q cudaLaunchKernel'
check 'nothing else of ours is seen' \
  sh -c "! nm -g --defined-only $build/libgpuverify-values.a | awk 'NF == 3' | grep -v ' __gpuverify_values_'"

export FAKE=follows GPUVERIFY_VALUES=memory=536870912:json=runs.jsonl
program 0 'verdict: passed (this run by values, 2 launches, 0 of them not checked)'
tells done
check 'each launch is one of the other kernel' test "$(grep -c '^start 2 1 1, 64 1 1' log.txt)" -eq 2
program 0 two.cu:13:3: one
tells "kernel 'count': 1 launch not checked: --detect=values: 'llvm.nvvm.read.ptx.sreg.clock"
tells 'verdict: unknown (this run by values, 3 launches, 1 of them not checked)'
check 'what cannot be executed twice is launched' grep -q '^plain _Z5countPi' log.txt

FAKE=races
program 1 "two.cu:9:32: read-write race in kernel 'shift<64>'"
tells '  thread (0,0,0) in block (0,0,0) reads 4 bytes at 0x100004, two.cu:9:32'
tells '  thread (1,0,0) in block (0,0,0) writes 4 bytes at 0x100004, two.cu:8:11'
tells 'verdict: racy (this run by values, 2 launches, 0 of them not checked)'
check 'it is told once' \
  test "$(printf '%s\n' "$out" | grep -c 'read-write race')" -eq 1
check 'JSON has it, too' grep -q '"kind": "racy", "sentence": "read-write race"' runs.jsonl
check 'each line is JSON' \
  python3 -c 'import json; [json.loads(line) for line in open("runs.jsonl")]'
program 1 'verdict: racy' one two
says_not done
program 134 'verdict: racy' one two three 2>/dev/null
GPUVERIFY_VALUES=exitcode=0 program 0 'verdict: racy'
GPUVERIFY_VALUES=exitcode=66 program 66 'verdict: racy'
GPUVERIFY_VALUES=exitcode=x program 1 "this is not understood: 'exitcode=x'"
GPUVERIFY_VALUES=json=no/such/file program 1 'no/such/file: this file cannot be written'
GPUVERIFY_VALUES=off program 0 done
says_not verdict
check 'off: launches are as the program asks' test "$(grep -c '^plain' log.txt)" -eq 2

GPUVERIFY_VALUES=memory=1000 program 0 'not enough memory of the device for copies'
tells 'verdict: unknown (this run by values, 2 launches, 2 of them not checked)'

FAKE=strange
program 0 'verdict: unknown'
tells 'a report that is not understood'
FAKE=captures
program 0 'verdict: unknown'
tells "kernel 'shift<64>': 2 launches not checked: captured in a graph"
FAKE=broken
program 0 'verdict: unknown'
tells "kernel 'shift<64>', launch 1: an illegal address"
FAKE=follows
out=$(LD_LIBRARY_PATH=driver ./two 2>&1)
tells 'compiled without -fplugin-arg-gpuverify-detect=values'

# What is proved is launched as it is, and only as it was proved.
cat >own.cu <<'END'
extern "C" int puts(const char *);
__global__ void own(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x % 64] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = tile[63 - threadIdx.x % 64];
  out[1000] = 7;
}
#ifdef RACY
__global__ void pair(int *out, const int *in) { out[threadIdx.x / 2] = threadIdx.x; }
#else
__global__ void pair(int *out, const int *in) { out[threadIdx.x] = in[threadIdx.x ^ 1]; }
#endif
__global__ void wrap(int *out, short n) { out[threadIdx.x % n] = threadIdx.x; }
#ifdef __GPUVERIFY__
__global__ void told(int *out) { out[threadIdx.x] = threadIdx.x; }
#else
__global__ void told(int *out) { out[threadIdx.x / 2] = threadIdx.x; }
#endif
__device__ int total[64];
__global__ void add(int *out) { out[threadIdx.x] = total[threadIdx.x ^ 1]; }
void other(int *out, int *in, int which);
int main(int argc, char **) {
  int *out, *in;
  cudaMalloc((void **)&out, 128 * sizeof(int));
  cudaMalloc((void **)&in, 128 * sizeof(int));
  own<<<2, 64>>>(out);
  pair<<<1, 64>>>(out, in);
  wrap<<<1, 64>>>(out, 64);
  add<<<1, 64>>>(out);
  other(out, in, argc);
  puts("done");
}
END
cat >other.cu <<'END'
__global__ void own(int *out);
__global__ void pair(int *out, const int *in);
__global__ void wrap(int *out, short n);
void other(int *out, int *in, int which) {
  if (which == 2)
    own<<<2, 128>>>(out);
  else if (which == 3)
    pair<<<1, 64>>>(out, out);
  else if (which == 4)
    wrap<<<1, 64>>>(out, 63);
  else {
    pair<<<1, 64>>>(in, out);
    wrap<<<1, 64>>>(in, 64);
  }
}
END
side $own $values $arg-explain -O2 --cuda-device-only -S -o own.ptx own.cu
said=$out
check 'what is proved compiles' test "$status" -eq 0
out=$said
tells "own.cu:2:1: remark: 'own' is proved for blocks of (64,1,1) in a grid of (2,1,1): such a launch is executed once"
tells "remark: 'told' is not proved (racy): it is executed twice"
tells "remark: 'add' is not proved (the host may have changed a variable): it is executed twice"
# ... whatever else is asked for.
for asked in only-divergence only-intra-group blockDim=32 warp-sync=64 loop-unwind=1 \
  kernel-args=wrap,64,100 assume=pure-externals; do
  side $own $values $arg-explain $arg-$asked -O2 --cuda-device-only -S -o own0.ptx \
    own.cu -DRACY
  tells "remark: 'pair' is not proved (racy): it is executed twice"
done
side $own $values $arg-explain $arg-prove=0 -O2 --cuda-device-only -S -o own0.ptx own.cu
says_not proved
for file in own other; do
  side $own $values -O1 --cuda-host-only -Xclang -fcuda-include-gpubinary \
    -Xclang empty -c -o $file.o $file.cu
done
mv two two.before
side own.o other.o -o two -Ldriver -L"$build" -lgpuverify-values -lcudart
check 'they link' test "$status" -eq 0
# owns STATUS TEXT ARGUMENT..
owns() {
  mv own.ptx two.ptx.own
  cp two.ptx two.ptx.before
  cp two.ptx.own two.ptx
  program "$@"
  mv two.ptx.before two.ptx
  mv two.ptx.own own.ptx
}
owns 0 'verdict: passed (this run by values, 6 launches, 5 proved, 0 of them not checked)'
check 'they are launched as they are' test "$(grep -c '^plain' log.txt)" -eq 5
check 'the other one is executed twice' test "$(grep -c '^start' log.txt)" -eq 1
owns 0 'verdict: passed (this run by values, 5 launches, 3 proved, 0 of' one
owns 0 'verdict: passed (this run by values, 5 launches, 3 proved, 0 of' one two
owns 0 'verdict: passed (this run by values, 5 launches, 3 proved, 0 of' one two three
check 'JSON says so' grep -q '"launches": 5, "proved": 3, "unchecked": 0,' runs.jsonl
FAKE=mapped owns 0 'verdict: passed (this run by values, 6 launches, 3 proved, 0 of'
FAKE=captures owns 0 'verdict: unknown (this run by values, 6 launches, 6 of them not checked)'
GPUVERIFY_VALUES=$GPUVERIFY_VALUES:same-value \
  owns 0 'verdict: passed (this run by values, 6 launches, 4 proved, 0 of'
mv two.before two

# Warps as units.
side $own $values $arg-unit=warp -O2 --cuda-device-only -S -o two.ptx two.cu
program 0 'verdict: passed (this run by values of warps, 2 launches'
side $own $values -O2 --cuda-device-only -S -o two.ptx two.cu

# What has so many accesses that each is a call, and what has no room.
cat >many.cu <<'END'
__global__ void many(int *out, int n) {
#define FOUR(i) out[n + i] += 1; out[n * 2 + i] += 2; out[n * 3 + i] += 3; out[n * 5 + i] += 4;
#define SIXTEEN(i) FOUR(i) FOUR(i + 1) FOUR(i + 2) FOUR(i + 3)
  SIXTEEN(0) SIXTEEN(4) SIXTEEN(8) SIXTEEN(12) SIXTEEN(16)
}
__global__ void full(int *out) {
  __shared__ int tile[12287];
  tile[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
__global__ void bare(int *out) {
  int value;
  asm("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(out + 1));
  out[0] = value;
}
__global__ void high(unsigned *out) {
  asm("mul.hi.u32 %0, %1, 7;" : "=r"(out[1]) : "r"(out[0]));
}
END
side $own $values -O2 --cuda-device-only -S -o many.ptx many.cu
tells "kernel 'full' does not check itself: --detect=values: its variables leave no room"
tells "kernel 'bare' does not check itself: --detect=values: 'assembly with an address'"
says_not "kernel 'high'"
check 'each access is a call' grep -q 'call.*__gpuverify_values_write' many.ptx
check 'the other kernels are as they were' grep -q 'mul.hi.u32' many.ptx

# Words that are wrong.
compile 1 'detect' -c "$arg-detect=races" two.cu
echo 'kernel void k(global int *a) { *a = 1; }' >k.cl
side -fplugin="$plugin" $arg-detect=values -c -o k.bc -emit-llvm -target spir64 k.cl
said=$out
check 'OpenCL is refused' test "$status" -ne 0
out=$said
tells 'only programs of CUDA check themselves'
side $own $values --cuda-gpu-arch=sm_60 --no-cuda-gpu-arch=sm_80 \
  --cuda-device-only -S -o old.ptx two.cu
tells 'programs that check themselves need sm_70 or later'

# The SDK's headers, compiler, assembler and linker, as users have them.
if [ -e /usr/local/cuda/include/cuda_runtime.h ]; then
  side --no-offload-new-driver $values -O2 --cuda-gpu-arch=sm_90 two.cu -o whole -L/usr/local/cuda/lib64 \
    -L"$build" -lgpuverify-values -lcudart
  said=$out
  check 'it compiles and links with the SDK' test "$status" -eq 0
  out=$said
  tells "kernel 'count' does not check itself"
else
  skip 'there is no SDK'
fi
unset FAKE GPUVERIFY_VALUES
fi
