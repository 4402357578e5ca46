# The command without the library that has clang, LLVM and Z3: PTX, help and
# wrong options need none of it, and the rest says what is missing.
# shellcheck shell=sh

cat >two.ptx <<'PTX'
.version 7.0
.target sm_70
.address_size 64
.visible .entry two()
{
	.reg .b32 %r<2>;
	bar.sync 0;
	ret;
}
PTX
echo '__global__ void k(int *a) { a[threadIdx.x] = 1; }' >k.cu

with_library=$gpuverify
cp "$with_library" ./gpuverify
gpuverify=./gpuverify
missing='gpuverify: libgpuverify-clang.so: it is not beside this command'
gives 0 'verdict: verified' barriers --blockDim=64 two.ptx
gives 0 'usage: gpuverify' --help
gives 0 'usage: gpuverify schedules' schedules --help
gives 0 'LLVM 22' --version
gives 2 'unknown option' --no-such-option
gives 2 'no file is given' run
gives 2 'give one file' launch
gives 2 "$missing" k.cu
gives 2 "$missing" run k.cu
gives 2 "$missing" barriers --blockDim=64 k.cu
# Each file is looked at, whatever became of those before it.
gives 2 'verdict: verified' barriers --blockDim=64 k.cu two.ptx
gives 2 "$missing" barriers --blockDim=64 --threads=2 k.cu two.ptx

# What is no library, is said to be none.
echo text >libgpuverify-clang.so
gives 2 'libgpuverify-clang.so: ' k.cu
says_not 'not beside'

# Of another version it would have other structures.
built=$(dirname "$with_library")
identity=$(cat "$built/identity")
sed "s/$identity/$(echo "$identity" | tr 0-9a-f 1-9a-f0)/" \
  "$built/libgpuverify-clang.so" >libgpuverify-clang.so
gives 2 'libgpuverify-clang.so: it is of another version than this command' k.cu

# Installed, it is in ../lib.
mkdir bin lib include
mv gpuverify bin
ln -s "$root/include" include/gpuverify
ln -s "$built/libgpuverify-clang.so" lib
gpuverify=bin/gpuverify
gives 0 'verdict: verified' --gridDim=1 k.cu
gpuverify=$with_library
