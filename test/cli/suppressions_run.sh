# What barriers, run and schedules find, and the user knows.
# shellcheck shell=sh

cat >known.cu <<'END'
__global__ void racy(int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  a[threadIdx.x] = s[threadIdx.x ^ 63];
}
END
cat >race.json <<'END'
{"grid": 1, "block": 64, "arguments": [{"count": 64}]}
END
sed 's|= threadIdx.x;|& // gpuverify-suppress(race): they are equal|' \
  known.cu >told.cu
run='run --detect=races --launch=race.json'
barriers='barriers --blockDim=64'

# Each command by itself: a comment, a list by each word, a severity.
for command in "$run" "$barriers"; do
  # shellcheck disable=SC2086
  gives 1 'verdict: racy' $command known.cu
  says_not suppressed
  # shellcheck disable=SC2086
  gives 0 'suppressed: they are equal (told.cu:3)' $command told.cu
  tells 'verdict: racy'
  tells ', 1 suppressed)'
  says_not 'needs this suppression'
  for line in 'kernel:racy=race' 'src:*known.cu' 'array:s=race'; do
    echo "$line # so it is" >list
    # shellcheck disable=SC2086
    gives 0 'suppressed: so it is (list:1)' $command --ignore-list=list known.cu
  done
  echo 'kernel:racy=deadlock' >list
  # shellcheck disable=SC2086
  gives 1 'list:1: no kernel needs this suppression' \
    $command --ignore-list=list known.cu
  # shellcheck disable=SC2086
  gives 0 'verdict: racy' $command --severity=race=warning known.cu
  # shellcheck disable=SC2086
  gives 1 'verdict: racy' $command --severity=deadlock=warning known.cu
  # shellcheck disable=SC2086
  gives 0 '"level":"warning","suppressed":null' \
    $command --json --severity=race=warning known.cu
  # shellcheck disable=SC2086
  gives 0 '"suppressed":{"reason":"they are equal","by":"source","by_where":{"file":"told.cu","line":3' \
    $command --json told.cu
  tells '"verdict":"racy"'
  printf '%s\n' "$out" >told.jsonl
  gives 0 'suppressed: they are equal' report told.jsonl
  gives 0 'failures="0"' report told.jsonl --junit=-
  # shellcheck disable=SC2086
  gives 0 '"kind": "inSource"' $command --sarif told.cu
  # shellcheck disable=SC2086
  gives 0 '"level": "warning"' $command --sarif --severity=race=warning known.cu
  # shellcheck disable=SC2086
  gives 2 "cannot read 'nowhere'" $command --baseline=nowhere known.cu
done

# A baseline of the one is one of the other: the same array, lines and files.
# shellcheck disable=SC2086
gives 1 'verdict: racy' $run --write-baseline=base known.cu
check 'the baseline has the race' grep -q '^race	racy	s	known.cu	' base
for command in "$run" "$barriers"; do
  # shellcheck disable=SC2086
  gives 0 'suppressed: known to the baseline' $command --baseline=base known.cu
  sed '1i // a line more' known.cu >moved.cu
  sed 's/known.cu/moved.cu/g' base >base.moved
  # shellcheck disable=SC2086
  gives 0 'known to the baseline' $command --baseline=base.moved moved.cu
  sed 's/\^ 63/^ 62/' known.cu >new.cu
  # shellcheck disable=SC2086
  gives 1 'verdict: racy' $command --baseline=base new.cu
done
sed 's/^  a\[/  __syncthreads();\n&/' known.cu >mended.cu
# shellcheck disable=SC2086
gives 0 '1 of the findings is gone' $run --baseline=base mended.cu

# Where functions are is known of sources, and not of PTX.
echo 'fun:*racy*=race' >list
for command in "$run" "$barriers"; do
  # shellcheck disable=SC2086
  gives 0 'suppressed: fun:*racy*=race' $command --ignore-list=list known.cu
done
gives 2 'list:1: this suppresses nothing: where functions are is not known' \
  barriers --blockDim=64 --ignore-list=list known.ptx

# What is not decided, of named barriers.
echo 'kernel:racy=unknown # later' >list
gives 2 'the block size is not known' barriers --ignore-list=list known.cu

# A search of schedules.
free="$root/test/schedules/free_list.cu -DBUG=1 --check=assert
  --launch=$root/test/schedules/free_list.json --output=out.json"
# shellcheck disable=SC2086
gives 1 'verdict: assertion' schedules $free
# shellcheck disable=SC2086
gives 0 'verdict: assertion' schedules --severity=assertion=warning $free
echo 'src:*free_list.cu=assertion # being mended' >list
# shellcheck disable=SC2086
gives 0 'suppressed: being mended (list:1)' schedules --ignore-list=list $free

# A program.
cat >program.cu <<'END'
#include "known.cu"
int main() {
  int *a;
  cudaMalloc(&a, 256);
  racy<<<1, 64>>>(a);
  return cudaDeviceSynchronize();
}
END
gives 1 'verdict: racy' run --detect=races program.cu
echo 'kernel:racy=race # known' >list
gives 0 'suppressed: known (list:1)' run --detect=races --ignore-list=list program.cu
echo 'fun:racy=race # by its function' >list
gives 0 'by its function' run --detect=races --ignore-list=list program.cu
echo 'fun:main=race # it is not there' >list
gives 1 'list:1: no kernel needs this' run --detect=races --ignore-list=list program.cu
echo 'kernel:racy=race # known' >list
sed -i 's/return cuda.*/return cudaDeviceSynchronize() + 3;/' program.cu
gives 1 'program exited with 3' run --detect=races --ignore-list=list program.cu

# A #line has other lines behind it: no comment is believed.
{ echo '#line 10 "told.cu"'; cat told.cu; } >lines.cu
cp lines.cu told.cu
# shellcheck disable=SC2086
gives 1 'this suppresses nothing: there is a #line in this file' $barriers told.cu
gives 1 'there is a #line in this file' --blockDim=64 --gridDim=1 told.cu

# Also one in a header, which tells of lines of the file that includes it.
cat >other.h <<'END'
__device__ inline void put(int *cell) {
#line 5 "names.cu"
  *cell = threadIdx.x;
}
END
cat >names.cu <<'END'
#include "other.h"
__global__ void k(int *a) {
  __shared__ int s[2];
  put(s);
  s[1] = threadIdx.x; // gpuverify-suppress(race): of this cell alone
}
int main() {
  k<<<1, 64>>>(NULL);
  return cudaDeviceSynchronize();
}
END
for command in 'run --detect=races' "$barriers"; do
  # shellcheck disable=SC2086
  gives 1 'names.cu:5: this suppresses nothing: a #line in what was' $command names.cu
  says_not 'suppressed:'
done
