# Files that are not what they should be.
# shellcheck shell=sh

echo '__global__ void k(int *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 1; }' >good.cu
echo '__global__ void racy(int *a) { a[0] = threadIdx.x; }' >racy.cu
echo '__global__ void k(int *a) { a[threadIdx.x] = ; }' >syntax.cu
echo 'void f(void) {}' >none.cu
echo '__kernel void k(__global int *a) { a[0] = nonsense; }' >syntax.cl
echo 'not a module' >garbage.ll
echo 'not a module' >garbage.bc
printf 'define void @f() {\n  ret i32 0\n}\n' >invalid.ll
printf 'define void @f() {\n  ret void\n}\n' >none.ll
: >empty.cu
: >empty.ll
echo text >notes.txt
mkdir folder.cu

gives 2 'missing.cu: No such file or directory' missing.cu
gives 2 'folder.cu: this is a folder' folder.cu
gives 2 'empty.cu: this file is empty' empty.cu
gives 2 'empty.ll: this file is empty' empty.ll
gives 2 'notes.txt: not a .cu, .hip, .cl, .ll or .bc file' notes.txt
gives 2 'none.cu: there is no kernel in this file' none.cu
gives 2 'none.ll: there is no kernel in this file' none.ll
gives 3 'garbage.ll:1:1' garbage.ll
gives 3 'garbage.bc' garbage.bc
gives 3 'invalid.ll:2:7' invalid.ll
gives 3 'syntax.cu:1:46: error' syntax.cu
gives 3 'syntax.cu: does not compile' syntax.cu
gives 3 'syntax.cl: does not compile' syntax.cl
if [ "$(id -u)" -eq 0 ]; then
  skip 'root can read every file'
else
  cp good.cu secret.cu
  chmod 000 secret.cu
  gives 2 'secret.cu: Permission denied' secret.cu
fi

# One bad file does not hide the others; the worst status wins.
gives 2 'verdict: racy' missing.cu racy.cu
gives 3 'verdict: racy' syntax.cu racy.cu
gives 3 'verdict: verified' good.cu syntax.cu
gives 2 'syntax.cu: does not compile' missing.cu syntax.cu
gives 1 'verdict: verified' racy.cu good.cu

# OpenMP's header, which clang has only with a library of its own.
{
  echo '#include <omp.h>'
  cat good.cu
  echo 'int threads() { return omp_get_max_threads(); }'
} >openmp.cu
gives 0 'verdict: verified' -nocudainc --blockDim=64 --gridDim=2 openmp.cu
gives 2 "calls it, and neither it nor 'gpuverify run' has it" run -nocudainc openmp.cu
