# Headers that every file begins with are parsed once, and once more when they
# are no longer what they were.
# shellcheck shell=sh

cp -r "$root/include" own
cat >one.cu <<'CU'
__global__ void one(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = PLACE;
}
CU
export GPUVERIFY_INCLUDE="$PWD/own" GPUVERIFY_CACHE="$PWD/kept"
options='-nocudainc -nocudalib --no-confirm'
count() { find kept/headers -name '*.pch' 2>/dev/null | wc -l; }

# Once for the device and once for the host, whatever the program defines.
# shellcheck disable=SC2086
gives 0 'verified' $options -DPLACE=1 one.cu
check 'two sides are kept' test "$(count)" = 2
stat -c %i kept/headers/*.pch >first
# shellcheck disable=SC2086
gives 0 'verified' $options -DPLACE=2 one.cu
stat -c %i kept/headers/*.pch >second
check 'they are used again' cmp first second
cp one.cu two.cu
# shellcheck disable=SC2086
gives 3 "use of undeclared identifier 'PLACE'" $options two.cu
mkdir elsewhere
gives_there() { cd elsewhere && gives "$@" && cd ..; }
# shellcheck disable=SC2086
gives_there 0 'verified' $options -DPLACE=2 ../one.cu
check 'and from elsewhere' test "$(count)" = 2

# A macro that headers may ask for makes others.
# shellcheck disable=SC2086
gives 0 'verified' $options -DPLACE=1 -DSOME_SIZE=4 one.cu
check 'two more' test "$(count)" = 4

# A file that was cut short, or is another, is not believed.
for file in kept/headers/*.pch; do
  printf x | dd of="$file" bs=1 seek=5000 conv=notrunc 2>/dev/null
done
# shellcheck disable=SC2086
gives 0 'verified' $options -DPLACE=1 one.cu
for file in kept/headers/*; do : >"$file"; done
# shellcheck disable=SC2086
gives 0 'verified' $options -DPLACE=1 one.cu

# A header that is another now: of the same size, and as old.
words=own/gpuverify/cuda/words.h
cp -p $words old.h
sed 's/^#define __global__ /#define __glabal__ /' old.h >$words
check 'the header has another text' test -n "$(cmp old.h $words 2>&1)"
touch -r old.h $words
# shellcheck disable=SC2086
gives 3 "unknown type name '__global__'" $options -DPLACE=1 one.cu
cp -p old.h $words
# shellcheck disable=SC2086
gives 0 'verified' $options -DPLACE=1 one.cu

# One that was not there, in front of another.
mkdir front
# shellcheck disable=SC2086
gives 0 'verified' $options -DPLACE=1 -Ifront one.cu
mkdir front/gpuverify
echo '#error in front' >front/gpuverify/cuda.h
# shellcheck disable=SC2086
gives 3 'in front' $options -DPLACE=1 -Ifront one.cu
mkdir gpuverify
echo '#error it is here' >gpuverify/cuda.h
# shellcheck disable=SC2086
gives 3 'it is here' $options -DPLACE=1 one.cu
rm -r gpuverify

# What is said of a header is said each time.
cat >front/gpuverify/cuda.h <<'H'
#warning in front
#include "../../own/gpuverify/cuda.h"
H
# shellcheck disable=SC2086
gives 0 'in front' $options -DPLACE=1 -Ifront one.cu
# shellcheck disable=SC2086
gives 0 'in front' $options -DPLACE=1 -Ifront one.cu
check 'nothing else is left' \
  test -z "$(find kept/headers -type f ! -name '*.pch' ! -name '*.files')"

# A batch elsewhere is told that no header was in its folder.
mkdir twice
cp two.cu twice
(cd twice && "$gpuverify" batch $options -DPLACE=1 two.cu >/dev/null 2>&1
  mkdir gpuverify
  echo '#error it is here' >gpuverify/cuda.h
  "$gpuverify" batch $options -DPLACE=1 two.cu) >batch.log 2>&1
check 'a batch looks again' grep -q 'it is here' batch.log

# Nothing is kept where nothing is wanted, or can be.
rm -r kept
export GPUVERIFY_CACHE=
# shellcheck disable=SC2086
gives 0 'verified' $options -DPLACE=1 one.cu
check 'nothing is kept' test ! -e kept
export GPUVERIFY_CACHE=/proc/nowhere
# shellcheck disable=SC2086
gives 0 'verified' $options -DPLACE=1 one.cu
says_not nowhere
unset GPUVERIFY_CACHE GPUVERIFY_INCLUDE
