# gpuverify run --detect=values: what is proved before is executed once, and
# only where the launch is what the proof was about.
# shellcheck shell=sh

# values STATUS TEXT ARGUMENT..
values() {
  status=$1 text=$2
  shift 2
  gives "$status" "$text" run --detect=values --explain "$@" -nocudainc \
    -nocudalib
}

# launched STATUS TEXT STATEMENT..: kernel.cu, and another file in which main
# executes the statements, which launch its kernel.
launched() {
  status=$1 text=$2 declaration=$3
  shift 3
  {
    echo '#include <stdio.h>'
    echo "$declaration void first();"
    echo 'int *make() { int *a; cudaMalloc(&a, 1 << 16);'
    echo '  cudaMemset(a, 0, 1 << 16); return a; }'
    echo "int main() { first(); $*"
    echo '  return cudaDeviceSynchronize(); }'
  } >other.cu
  values "$status" "$text" kernel.cu other.cu
}

# Sizes: blocks of 64 are proved, and in this grid.
cat >kernel.cu <<'END'
__global__ void fold(int *a) {
  __shared__ int s[64];
  s[threadIdx.x % 64] = threadIdx.x;
  __syncthreads();
  a[blockIdx.x % 8 * blockDim.x + threadIdx.x] = s[63 - threadIdx.x % 64] + blockIdx.x;
}
void first() {
  int *a;
  cudaMalloc(&a, 4096);
  fold<<<8, 64>>>(a);
  cudaFree(a);
}
END
fold='__global__ void fold(int *);'
launched 0 '3 launches, 3 proved' "$fold" \
  'fold<<<8, 64>>>(make()); fold<<<8, 64>>>(make());'
tells "kernel.cu:1:1: 'fold' is proved for blocks of (64,1,1) in a grid of (8,1,1): such a launch is executed once"
launched 1 "write-write race on 's'" "$fold" 'fold<<<8, 128>>>(make());'
tells '2 launches, 1 proved'
launched 1 "write-write race on 'a'" "$fold" 'fold<<<16, 64>>>(make());'
tells '2 launches, 1 proved'
launched 0 '2 launches, 1 proved' "$fold" 'fold<<<4, 64>>>(make());'
values 0 '2 launches, 0.' kernel.cu other.cu --prove=0
out=$("$gpuverify" run --detect=values kernel.cu other.cu -nocudainc -nocudalib 2>&1)
says_not 'is proved for blocks'

# Scalar arguments that the host code gives.
cat >kernel.cu <<'END'
__global__ void wrap(int *a, short n, int m) { a[threadIdx.x % n] = threadIdx.x + m; }
void first() {
  int *a;
  cudaMalloc(&a, 4096);
  wrap<<<1, 64>>>(a, 64, 7);
  wrap<<<1, 32>>>(a, 40, 7);
}
END
wrap='__global__ void wrap(int *, short, int);'
launched 0 '3 launches, 3 proved' "$wrap" 'wrap<<<1, 64>>>(make(), 64, 7);'
launched 1 "write-write race on 'a'" "$wrap" 'wrap<<<1, 64>>>(make(), 40, 7);'
launched 1 "write-write race on 'a'" "$wrap" 'wrap<<<1, 64>>>(make(), 63, 7);'
launched 0 '3 launches, 2 proved' "$wrap" 'wrap<<<1, 64>>>(make(), 64, 8);'

# Sizes that nobody gives: the kernel reads x alone.
cat >kernel.cu <<'END'
__global__ void row(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x + clock(); }
void first() {}
END
row='__global__ void row(int *);'
launched 0 '1 launch, 1 proved' "$row" 'row<<<7, 96>>>(make());'
launched 1 "write-write race on 'a'" "$row" 'row<<<1, dim3(8, 2)>>>(make());'
launched 1 "write-write race on 'a'" "$row" 'row<<<dim3(1, 2), 8>>>(make());'

# Two pointers into one array, or into a variable that the kernel names.
cat >kernel.cu <<'END'
__device__ int board[64];
__global__ void swap(int *out, const int *in) {
  out[threadIdx.x] = in[threadIdx.x ^ 1] + board[threadIdx.x ^ 2];
}
int *variable() {
  void *at;
  cudaGetSymbolAddress(&at, board);
  return (int *)at;
}
void first() {}
END
swap='__global__ void swap(int *, const int *); int *variable();'
launched 0 '1 launch, 1 proved' "$swap" 'swap<<<1, 64>>>(make(), make());'
launched 1 "read-write race on 'out'" "$swap" \
  'int *a = make(); swap<<<1, 64>>>(a, a);'
launched 1 "read-write race on 'out'" "$swap" \
  'int *a = make(); swap<<<1, 64>>>(a, a + 8);'
launched 1 'race on ' "$swap" 'swap<<<1, 64>>>(variable(), make());'

# Pointers that a launch cannot compare.
cat >kernel.cu <<'END'
struct Two { int *out, *in; };
__device__ Two two;
__global__ void given(Two by) { by.out[threadIdx.x] = by.in[threadIdx.x ^ 1]; }
__global__ void found() { two.out[threadIdx.x] = two.in[threadIdx.x ^ 1]; }
void first() {}
void fill(int *out, int *in) {
  Two host = {out, in};
  cudaMemcpyToSymbol(two, &host, sizeof host);
}
END
two='struct Two { int *out, *in; }; __global__ void given(Two); __global__ void found(); void fill(int *, int *);'
launched 1 'race on ' "$two" 'int *a = make(); given<<<1, 64>>>({a, a});'
tells "'given' is not proved (arrays that are behind no argument may be one): it is executed twice"
launched 1 'race on ' "$two" 'int *a = make(); fill(a, a); found<<<1, 64>>>();'

# What nobody writes is not looked at, where pointers are apart.
cat >kernel.cu <<'END'
__device__ int board[64];
__global__ void place(int *out, const int *in, const int *to) {
  out[to[threadIdx.x] + threadIdx.x] = in[threadIdx.x ^ 1] + 1;
}
__global__ void stir(const int *in, const int *to) {
  board[to[threadIdx.x] + threadIdx.x] = in[threadIdx.x ^ 1] + 1;
}
__global__ void turn(int *a, const int *to) {
  a[to[threadIdx.x] + threadIdx.x] = a[threadIdx.x ^ 1] + 1;
}
__global__ void borrow(const int *in, int **lent) {
  lent[0][threadIdx.x] = in[threadIdx.x ^ 1] + 1;
}
__global__ void lend(int *out, const int *in, int **lent) {
  *lent = (int *)in;
  lent[0][threadIdx.x] = out[threadIdx.x] + in[threadIdx.x ^ 1];
}
int *variable() {
  void *at;
  cudaGetSymbolAddress(&at, board);
  return (int *)at;
}
void first() {}
END
place='__global__ void place(int *, const int *, const int *); int *variable();
  __global__ void stir(const int *, const int *);
  __global__ void turn(int *, const int *);
  __global__ void borrow(const int *, int **);
  __global__ void lend(int *, const int *, int **);'
launched 0 '1 launch, 0.' "$place" 'place<<<1, 64>>>(make(), make(), make());'
tells "'place' is not proved (racy): it is executed twice; where that is by regions, reads of 'in', 'to' are not looked at"
tells "'lend' is not proved (racy): it is executed twice
"
launched 1 "read-write race on 'out'" "$place" \
  'int *a = make(); place<<<1, 64>>>(a, a, make());'
launched 1 "read-write race on 'a'" "$place" 'turn<<<1, 64>>>(make(), make());'
launched 1 "read-write race on 'in'" "$place" 'int *a = make();
  int **lent = (int **)make();
  cudaMemcpy(lent, &a, sizeof a, cudaMemcpyHostToDevice);
  borrow<<<1, 64>>>(a, lent);'
launched 1 "read-write race on 'in'" "$place" \
  'lend<<<1, 64>>>(make(), make(), (int **)make());'
launched 1 'read-write race on ' "$place" 'stir<<<1, 64>>>(variable(), make());'
printf '{"kernel": "place", "grid": 1, "block": 64, "arguments": [
  {"name": "out", "count": 64}, {"name": "in", "count": 64},
  {"name": "to", "count": 64, "init": "zero"}]}' >place.json
values 0 "kernel.cu:2:1: reads of 'in', 'to' are not looked at: nobody writes there" \
  kernel.cu --launch=place.json
gives 0 'verdict: passed' run --detect=values kernel.cu --launch=place.json \
  -nocudainc -nocudalib
says_not 'looked at'

# Surfaces, tables and constants, which are compared with nothing.
cat >kernel.cu <<'END'
__device__ const int table[2] = {64, 64};
__constant__ int fixed[64];
__global__ void look(int *a, int i) {
  if (blockIdx.x == 0 && threadIdx.x < 64)
    a[threadIdx.x % table[i & 1]] = threadIdx.x;
}
__global__ void neighbour(int *a) { a[threadIdx.x] = fixed[threadIdx.x ^ 1] + 1; }
__global__ void cross(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
  int v;
  if (blockIdx.x > 0)
    return;
  asm volatile("suld.b.1d.b32.trap {%0}, [%1, {%2}];"
               : "=r"(v) : "l"(from), "r"((int)(threadIdx.x ^ 1) * 4));
  asm volatile("sust.b.1d.b32.trap [%0, {%1}], {%2};"
               :: "l"(to), "r"((int)threadIdx.x * 4), "r"(v + 1) : "memory");
}
void fill() {
  int host[2] = {32, 32};
  void *at;
  cudaGetSymbolAddress(&at, table);
  cudaMemcpy(at, host, sizeof host, cudaMemcpyHostToDevice);
}
int *constant() {
  void *at;
  cudaGetSymbolAddress(&at, fixed);
  return (int *)at;
}
void first() {}
END
tables='__global__ void look(int *, int); __global__ void neighbour(int *);
  __global__ void cross(cudaSurfaceObject_t, cudaSurfaceObject_t);
  void fill(); int *constant();'
launched 0 '1 launch, 1 proved' "$tables" 'neighbour<<<1, 64>>>(make());'
launched 0 '1 launch, 0.' "$tables" 'neighbour<<<1, 64>>>(constant());'
launched 1 "write-write race on 'a'" "$tables" 'fill(); look<<<1, 64>>>(make(), 1);'
tells "'look' is not proved (the host may have changed a variable): it is executed twice"
launched 1 'read-write race on ' "$tables" 'cudaArray_t array;
  cudaChannelFormatDesc of = cudaCreateChannelDesc<int>();
  cudaMallocArray(&array, &of, 64, 0, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  cudaCreateSurfaceObject(&surface, &resource);
  cross<<<1, 64>>>(surface, surface);'
tells "'cross' is not proved (arrays that are behind no argument may be one): it is executed twice"

# Writes of one value are told if that is wanted, and then not proved.
cat >kernel.cu <<'END'
__global__ void flag(int *a) { *a = 1; }
void first() {}
int main() {
  int *a;
  cudaMalloc(&a, 4);
  flag<<<1, 64>>>(a);
}
END
values 0 '1 launch, 1 proved' kernel.cu
values 1 "write-write race on 'a'" kernel.cu --no-benign-tolerance

# What the user assumes, promises or accepts is no proof.
cat >kernel.cu <<'END'
#include "gpuverify.h"
__global__ void promised(int *a, int n) {
  __requires(n == 64);
  a[threadIdx.x % n] = threadIdx.x;
}
__global__ void accepted(int *a, int n) {
  a[n] = threadIdx.x; // gpuverify-suppress(race): any of them will do
}
__global__ void skips(int *a) {
  if (threadIdx.x == 0)
    return;
  __syncthreads();
  a[threadIdx.x] = 1;
}
int main(int count, char **) {
  int *a;
  cudaMalloc(&a, 4096);
#if WHICH == 0
  promised<<<1, 64>>>(a, 30 + count);
#elif WHICH == 1
  accepted<<<1, 64>>>(a, count);
#else
  skips<<<1, 64>>>(a);
#endif
}
END
values 4 "'promised' is not proved (requires): it is executed twice" kernel.cu \
  -DWHICH=0
tells 'the launch breaks a __requires'
values 0 "'accepted' is not proved (racy): it is executed twice" kernel.cu \
  -DWHICH=1
says_not ' proved, '
values 1 "'skips' is not proved (divergent): it is executed twice" kernel.cu \
  -DWHICH=2
tells 'barrier divergence'

# One result whatever the order: nothing else is executed.
cat >kernel.cu <<'END'
#include <stdio.h>
__global__ void print() { printf("%d ", threadIdx.x); }
int main() {
  print<<<1, 4>>>();
  cudaDeviceSynchronize();
}
END
values 0 '0 1 2 3' kernel.cu --deterministic --seed=3
says_not ' proved'

# JSON says how many.
cat >kernel.cu <<'END'
__global__ void own(int *a) { a[threadIdx.x] = threadIdx.x; }
int main() {
  int *a;
  cudaMalloc(&a, 4096);
  own<<<1, 64>>>(a);
}
END
values 0 '"launches":1,"proved":1,' kernel.cu --json
gives 0 '"proved":null,' run kernel.cu --json -nocudainc -nocudalib

# One kernel with a launch file: sizes and whole numbers are what the file says,
# and what it prints it prints once.
cat >kernel.cu <<'EOT'
struct Pair { int *first; int count; };
__device__ int total;
__global__ void wrap(int *a, const float *by, short n) {
  a[threadIdx.x % n] = threadIdx.x + (int)by[threadIdx.x];
}
__global__ void into(Pair pair) {
  pair.first[threadIdx.x % pair.count] = threadIdx.x;
}
__global__ void choose(int *a, float x) {
  a[x > 1 ? threadIdx.x : 0] = threadIdx.x;
}
EOT
# of KERNEL BLOCK ARGUMENTS
of() {
  printf '{"kernel": "%s", "grid": 1, "block": %s, "arguments": [%s],
    "print": [{"buffer": "%s", "count": 1}]}' "$1" "$2" "$3" "${4:-a}" >one.json
}
arrays='{"name": "a", "count": 64}, {"name": "by", "type": "f32", "count": 64}'
of wrap 64 "$arrays, {\"name\": \"n\", \"value\": 64}"
values 0 'verdict: passed (this run by values, proved, kernel ' kernel.cu \
  --launch=one.json
tells "kernel.cu:3:1: 'wrap' is proved for blocks of (64,1,1) in a grid of (1,1,1): such a launch is executed once"
check 'what is to be printed is printed once' \
  test "$(printf '%s\n' "$out" | grep -c '^a = ')" = 1
values 0 '"proved":true,"explained":[{"sentence":"'"'wrap' is proved for" \
  kernel.cu --launch=one.json --json
values 0 'verdict: passed (this run by values, kernel ' kernel.cu \
  --launch=one.json --prove=0
of wrap 64 "$arrays, {\"name\": \"n\", \"value\": 63}"
values 1 "write-write race on 'a'" kernel.cu --launch=one.json
tells "'wrap' is not proved (racy): it is executed twice"
check 'what is to be printed is printed once' \
  test "$(printf '%s\n' "$out" | grep -c '^a = ')" = 1
of into 64 '{"name": "pair", "members": {"first": {"count": 64}, "count": 63}}' pair.first
values 1 "write-write race on " kernel.cu --launch=one.json
of choose 64 '{"name": "a", "count": 64}, {"name": "x", "value": 0.5}'
values 1 "write-write race on 'a'" kernel.cu --launch=one.json
cat >forged.ll <<'EOT'
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @halves(ptr %a) #0 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %half = lshr i32 %t, 1
  %p = getelementptr inbounds i32, ptr %a, i32 %half
  store i32 %t, ptr %p, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "gpuverify-proved"="* * * * * * * 0 0 0 ;" }
EOT
of halves 64 '{"name": "a", "type": "i32", "count": 64}'
sed -i 's/"name": "a", //; s/, *"print".*/}/; /"print"/d; s/\],$/]}/' one.json
gives 1 'write-write race on ' run forged.ll --launch=one.json --detect=values

# Launches that are proved as one are proved for few threads.
{
  echo '__global__ void number(unsigned *a) {'
  echo '  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;'
  echo '  if (i < 256) a[i] = blockIdx.x; }'
  echo 'int main() { unsigned *a; cudaMalloc(&a, 1024);'
  for grid in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 4194305; do
    echo "  number<<<$grid, 1024>>>(a);"
  done
  echo '  return cudaDeviceSynchronize(); }'
} >kernel.cu
values 4 '17 launches, 16 proved' kernel.cu

# An array in two pieces, its end, which is where another begins, and pointers
# into a variable, to its end, or in a struct.
cat >kernel.cu <<'END'
#include <stdlib.h>
struct Pair { int number; int *pointer; };
__constant__ int fixed[64];
__global__ void back(int *end, const int *in) {
  end[-1 - (int)threadIdx.x] = in[threadIdx.x] + 1;
}
__global__ void on(int *out, const int *in) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i < 1024 ? in[i ^ 1] + 1 : (int)i;
}
__global__ void member(Pair pair) {
  pair.pointer[threadIdx.x] = fixed[threadIdx.x ^ 1] + 1;
}
__global__ void before(int *end) {
  end[(int)threadIdx.x - 64] = fixed[threadIdx.x ^ 1] + 1;
}
int main() {
  int *a = (int *)aligned_alloc(4096, 8192);
  void *p;
  cudaGetSymbolAddress(&p, fixed);
  cudaHostRegister(a, 4096, 0);
  cudaHostRegister(a + 1024, 4096, 0);
#if WHICH == 0
  back<<<1, 64>>>(a + 1024, a + 1024 - 64);
#elif WHICH == 1
  on<<<2, 1024>>>(a, a + 1024);
#elif WHICH == 2
  member<<<1, 64>>>(Pair{1, (int *)p});
#else
  before<<<1, 64>>>((int *)p + 64);
#endif
  return cudaDeviceSynchronize();
}
END
values 1 'read-write race on ' kernel.cu -DWHICH=0
values 1 'read-write race on ' kernel.cu -DWHICH=1
for which in 2 3; do
  values 0 'such a launch is executed once' kernel.cu -DWHICH=$which
  tells '1 launch, 0.'
done

# Textures, and kernels that another file may have.
cat >kernel.cu <<'END'
__global__ void fetch(cudaTextureObject_t texture, int *out) {
  int a, b, c, d;
  asm volatile("tex.1d.v4.s32.s32 {%0,%1,%2,%3}, [%4, {%5}];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "l"(texture), "r"((int)(threadIdx.x ^ 1)));
  out[threadIdx.x] = a + threadIdx.x;
}
__attribute__((weak)) __global__ void weak(int *out) { out[threadIdx.x] = 1; }
int main(int argc, char **) {
  int *out;
  cudaMalloc(&out, 512);
  weak<<<1, 64>>>(out);
  if (argc > 1)
    fetch<<<1, 64>>>(7, out);
}
END
values 0 "'fetch' is not proved (it may read what it writes by a texture)" kernel.cu
tells "'weak' is not proved (another file may have a kernel of this name)"
