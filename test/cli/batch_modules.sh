# What gpuverify batch keeps of a compilation, for kernels that are left.

export XDG_CACHE_HOME="$PWD/cache"
cache=$PWD/cache/gpuverify
# Our own headers are read in no time.
export GPUVERIFY_FLAGS=-nocudainc

mkdir p
cat >p/shift.cu <<'EOF_CU'
#include "size.h"
__global__ void shift(int *a) { a[threadIdx.x + blockIdx.x * ONE] = ONE + threadIdx.x; }
EOF_CU
echo '#define ONE 64' >p/size.h
echo '__global__ void own(int *a) { a[threadIdx.x] = 1; }' >p/own.cu
cat >p/main.cu <<'EOF_CU'
__global__ void own(int *a);
__global__ void shift(int *a);
int main() { own<<<1, 64>>>(0); shift<<<2, 64>>>(0); }
EOF_CU
# modules [FOLDER]: those of a cache.
modules() { find "${1:-$cache}" -name '*.bc'; }
# forget [FOLDER]: as if nothing had been proved.
forget() {
  rm -f ./*.db
  grep -rl '"verdict":' "${1:-$cache}" | xargs -r rm
}

gives 0 'files to compile (3)' batch p
check 'one for each file' test "$(modules | wc -l)" = 3
forget
gives 0 '2 proved' batch p
says_not 'to compile'

# What has changed is compiled: a header, an option, the launch of another file.
forget
echo '#define ONE 1' >p/size.h
gives 1 'files to compile (1)' batch p
tells '2 proved'
forget
gives 1 'files to compile (3)' batch p -DNDEBUG
sed -i 's/<<<2, 64>>>/<<<1, 64>>>/' p/main.cu
gives 0 'files to compile (1)' batch p
tells '1 proved, 0 as another, 1 known before'

# A module that is not whole is none, nor is another one under its name.
forget
for module in $(modules); do echo >>"$module"; done
gives 0 'files to compile (2)' batch p
forget
gives 0 '2 proved' batch p
says_not 'to compile'
forget
other=$(modules | head -n 1)
for module in $(modules); do [ "$module" = "$other" ] || cp "$other" "$module"; done
gives 0 'files to compile' batch p
tells '2 verified'

# They count for the size of the cache, and go before any verdict does.
mkdir -p "$cache/00"
head -c 2000000 /dev/zero >"$cache/00/large.bc"
gives 0 '2 known before' batch p --cache-size=1
check 'the large one goes' test ! -e "$cache/00/large.bc"
rm gpuverify.db
gives 0 '2 known before' batch p

# Where there is little room none is kept, but verdicts are; one that cannot be
# written can be read.
mkdir small
if mount -t tmpfs -o size=160k tmpfs small 2>/dev/null; then
  head -c 100000 /dev/zero >small/zero
  gives 0 '2 proved' batch p --cache-dir=small/cache --output=s.db
  says_not 'cache:'
  check 'no module is kept' test -z "$(modules small)"
  check 'verdicts are' grep -rq '"verdict":' small/cache
  umount small
  rm ./*.db
  mount -t tmpfs -o size=8m tmpfs small
  gives 0 '2 proved' batch p --cache-dir=small/cache
  forget small/cache
  mount -o remount,ro small
  gives 0 '2 proved' batch p --cache-dir=small/cache
  says_not 'to compile'
  umount small
else
  skip 'no disk can be made to be full'
fi

# Without a cache nothing is kept.
forget
rm -rf "$cache"
gives 0 'files to compile (3)' batch p --no-cache
check 'there is no cache' test ! -e "$cache"

# Of PATH it counts where CUDA is found, and nothing else.
gives 0 '2 kernels of 3 files' batch p
mkdir more
export PATH="$PWD/more:$PATH"
gives 0 '2 known before' batch p
says_not 'to compile'
mkdir -p cuda/bin
printf '#!/bin/sh\n' >cuda/bin/ptxas
chmod +x cuda/bin/ptxas
ln -s ../cuda/bin/ptxas more/ptxas
gives 0 'files to compile (3)' batch p
