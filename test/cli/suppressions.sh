# Findings that the user knows: comments, a list, a baseline, severities.
# shellcheck shell=sh

cat >known.cu <<'END'
__device__ void foreign(int *x);
__device__ void helper(int *x) { x[5] = threadIdx.x; }
__global__ void first(int *x) {
  x[0] = threadIdx.x; // gpuverify-suppress(race): any of them will do
}
__global__ void second(int *x) {
  helper(x);
}
__global__ void third(int *x) {
  foreign(x);
}
__global__ void fourth(int *x) {
  x[threadIdx.x + blockIdx.x * blockDim.x] = 1;
}
END
gives 1 'verdict: verified modulo suppressions (kernel '\''first'\''' known.cu
tells "suppressed: possible write-write race on 'x', known.cu:4:8: any of them"
tells 'any of them will do (known.cu:4:1)'
tells "verdict: racy (confirmed, kernel 'second'"
says_not 'no kernel needs'
gives 1 '"suppressed":[{"kind":"racy"' --json known.cu
gives 1 'verified modulo suppressions' --strict known.cu -j2

# A list: each way to name something.
echo 'fun:help* = race # it is meant so' >functions
echo 'array:x' >arrays
printf '# all of it\n\nsrc:*known.cu=race\nkernel:third=unknown # pure\n' >sources
gives 4 'known.cu:2:39: it is meant so' --ignore-list=functions known.cu
tells '(functions:1:1)'
tells "verdict: unknown (kernel 'third'"
gives 4 'array:x (arrays:1:1)' --ignore-list=arrays known.cu
gives 0 'suppressed: pure (sources:4:1)' --ignore-list=sources known.cu
tells "verdict: unknown (kernel 'third'"
gives 2 "cannot read 'nowhere'" --ignore-list=nowhere known.cu
echo 'kernels:x' >wrong
gives 2 'wrong:1: a line is kernel:PATTERN' --ignore-list=wrong known.cu
echo 'kernel:x=raze' >wrong
gives 2 "wrong:1: 'raze' is none of race" --ignore-list=wrong known.cu
echo 'kernel:=race' >wrong
gives 2 'wrong:1: the pattern is empty' --ignore-list=wrong known.cu

# A baseline: what is known stays so when lines move, what is new counts.
gives 1 'racy' --write-baseline=base -j2 known.cu
check 'the baseline has what nobody suppressed' \
  test "$(cut -f1,2 base | tr '\t\n' ' ;')" = \
  '# gpuverify baseline 1;race second;unknown third;'
gives 0 'known to the baseline (base:2:1)' --baseline=base known.cu
sed '1i // a line more' known.cu >moved && mv moved known.cu
gives 0 'known to the baseline (base:2:1)' --baseline=base known.cu
gives 0 'known to the baseline' --baseline=base --write-baseline=again known.cu
check 'written again it is the same' cmp base again
gives 0 'suppressed: known to the baseline' --baseline=base "$PWD/known.cu"
sed 's/x\[5\] = threadIdx.x/x[5] = 2 * threadIdx.x/' known.cu >new.cu
gives 1 "racy (confirmed, kernel 'second'" --baseline=base new.cu
sed 's/helper(x);$/;/; s/foreign(x);$/;/' known.cu >mended && mv mended known.cu
gives 0 '2 of the findings are gone' --baseline=base known.cu
gives 2 'this is no baseline of this version' --baseline=arrays known.cu
printf '# gpuverify baseline 1\nrace\n' >broken
gives 2 'broken:2: this is no finding' --baseline=broken known.cu
gives 2 '/nowhere/base: No such file' --write-baseline=/nowhere/base known.cu
gives 2 'broken:2' --baseline=broken --write-baseline=base known.cu
check 'a baseline that cannot be read changes nothing' cmp base again

# What is no suppression is told.
cat >none.cu <<'END'
__global__ void one(int *x) {
  x[1] = threadIdx.x; // gpuverify-suppress(race)
  x[2] = threadIdx.x; // gpuverify-suppress: all
  x[3] = threadIdx.x; // gpuverify-suppress(rice): all
}
END
gives 1 'none.cu:2: this suppresses nothing: it has no reason' none.cu
tells 'none.cu:3: this suppresses nothing: write gpuverify-suppress(race): and'
tells "none.cu:4: this suppresses nothing: 'rice' is none of race"
gives 1 'functions:1: no kernel needs this' --ignore-list=functions none.cu
echo '__global__ void one(int *x) { x[threadIdx.x + blockDim.x * blockIdx.x] = 1; } // gpuverify-suppress(race): x' >useless.cu
echo '__global__ void racy(int *x) { x[0] = threadIdx.x; }' >>useless.cu
gives 1 'useless.cu:1: no kernel needs this suppression' useless.cu
gives 1 'verdict: racy' --kernel=racy useless.cu
says_not 'no kernel needs'
compile 0 'useless.cu:1:1: warning: no kernel needs this suppression [-Wdisabled' -c useless.cu -Werror -Wno-error=backend-plugin
compile 1 'error: no kernel needs' -c useless.cu -Werror=disabled-optimization
# Who includes it may not need what others do.
mv useless.cu useless.h
echo '#include "useless.h"' >useful.cu
compile 0 "kernel 'one' is verified" -c useful.cu
says_not 'no kernel needs'

# Severities are about the exit status alone.
gives 0 'verdict: racy' --severity=race=warning none.cu
gives 1 'verdict: racy' --severity=race=warning,race=error none.cu
gives 1 'verdict: racy' --severity=unknown=warning none.cu
gives 2 "'rice' is none of race" --severity=rice=error none.cu
gives 2 "'race' is not KIND=error" --severity=race none.cu
cp "$root/test/cli/same.cu" .
gives 0 'same-value write' --blockDim=64 --gridDim=1 same.cu
gives 1 'verdict: racy' --blockDim=64 --gridDim=1 --severity=same-value=error same.cu

# In clang.
echo '__global__ void k(int *x) { x[0] = threadIdx.x; } // gpuverify-suppress(race): any' >in.cu
compile 0 "no barrier divergence, but for 1 that is suppressed" -c in.cu
says_not 'warning: '
compile 1 "cannot read 'nowhere'" $arg-ignore-list=nowhere -c in.cu
sed 's/: any/:/' in.cu >out.cu
echo 'kernel:k # known' >list
compile 0 'but for 1 that is suppressed' $arg-ignore-list=list -c out.cu
tells 'out.cu:1:1: warning: this suppresses nothing: it has no reason'

# What looks like one and is none, or is about another line.
cat >looks.cu <<'END'
__global__ void literal(int *x) {
  const char *text = "// gpuverify-suppress(race): no";
  x[0] = threadIdx.x + text[0]; x[1] = threadIdx.x; const char *t = "// gpuverify-suppress(race): no";
}
__global__ void quoted(int *x) {
  x[0] = threadIdx.x; // see "gpuverify-suppress(race): reason"
}
__global__ void star(int *x, int *y) {
  // gpuverify-suppress(race): the first line alone
  *x = threadIdx.x;
  y[0] = threadIdx.x;
}
__global__ void before(int *x, int *y) {
  /* gpuverify-suppress(race): this line */ x[0] = threadIdx.x;
  y[0] = threadIdx.x;
}
__global__ void block(int *x, int *y) {
  /* a comment of two lines
   * gpuverify-suppress(race): the line below */
  x[0] = threadIdx.x;
  y[0] = threadIdx.x;
}
__global__ void last(int *x) {
  assert(x[threadIdx.x] != 5);
}
// gpuverify-suppress(assertion, divergence): nothing is below
END
gives 1 "verdict: racy (confirmed, kernel 'literal', 4 obligations, 4 failed" looks.cu
tells "verdict: racy (confirmed, kernel 'quoted', 2 obligations, 2 failed"
tells "race on 'y'"
says_not 'looks.cu:10:6: confirmed'
says_not "looks.cu:14:49: confirmed"
says_not "looks.cu:20:8: confirmed"
tells 'looks.cu:11:8: confirmed'
tells 'looks.cu:15:8: confirmed'
tells 'looks.cu:21:8: confirmed'
tells "kernel 'last'"
tells 'verdict: assertion'

# A #line in a header, which tells what is there of lines of this file.
mkdir -p lines
cat >lines/other.h <<'CU'
__device__ inline void put(int *a) {
#line 5 "main.cu"
  a[0] = threadIdx.x;
}
CU
cat >lines/main.cu <<'CU'
#include "other.h"
__global__ void k(int *a) {
  put(a);
  int *second = a + 1;
  *second = threadIdx.x; // gpuverify-suppress(race): of this cell alone
}
CU
cd lines
gives 1 'main.cu:5: this suppresses nothing: a #line in what was' \
  --blockDim=64 --gridDim=1 --no-confirm main.cu
cd ..

# What is wrong is told once, also if copies of the process find it.
cd lines
gives 1 'main.cu:5: this suppresses nothing' --blockDim=64 --gridDim=1 \
  --no-confirm -j2 main.cu main.cu
check 'told once' test "$(printf '%s\n' "$out" | grep -c 'suppresses nothing')" = 1
cd ..

# Two functions of one line, which one macro makes.
cat >pair.cu <<'CU'
#define PAIR(f, g)                                        \
  __device__ void f(int *p) { p[0] = threadIdx.x; } \
  __device__ void g(int *p) { p[1] = threadIdx.x; }
PAIR(first, second)
__global__ void k(int *a) {
  first(a);
  second(a);
}
CU
echo 'fun:first=race' >one
echo 'fun:*=race # both' >both
gives 1 "one:1: nothing in 'first' is suppressed: 'second' has the same lines (pair.cu:4)" \
  --blockDim=64 --gridDim=1 --no-confirm --ignore-list=one pair.cu
tells '2 obligations, 2 failed'
gives 0 'verdict: verified modulo suppressions' \
  --blockDim=64 --gridDim=1 --ignore-list=both pair.cu

# Directives that do not look like one, and text that looks like a comment.
{ echo '/**/ %: line 7 "x.cu"'; cat lines/main.cu; } |
  sed 's/#include.*//; s/put(a);//' >directive.cu
gives 1 'this suppresses nothing: there is a #line in this file' \
  --blockDim=64 --gridDim=1 --no-confirm directive.cu
cat >raw.cu <<'CU'
__global__ void k(int *a) {
  const char *s = R"x(" // gpuverify-suppress(race): text)x"; a[0] = threadIdx.x + !s;
}
CU
gives 1 'verdict: racy' --blockDim=64 --gridDim=1 --no-confirm raw.cu
cat >separator.cu <<'CU'
__global__ void k(int *a) {
  a[1'000] = threadIdx.x; // gpuverify-suppress(race): the last one counts
}
CU
gives 0 'verdict: verified modulo suppressions' --blockDim=64 --gridDim=1 separator.cu

# More findings than are kept: one that nobody knows may be among the rest.
{
  echo '__global__ void k(int *a, int *b) {'
  for line in $(seq 70); do echo "  a[$line] = threadIdx.x;"; done
  echo '  b[0] = threadIdx.x;'
  echo '}'
} >many.cu
echo 'array:a' >many.list
echo '{"kernel": "k", "grid": 1, "block": 64, "arguments": [{"count": 99}, {"count": 9}]}' \
  >many.json
gives 1 'nothing is suppressed: more was found than is kept' run --detect=races \
  --launch=many.json --ignore-list=many.list many.cu
