# gpuverify batch tells what is wrong with suppressions, as the command does.

export XDG_CACHE_HOME="$PWD/cache"
never=--progress=never
# Our own headers are read in no time.
export GPUVERIFY_FLAGS=-nocudainc
# once TEXT: the output just checked has the line once.
once() {
  if [ "$(echo "$out" | grep -cxF "gpuverify: $1")" = 1 ]; then pass; else fail "not once: $1"; fi
}

mkdir p q
cat >p/put.h <<'EOF_CU'
__device__ inline void put(int *a) {
  a[0] = threadIdx.x; // gpuverify-suppress(race): any of them will do
}
__device__ inline void get(int *a) {
  a[0] = threadIdx.x; // gpuverify-suppress(race): nobody calls it
}
EOF_CU
for one in a b; do
  cat >p/$one.cu <<EOF_CU
#include "put.h"
__global__ void $one(int *a) { put(a); }
__global__ void own_$one(int *a) {
  a[threadIdx.x + blockDim.x * blockIdx.x] = 1; // gpuverify-suppress(race): old
}
EOF_CU
done
cat >p/none.cu <<'EOF_CU'
__global__ void none(int *x) {
  x[1] = threadIdx.x; // gpuverify-suppress(race)
  x[2] = threadIdx.x; // gpuverify-suppress(rice): all
}
EOF_CU
printf 'kernel:none=race # known\narray:nothing # no such one\n' >list
told() {
  once 'p/a.cu:4: no kernel needs this suppression'
  once 'p/b.cu:4: no kernel needs this suppression'
  once 'p/none.cu:2: this suppresses nothing: it has no reason'
  once 'p/put.h:5: no kernel needs this suppression'
  says_not 'gpuverify: p/put.h:2'
  once 'list:2: no kernel needs this suppression'
  says_not 'list:1'
}
all="batch p --ignore-list=list $never -j 2"
gives 0 '3 verified modulo suppressions' $all
told
tells "p/none.cu:3: this suppresses nothing: 'rice' is none of race"
# Of what is known, too, wherever it is known from.
rm gpuverify.db
gives 0 '5 known before' $all
told
gives 0 'p/a.cu:4: no kernel needs this suppression (suppression)' report gpuverify.db
tells 'list:2: no kernel needs this suppression (suppression)'
says_not 'put.h:2: no kernel'
gives 0 '' report --sarif=- gpuverify.db
tells 'p/none.cu:2: this suppresses nothing: it has no reason'

# Parts know it only together.
for part in 1 2 3; do
  gives 0 '' batch p --ignore-list=list $never --shard=$part/3 --output=$part.db
  says_not 'no kernel needs'
  tells 'p/none.cu:2: this suppresses nothing: it has no reason'
done
gives 4 'it has no reason' merge two.db 1.db 2.db
says_not 'no kernel needs'
gives 0 '3 verified modulo suppressions' merge all.db 1.db 2.db 3.db
told
gives 0 '3 verified modulo suppressions' $all --launcher=make --shards=2 --output=parts.db
told

# Of what has changed alone it is not known, unless the rest is in the database.
git init -q . && git add p list && git -c user.name=a -c user.email=a@b commit -qm one
sed -i 's/= 1;/= 2;/' p/a.cu
gives 0 'it has no reason' batch p --ignore-list=list $never --since=HEAD --output=since.db
says_not 'no kernel needs'
gives 0 'it has no reason' $all --since=HEAD
told

# A kernel that is not decided may need it yet.
cat >q/open.cu <<'EOF_CU'
__device__ void foreign(int *x);
__global__ void open(int *x) {
  foreign(x);
  x[threadIdx.x + blockDim.x * blockIdx.x] = 1; // gpuverify-suppress(race): perhaps
}
EOF_CU
gives 4 'q/open.cu:4: no kernel that was decided needs this' batch q $never
# A line of a list may suppress nothing for what the module is.
cat >q/open.cu <<'EOF_CU'
#define TWO(a, b) __device__ void a(int *x) { x[0] = threadIdx.x; } __device__ void b(int *x) { x[0] = threadIdx.x; }
TWO(one, other)
__global__ void open(int *x) { one(x); other(x); }
EOF_CU
echo 'fun:one=race # known' >list
for _ in 1 2; do
  gives 1 "list:1: nothing in 'one' is suppressed: 'other' has the same lines" \
    batch q $never --ignore-list=list
  says_not 'no kernel needs'
  rm gpuverify.db
done

# Findings of a baseline that are gone are counted.
gives 1 'racy' q/open.cu --write-baseline=base
gives 0 'modulo suppressions' batch q $never --baseline=base
says_not 'gone'
echo '__global__ void open(int *x) { x[threadIdx.x + blockDim.x * blockIdx.x] = 1; }' >q/open.cu
gives 0 'base: 1 of the findings is gone; --write-baseline leaves it out' \
  batch q $never --baseline=base
