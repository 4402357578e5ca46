# gpuverify-launcher: before a compiler that only says how it was called.
# shellcheck shell=sh

launcher=$(dirname "$gpuverify")/gpuverify-launcher
mkdir 'a folder'
cat >compiler <<'END_OF_SH'
#!/bin/sh
echo "compiled: $*"
exit "${STATUS:-0}"
END_OF_SH
chmod +x compiler
cat >'a folder/racy.cu' <<'END_OF_CUDA'
__global__ void racy(int *a) {
  __shared__ int cells[N];
  cells[threadIdx.x] = 1;
  a[blockIdx.x * N + threadIdx.x] = cells[N - 1 - threadIdx.x];
}
END_OF_CUDA
sed 's/^  a\[/  __syncthreads(); a[/' 'a folder/racy.cu' >good.cu
cp good.cu good.cpp
echo '#define M 1' >'a folder/n.h'
cp 'a folder/racy.cu' racy.cc
echo 'int main() { return x; }' >host.cpp
echo '__global__ void broken(int *a) { a = b; }' >broken.cu

# launched STATUS TEXT WORD..: the launcher with these words.
launched() {
  want=$1 text=$2
  shift 2
  out=$("$launcher" "$@" 2>&1)
  status=$?
  if [ "$status" -ne "$want" ]; then
    fail "launcher $*: status $status, not $want"
  elif ! contains "$text"; then
    fail "launcher $*: does not say: $text"
  else
    pass
  fi
}

size=--option=--blockDim=64
launched 0 'race on '"'cells'" $size ./compiler -DN=64 -c 'a folder/racy.cu' -o racy.o
tells 'compiled: -DN=64 -c a folder/racy.cu -o racy.o'
launched 1 'race on '"'cells'" --werror $size ./compiler -DN=64 -c 'a folder/racy.cu'
says_not compiled
launched 0 'compiled: -DN=64 -c good.cu' --werror $size ./compiler -DN=64 -c good.cu
says_not verdict
STATUS=7 launched 7 compiled ./compiler -DN=64 -c good.cu

launched 0 'compiled: -x cuda' --werror $size ./compiler -x cuda -DN=64 -c good.cpp
gives 0 'verdict: verified' --cuda --blockDim=64 -DN=64 good.cpp
gives 2 'not a .cu, .hip, .cl, .ll or .bc file' good.cpp

# What does not compile for us may compile for others; --werror asks for a proof.
launched 0 "use of undeclared identifier 'b'" ./compiler -c broken.cu
tells compiled
launched 3 'does not compile' --werror ./compiler -c broken.cu
says_not compiled
launched 2 'unknown option' --werror --option=--blokDim=3 ./compiler -c good.cu

# What says nothing of the source is taken away; -x says what it is.
launched 1 'race on' --werror $size ./compiler -x cu -MD -MT a.o -MF a.d -DN=64 \
  -gencode arch=compute_80,code=sm_80 -Xcompiler -fPIC -dc racy.cc -o k.cu
launched 1 'race on' --werror $size ./compiler --gpu-architecture sm_90 -g -G -O 3 -w \
  --define-macro N=64 --include-path /nowhere -U M --pre-include 'a folder/n.h' \
  --ptxas-options -v -Xcudafe --diag_suppress=20012 -t 4 --std c++17 -Werror all-warnings \
  --system-include /nowhere --maxrregcount 32 --split-compile=0 'a folder/racy.cu' -o k.cu
says_not warning:
launched 1 'race on' --werror $size ./compiler -xcuda -DN=64 -c racy.cc --cuda-path=/nowhere
printf -- '-I "a folder"\n-DN=64 -include "a folder/n.h"\n' >options
launched 1 'race on' --werror $size ./compiler --options-file options -c 'a folder/racy.cu'
launched 1 'race on' --werror $size ./compiler @options -c 'a folder/racy.cu'
echo '-DM' >more
launched 1 'race on' --werror $size ./compiler --options-file=more,options -c 'a folder/racy.cu'
echo '@endless' >endless
launched 0 compiled ./compiler @endless

# nvcc takes several macros in one value, also behind a cache; others do not.
cp compiler nvcc
launched 1 'race on' --werror $size ./nvcc -DM=1,N=64 -c 'a folder/racy.cu'
launched 1 'race on' --werror $size ./compiler ./nvcc -DM=1,N=64 -c 'a folder/racy.cu'
# It reads variables, too; others do not.
export NVCC_PREPEND_FLAGS='-DM=1,N=0' NVCC_APPEND_FLAGS="-U N '-DN=60 + 4'"
launched 1 'race on' --werror $size ./nvcc -c 'a folder/racy.cu'
launched 3 'undeclared' --werror $size ./compiler -c 'a folder/racy.cu'
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
launched 3 "undeclared identifier 'N'" --werror $size ./compiler -DM=1,N=64 -c 'a folder/racy.cu'

# No kernel is compiled here.
for words in '-c host.cpp' 'good.o -o program' '-E broken.cu' '-M broken.cu' \
  '-dlink a.o' '--version' ''; do
  # shellcheck disable=SC2086
  launched 0 compiled --werror ./compiler $words
  says_not error
done

export GPUVERIFY_LAUNCHER=off
launched 0 'compiled: -c broken.cu' --werror ./compiler -c broken.cu
export GPUVERIFY_LAUNCHER=maybe
launched 2 'neither verify nor off' ./compiler -c good.cu
unset GPUVERIFY_LAUNCHER

launched 2 'no compiler is given' --werror
launched 2 '--wrong: unknown option' --wrong ./compiler
launched 0 'usage: gpuverify-launcher' --help
launched 2 'nowhere: No such file' ./nowhere -c good.cu
export GPUVERIFY_COMMAND=/no/gpuverify
launched 2 '/no/gpuverify: No such file' --werror ./compiler -c good.cu
unset GPUVERIFY_COMMAND
