# gpuverify run --detect=values: who owns a byte, and what is not executed again.
# Each kernel is held against --detect=races, and what it leaves against
# --detect=none.
# shellcheck shell=sh

cat >owners.cu <<'END'
typedef unsigned char Byte;
typedef unsigned long long Long;
// Bytes of one word, by four threads.
__global__ void neighbours(Byte *a) { a[threadIdx.x] += threadIdx.x; }
__global__ void byte_of_word(int *a) {
  if (threadIdx.x == 0)
    a[5] = 7;
  if (threadIdx.x == 40)
    ((Byte *)a)[22] = 1;
}
__global__ void word_of_long(int *a) {
  if (threadIdx.x == 3)
    ((Long *)a)[2] = 7;
  if (threadIdx.x == 2)
    a[5] = 1;
}
// What the thread has written, and what was there.
__global__ void mixed(int *a) {
  Byte *own = (Byte *)&a[threadIdx.x];
  own[1] = 9;
  a[64 + threadIdx.x] = a[threadIdx.x];
  own[3] = (Byte)a[threadIdx.x];
}
// The second thread has nothing of a[0] yet where the third one comes to it.
__global__ void half_late(int *a) {
  if (threadIdx.x == 0)
    a[1] = 7;
  if (threadIdx.x == 40)
    *(Long *)a = 5 | 7ll << 32;
  if (threadIdx.x == 41)
    a[0] = 0;
}
// The reader has written last to the word, the other one to the byte.
__global__ void byte_place(int *a) {
  Byte *bytes = (Byte *)a;
  if (threadIdx.x == 3)
    bytes[0] = 9;
  if (threadIdx.x == 40) {
    bytes[1] = 8;
    a[9] = bytes[0];
  }
}
__global__ void three(int *a) {
  if (threadIdx.x % 16 == 1)
    a[8] = threadIdx.x;
}
// Both go on with what they have written.
__global__ void goes_on(int *a) {
  if (threadIdx.x < 2) {
    a[threadIdx.x] = 1;
    a[2] = 5;
    for (int i = 0; i < 3; i++)
      a[threadIdx.x] += a[2];
  }
  __syncthreads();
  a[16 + threadIdx.x] = a[threadIdx.x & 1];
}
__global__ void reads_first(int *a) {
  int next = a[(threadIdx.x + 1) % 64];
  a[threadIdx.x] = next;
}
__global__ void reads_last(int *a) {
  __shared__ int tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  int sum = 0;
  for (int i = 0; i < 3; i++)
    sum += tile[threadIdx.x & 62];
  a[threadIdx.x] = sum;
}
__global__ void not_again(int *a) {
  __shared__ int tile[64];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 64; i++)
    sum += tile[i];
  __syncthreads();
  tile[threadIdx.x] = sum;
  __syncthreads();
  a[threadIdx.x] = tile[63 - threadIdx.x] + threadIdx.x;
}
__global__ void own_block(int *a) {
  int at = blockIdx.x * 4;
  if (threadIdx.x < 4)
    a[at + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 4)
    a[64 + at + threadIdx.x] = a[at + 3 - threadIdx.x];
}
__global__ void other_block(int *a) {
  int at = blockIdx.x * 4;
  if (threadIdx.x < 4)
    a[at + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    a[64 + blockIdx.x] = a[(at + 4) % 8];
}
// What the block has written itself is another one's, too.
__global__ void both_blocks(int *a) {
  if (threadIdx.x)
    return;
  a[0] = blockIdx.x + 1;
  a[64 + blockIdx.x] = a[0];
  a[0] = 0;
}
__global__ void overlap(int *a) {
  if (threadIdx.x == 0)
    __builtin_memmove(a + 1, a, 64);
  if (threadIdx.x == 40)
    __builtin_memmove(a + 100, a + 101, 64);
}
struct alignas(32) Wide {
  float lanes[8];
};
__global__ void wide(int *a) {
  Wide own[2] = {};
  for (int i = 0; i < 8; i++)
    own[a[threadIdx.x] & 1].lanes[i] = i;
  own[1] = own[0];
  a[threadIdx.x] = (int)own[a[threadIdx.x] & 1].lanes[threadIdx.x & 7];
}
__global__ void number(int *a) {
  int own[4] = {1, 2, 3, 4};
  Long at = (Long)own ^ a[0];
  *(int *)(at + 4 * (threadIdx.x & 3)) += 50;
  a[threadIdx.x] = own[threadIdx.x & 3];
}
// Of an address that is only compared nothing is made.
__global__ void compared(int *a) {
  int own[4] = {1, 2, 3, 4}, *at = &own[a[128] & 2];
  bool is_aligned = (Long)at % 4 == 0 && (unsigned)(Long)at / 4 % 2 < 2;
  for (int i = is_aligned ? 0 : 1 << 20; i < 2; i++)
    a[threadIdx.x] += at[i & 1];
}
// Threads that leave, in a region that others execute twice.
__global__ void leaves(int *a) {
  int seen = a[64 + threadIdx.x];
  if (threadIdx.x % 2) {
    a[threadIdx.x] = 7;
    __nvvm_exit();
    a[0] = 7;
  }
  __nvvm_nanosleep(10);
  a[threadIdx.x] = seen;
}
__global__ void leaves_late(int *a) {
  if (threadIdx.x == 5)
    __nvvm_exit();
  a[threadIdx.x % 32] = threadIdx.x;
}
struct Two {
  int first, second;
};
__device__ Two turned(Two two) { return {two.second, two.first}; }
__global__ void changes(int *a, Two two) {
  int seen = a[64 + threadIdx.x];
  two.first += seen;
  a[threadIdx.x] = two.first++;
  __syncthreads();
  seen = a[threadIdx.x ^ 1];
  two = turned(two);
  int *at = &two.first + (a[128] & 1); // of which nobody makes a variable
  *at += seen;
  __syncthreads();
  a[threadIdx.x] = two.first;
  a[64 + threadIdx.x] = at[1];
}
__global__ void changes_racily(int *a, Two two) {
  two.first += threadIdx.x ^ 32;
  a[threadIdx.x] = a[two.first - 3];
}
__global__ void reads_before(int *a) {
  int seen = a[1 - blockIdx.x];
  __syncthreads();
  if (threadIdx.x == 0)
    a[blockIdx.x] = 1;
  a[64 + blockIdx.x * 64 + threadIdx.x] = seen;
}
__global__ void dynamic(int *a) {
  __shared__ int fixed[3];
  extern __shared__ int more[];
  if (threadIdx.x < 3)
    fixed[threadIdx.x] = 1;
  more[threadIdx.x] = threadIdx.x;
  __syncthreads();
  a[threadIdx.x] = more[63 - threadIdx.x] + fixed[threadIdx.x % 3];
}
END

# KERNEL VERDICT BLOCKS: the verdict by values, and that of the exact detector;
# where there is none, both leave the same.
owners() {
  kernel=$1 verdict=$2
  array='{"name": "a", "type": "i32", "count": 192, "init": "iota"}'
  case $kernel in
  neighbours) array='{"name": "a", "type": "u8", "count": 192, "init": "iota"}' ;;
  changes*) array="$array, {\"bytes\": [3, 0, 0, 0, 4, 0, 0, 0]}" ;;
  esac
  printf '{"kernel": "%s", "grid": %s, "block": 64, "dynamic_shared": 256,
    "arguments": [%s], "print": [{"buffer": "a", "count": 64},
    {"buffer": "a", "from": 64, "count": 64},
    {"buffer": "a", "from": 128, "count": 64}]}' \
    "$kernel" "$3" "$array" >owners.json
  bad=0
  [ "$verdict" = passed ] || bad=1
  for detect in none races values 'values --unit=warp'; do
    wanted=$verdict code=$bad
    case $detect in
    none) wanted=passed code=0 ;;
    esac
    case $kernel/$detect in # threads of one warp
    word_of_long/*warp | goes_on/*warp | reads_last/*warp) continue ;;
    esac
    # shellcheck disable=SC2086 # detect is words
    gives "$code" "verdict: $wanted" run --prove=0 owners.cu --launch=owners.json \
      --detect=$detect --no-benign-tolerance --clang-arg=-nocudainc \
      --clang-arg=-nocudalib
    printf '%s\n' "$out" | grep '^a[[ ]' >"left.${detect%% *}"
  done
  [ "$verdict" = passed ] || return 0
  check "$kernel leaves the same by values" cmp -s left.none left.values
}

owners neighbours passed 1
owners byte_of_word racy 1
owners word_of_long racy 1
owners mixed passed 1
owners half_late racy 1
gives 1 "write-write race on 'a'" run --prove=0 owners.cu --launch=owners.json \
  --detect=values --clang-arg=-nocudainc --clang-arg=-nocudalib
owners byte_place racy 1
gives 1 'thread (3,0,0) in block (0,0,0) writes a[0]' run owners.cu \
  --launch=owners.json --detect=values --prove=0 --clang-arg=-nocudainc \
  --clang-arg=-nocudalib
owners three racy 1
owners goes_on racy 1
says_not 'writes a[1]'
owners reads_first racy 1
owners reads_last racy 1
owners not_again passed 1
owners own_block passed 2
owners other_block racy 2
owners both_blocks racy 2
gives 1 "read-write race on 'a'" run --prove=0 owners.cu --launch=owners.json \
  --detect=values --clang-arg=-nocudainc --clang-arg=-nocudalib
owners overlap passed 1
owners wide passed 1
owners compared passed 1
sed 's/both_blocks\|compared/number/' owners.json >number.json
gives 1 'the address of a local array becomes a number' run owners.cu \
  --launch=number.json --detect=values --prove=0 --clang-arg=-nocudainc \
  --clang-arg=-nocudalib
owners reads_before racy 2
owners dynamic passed 1
owners leaves passed 1
owners leaves_late racy 1
owners changes passed 1
owners changes_racily racy 1

# An address that is kept may be loaded again: of one array or another, or of a
# struct that the kernel was given.
cat >kept.cu <<'END'
struct Own {
  int number, filler;
  int *place;
};
__global__ void chosen(int *a, Own own) {
  int one[4] = {}, other[4] = {}, *keep[2] = {a, a};
  keep[threadIdx.x & 1] = a[64] & 2 ? &one[a[65] & 3] : &other[a[66] & 3];
  __syncthreads();
  *keep[threadIdx.x & 1] += 1;
  a[threadIdx.x] = one[0] + other[0];
}
__global__ void given(int *a, Own own) {
  own.place = &own.number;
  __syncthreads();
  *own.place += 1;
  a[own.number & 1] = threadIdx.x;
}
__global__ void computed(int *a, Own own) {
  unsigned long long number = (unsigned long long)&own.number ^ (a[64] & 8);
  own.filler = 1;
  __syncthreads();
  *(int *)number += 1;
  a[threadIdx.x] = own.number;
}
// What a function gives back holds it, and has it at once.
struct Holder {
  Own *own;
  int *other;
};
__device__ Holder holder_of(Own *own, int *other) { return {own, other}; }
__global__ void held(int *a, Own own) {
  holder_of(&own, a).own->place = a;
  own.place[threadIdx.x] = threadIdx.x;
  a[63 - threadIdx.x] = 7 * threadIdx.x;
}
END
kept() {
  printf '{"kernel": "%s", "grid": 1, "block": 64, "arguments": [
    {"name": "a", "type": "i32", "count": 192},
    {"name": "own", "bytes": "zero"}]}' "$1" >kept.json
  for detect in races values; do
    gives "$3" "verdict: $4" run --prove=0 kept.cu --launch=kept.json --detect=$detect \
      --clang-arg=-nocudainc --clang-arg=-nocudalib
  done
  if [ -n "$2" ]; then
    tells "by regions: the address of a local array $2"
  else
    tells 'this run by values, kernel'
  fi
}
kept held '' 1 racy
kept chosen 'is stored' 0 passed
kept given 'is stored' 1 racy
kept computed 'becomes a number' 0 passed

cat >struct.ll <<'END'
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @chosen(ptr %a) {
  %one = alloca i32
  %other = alloca i32
  store i32 0, ptr %one
  store i32 0, ptr %other
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %is.odd = trunc i32 %t to i1
  %first = insertvalue { ptr } poison, ptr %one, 0
  %second = insertvalue { ptr } poison, ptr %other, 0
  %either = select i1 %is.odd, { ptr } %first, { ptr } %second
  %at = extractvalue { ptr } %either, 0
  store i32 7, ptr %at
  %found = load i32, ptr %one
  %place = getelementptr i32, ptr %a, i32 %t
  store i32 %found, ptr %place
  ret void
}
END
echo '{"kernel": "chosen", "grid": 1, "block": 64, "arguments": [{"name": "a", "count": 64}],
  "expect": [{"buffer": "a", "count": 4, "is": [0, 7, 0, 7]}]}' >struct.json
gives 0 'the address of a local array is kept in a struct' run --prove=0 struct.ll \
  --launch=struct.json --detect=values
tells 'this run by values in order, kernel'
