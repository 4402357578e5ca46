# Which of clang's options have their effect on verdicts.
# shellcheck shell=sh disable=SC2086,SC2154

cat >three.cu <<'END'
__global__ void good(int *a) {
  a[threadIdx.x + blockIdx.x * blockDim.x] = 1;
}
__global__ void racy(int *a) {
  a[threadIdx.x / 2] = threadIdx.x;
}
__global__ void open(int **a) {
  a[threadIdx.x][0] = 1;
}
END
sed '/racy/,/}/d' three.cu >two.cu
cat >places.cu <<'END'
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdisabled-optimization"
#pragma clang diagnostic ignored "-Wbackend-plugin"
__global__ void open1(int **a) { a[threadIdx.x][0] = 1; }
__global__ void racy1(int *a) { a[threadIdx.x / 2] = threadIdx.x; }
#pragma clang diagnostic pop
__global__ void open2(int **a) { a[threadIdx.x][0] = 1; }
__global__ void racy2(int *a) { a[threadIdx.x / 2] = threadIdx.x; }
#pragma clang diagnostic error "-Wdisabled-optimization"
__global__ void open3(int **a) { a[threadIdx.x][0] = 1; }
END

if [ -n "$SANITIZE" ]; then
  skip 'clang is not instrumented and cannot load an instrumented plugin'
else
  race="possible write-write race on 'a'"
  compile 1 "error: $race" -Werror -fsyntax-only three.cu
  tells "warning: kernel 'open': verdict is unknown"
  compile 1 "error: $race" -Werror=backend-plugin -fsyntax-only three.cu
  for group in '-Werror -Wno-error=backend-plugin' '-Wno-error=backend-plugin -Werror'
  do
    compile 0 "warning: $race" $group -fsyntax-only three.cu
  done
  compile 0 "kernel 'open'" -Wno-backend-plugin -fsyntax-only three.cu
  says_not "$race"
  compile 0 "kernel 'good'" -w -fsyntax-only three.cu
  says_not warning
  # Not decided is no error unless that is asked for.
  compile 0 '[-Wdisabled-optimization]' -Werror -fsyntax-only two.cu
  compile 1 "error: kernel 'open'" -Werror=disabled-optimization \
    -fsyntax-only two.cu
  compile 0 '' -Werror -Wno-disabled-optimization -fsyntax-only two.cu
  says_not 'open'
  compile 0 'remark: kernel' -Rremark-backend-plugin -fsyntax-only two.cu
  for silent in -Rno-remark-backend-plugin -Rno-everything; do
    compile 0 '' $silent -fsyntax-only two.cu
    says_not remark
  done
  compile 1 "error: kernel 'open3'" -fsyntax-only places.cu
  tells "warning: kernel 'open2'"
  tells "places.cu:8:52: warning: $race"
  says_not open1
  says_not racy1
fi
