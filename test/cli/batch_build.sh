# gpuverify batch of builds: compile commands, recorded builds, revisions.

export XDG_CACHE_HOME="$PWD/cache"
never=--progress=never
# Our own headers are read in no time.
export GPUVERIFY_FLAGS=-nocudainc
sql() { sqlite3 gpuverify.db "$1"; }
row() { check "$1: $2" test "$(sql "$1")" = "$2"; }

mkdir -p 'src dir' inc build
cat >'src dir/a.cu' <<'EOF'
#include <step.h>
__global__ void a(int *p) { p[threadIdx.x * STEP] = 1; p[threadIdx.x] = WIDTH; }
int main() { a<<<1, 64>>>(0); }
EOF
cat >'src dir/b.cpp' <<'EOF'
__global__ void b(int *p) { p[threadIdx.x] = threadIdx.x; }
EOF
echo 'int main() { return 0; }' >'src dir/c.cpp'
echo '#define STEP 2' >inc/step.h
echo '-I../inc "-DWIDTH=3 + 4"' >build/options.rsp
cat >build/compile_commands.json <<EOF
[
{"directory": "$PWD/build", "file": "../src dir/a.cu",
 "command": "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -ccbin=g++ --options-file options.rsp -isystem=../inc -O3 -DNDEBUG -std=c++17 \"--generate-code=arch=compute_70,code=[compute_70,sm_70]\" -Xcompiler=-fPIC -Xcompiler \"-Wall,-Wextra\" -rdc=true --expt-relaxed-constexpr -t4 --ptxas-options=-v -Werror all-warnings -MD -MT a.o -MF a.o.d -x cu -c \"../src dir/a.cu\" -o a.o"},
{"directory": "$PWD/build", "file": "../src dir/b.cpp",
 "arguments": ["clang++", "--cuda-gpu-arch=sm_70", "--cuda-path=/nowhere", "-nocudainc", "-nocudalib",
   "-x", "cuda", "-c", "../src dir/b.cpp", "-o", "b.o"]},
{"directory": "$PWD/build", "file": "../src dir/c.cpp", "command": "g++ -c '../src dir/c.cpp'"}
]
EOF
gives 1 'src dir/a.cu:2:' batch -p build $never
tells '1 verified, 1 racy'
tells '2 kernels of 2 files'
row "select file from result where kernel = '_Z1bPi'" 'src dir/b.cpp'
# Places have one name, however the command has called the file.
row "select count(*) from result where record like '%/../%'" 0
# What it is looked at with again, as it stands on the page.
again() { sql "select json_extract(record, '$.command') from result where kernel = '$1'"; }
by_hand() { out=$(PATH="$(dirname "$gpuverify"):$PATH" sh -c "$1" 2>&1); }
by_hand "$(again _Z1aPi)"
tells "../src dir/a.cu:2:"
by_hand "$(again _Z1bPi)"
tells 'verdict: verified'
check 'no warnings are asked for' test "$(again _Z1bPi)" = \
  "cd build && gpuverify '../src dir/b.cpp' --cuda -nocudainc --clang-arg=--cuda-path=/nowhere -nocudainc -nocudalib"
"$gpuverify" report gpuverify.db --html=page.html
check 'the page has it' grep -q \
  'cd build &amp;&amp; gpuverify &#39;../src dir/a.cu&#39;.* -isystem ../inc.*--blockDim=64,1,1 --gridDim=1,1,1<' page.html
gives 1 '2 proved, 0 as another, 0 known before' batch -p build --cache-check=100 $never
says_not 'cache:'
gives 0 '1 verified' batch -p build/compile_commands.json 'b\.cpp$' $never
row "select value from meta where key = 'command'" \
  "gpuverify batch -p build/compile_commands.json 'b\.cpp\$' --progress=never"
gives 2 'no file of the compile commands matches' batch -p build nothing
gives 2 "'[' is no pattern" batch -p build '['
gives 2 'compile_commands.json: No such file' batch -p inc
mkdir lost
for command in @none.rsp '--options-file none.rsp'; do
  echo "[{\"directory\": \"$PWD\", \"file\": \"src dir/a.cu\",
    \"command\": \"nvcc -c 'src dir/a.cu' $command\"}]" >lost/compile_commands.json
  gives 2 "src dir/a.cu: cannot read 'none.rsp'" batch -p lost --output=lost.db $never
done
# What nvcc reads in the environment, and no other compiler, is read where the command
# does not set it itself.
mkdir flags
flagged() {
  echo "[{\"directory\": \"$PWD\", \"file\": \"src dir/a.cu\", \"command\": \"$1 -Iinc -c 'src dir/a.cu'\"}]" \
    >flags/compile_commands.json
}
export NVCC_PREPEND_FLAGS=-DWIDTH=5 NVCC_APPEND_FLAGS='-UWIDTH -DWIDTH=1'
flagged nvcc
gives 0 '1 verified' batch -p flags --output=flags.db $never
flagged 'env NVCC_APPEND_FLAGS= nvcc'
gives 1 '1 racy' batch -p flags --output=flags.db $never
flagged 'clang++'
gives 3 'does not compile' batch -p flags --output=flags.db $never
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
echo '[{"file": 3}]' >wrong.json
gives 2 'entry 1 has no "file"' batch -p wrong.json
echo '[' >wrong.json
gives 2 'wrong.json: line' batch -p wrong.json
cat >wrong.json <<EOF
[{"directory": "$PWD", "file": "gone.cu", "command": "nvcc -c gone.cu"},
 {"directory": "$PWD", "file": "src dir/a.cu", "command": "nvcc -Iinc -DWIDTH=1 -arch=sm_999 -c a.cu"}]
EOF
gives 2 'gone.cu: No such file' batch -p wrong.json $never
tells 'no such architecture'
row 'select group_concat(kind) from (select kind from trouble order by kind)' 'command,vanished'

# A build, with compilers that only say that they were there.
mkdir bin
for compiler in nvcc hipcc; do
  printf '#!/bin/sh\necho %s "$@" >>"%s/log"\n' $compiler "$PWD" >bin/$compiler
  chmod +x bin/$compiler
done
cat >make.sh <<'EOF'
cd 'src dir' && nvcc -I ../inc -DWIDTH='"7"[0]' -c a.cu -o /dev/null && nvcc a.o -o a
EOF
PATH="$PWD/bin:$PATH" gives 1 'src dir/a.cu:2:' batch $never -- sh make.sh
check 'the build was made' grep -q 'nvcc a.o -o a' log
PATH="$PWD/bin:$PATH" gives 1 'src dir/a.cu:2:' -- sh make.sh
PATH="$PWD/bin:$PATH" gives 1 'src dir/a.cu:2:' --timeout=7 $never -- sh make.sh
gives 2 'true: it compiled no CUDA, HIP or OpenCL; what is up to date' -- true
gives 2 'give one of them' batch -p build -- true
gives 2 'false failed; nothing is proved' batch -- false
mkdir notes
(cd 'src dir' && GPUVERIFY_COMMANDS=../notes "$(dirname "$gpuverify")/gpuverify-recorder" \
  ../bin/nvcc -I../inc -DWIDTH=1 -c a.cu)
export NVCC_APPEND_FLAGS=-DWIDTH=5 # what there is now is nothing to it
gives 0 '1 kernel of 1 file' batch --recorded=notes $never
unset NVCC_APPEND_FLAGS
# What nvcc reads before and behind its arguments.
rm notes/*
(cd 'src dir' && export GPUVERIFY_COMMANDS=../notes NVCC_PREPEND_FLAGS='-DWIDTH=5 -I "../inc"' \
  NVCC_APPEND_FLAGS='-UWIDTH -DWIDTH=1' && "$(dirname "$gpuverify")/gpuverify-recorder" \
  ../bin/nvcc -c a.cu)
gives 0 '1 kernel of 1 file' batch --recorded=notes $never
gives 2 'nowhere: No such file' batch --recorded=nowhere
gives 2 'inc: no CUDA, HIP or OpenCL is compiled there' batch --recorded=inc
rm log
GPUVERIFY_COMMANDS=nowhere "$(dirname "$gpuverify")/gpuverify-recorder" bin/nvcc 2>said
check 'status of what cannot be noted' test $? -eq 2
out=$(cat said)
tells 'no note could be left in nowhere, so nothing is compiled'
check 'nothing is' test ! -e log

# What differs from a revision.
git init -q . && git add 'src dir' inc build &&
  git -c user.name=a -c user.email=a@b commit -qm one
gives 1 '2 kernels of 2 files' batch -p build $never
gives 0 '0 known before' batch -p build --since=HEAD $never
row 'select count(*) from result' 2
sed -i 's/2/1/' inc/step.h
gives 0 '1 proved, 0 as another, 0 known before' batch -p build --since=HEAD $never
row 'select count(*) from result' 2
# A row of what git says is as it was, but that is of something else.
git add inc && git -c user.name=a -c user.email=a@b commit -qm two
sed -i 's/1/3/' inc/step.h && git add inc && git -c user.name=a -c user.email=a@b commit -qm three
gives 1 '1 proved, 0 as another, 0 known before' batch -p build --since=HEAD $never
row 'select count(*) from result' 2
gives 0 '0 proved, 0 as another, 0 known before' batch -p build --since=HEAD $never
gives 2 "git knows no revision 'none'" batch -p build --since=none $never
says_not shallow
git clone -q --depth 1 "file://$PWD" shallow
(cd shallow && "$gpuverify" batch -p build --since=HEAD~1 $never) >said 2>&1
out=$(cat said)
tells "no revision 'HEAD~1'; this clone is shallow (git fetch --unshallow)"
says_not fatal

# A process that dies costs one kernel.
cat >endless.cu <<'EOF'
__global__ void second(unsigned long *a, unsigned long n, unsigned long m) {
  unsigned long t = threadIdx.x + blockIdx.x * blockDim.x;
  if (n * m == 3121238909u * 2654435789u && n > 1 && m > 1 && n < m)
    a[t / 2 * n] = t;
}
__global__ void first(int *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 1; }
EOF
child_of() { pgrep -P "$1" | tail -n 1; }
# until COMMAND..: waits until it prints something, and keeps that.
until_there() {
  found=
  for _ in $(seq 100); do
    found=$("$@") && [ -n "$found" ] && return
    sleep 0.1
  done
}
began() { sql "select 1 from meta where key = 'started'" 2>/dev/null; }
kernel_of() {
  for one in $(pgrep -P "$1"); do for two in $(pgrep -P "$one"); do echo "$two"; done; done
}
rm -f gpuverify.db*
"$gpuverify" batch --timeout=600 endless.cu >told 2>said &
batch=$!
until_there kernel_of $batch
sleep 0.5
kill -SEGV "$(kernel_of $batch)"
wait $batch
check 'status of a dead process' test $? -eq 4
out=$(cat told said)
tells '1 verified, 1 unknown'
row "select json_extract(record, '\$.reason') like 'its process was ended by signal 11%' from result where source = 'second'" 1

# Killed, and started again.
rm -rf cache gpuverify.db*
"$gpuverify" batch --timeout=600 -j 2 endless.cu >told 2>said &
batch=$!
verdicts() { sql "select verdict from result" 2>/dev/null | grep verified; }
until_there verdicts
kill -KILL $batch
wait $batch 2>terminated
check 'what is known stays' test "$(sql 'select verdict from result')" = verified
rm -rf cache
gives 4 '1 known before' batch --timeout=1 endless.cu $never

# ... with --no-cache, only what that batch itself has found.
gives 4 '0 known before' batch --timeout=1 --no-cache endless.cu $never
sql "delete from meta where key = 'ended'"
gives 4 '2 known before' batch --timeout=1 --no-cache endless.cu $never
gives 4 '2 known before' batch --timeout=1 endless.cu $never
sql "delete from meta where key = 'ended'"
gives 4 '0 known before' batch --timeout=1 --no-cache endless.cu $never

# Interrupted.
rm -rf cache gpuverify.db*
"$gpuverify" batch --timeout=600 -j 2 endless.cu >told 2>said &
batch=$!
until_there verdicts
kill -TERM $batch
wait $batch 2>terminated
check 'status of an interrupted batch' test $? -eq 143
out=$(cat told said)
tells 'interrupted: there is no verdict on 1 kernel'
tells '1 verified'

# nvcc takes several macros in one value, clang takes one; and nvcc defines some
# with its options.
cat >macros.cu <<'CU'
__global__ void k(int *a) {
#if defined MANY && defined __CUDACC_DEBUG__
  a[0] = threadIdx.x;
#else
  a[threadIdx.x + blockIdx.x * blockDim.x] = 1;
#endif
}
CU
for compiler in nvcc clang++; do
  mkdir -p "of-$compiler"
  cat >"of-$compiler/compile_commands.json" <<JSON
[{"directory": "$PWD", "file": "macros.cu", "command": "$compiler -DX=1,MANY -G -c macros.cu"}]
JSON
done
gives 1 '1 racy' batch -p of-nvcc --no-cache --no-confirm --output=of-nvcc.db
gives 0 '1 verified' batch -p of-clang++ --no-cache --no-confirm --output=of-clang.db
gives 2 'at most 1024' batch macros.cu --launcher=make --shards=99999 --output=s.db

# What nvcc takes several of, with commas between them; other compilers do not.
mkdir -p first second 'with,comma' lists
echo '#define FIRST 1' >first/first.h
echo '#define SECOND 2' >second/second.h
cp second/second.h 'with,comma/second.h'
cp first/first.h before.h
echo '-DA=1' >a.rsp
echo '-DB=3' >b.rsp
cat >lists.cu <<'CU'
#include <second.h>
static_assert(FIRST + SECOND + A + B + C == 8, "");
__global__ void k(int *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = D[0]; }
CU
# command COMPILER OPTION..: the compile command of the batch.
command() {
  printf '[{"directory": "%s", "file": "lists.cu", "command": "%s -c lists.cu"}]\n' \
    "$PWD" "$(echo "$*" | sed 's/\\/&&/g; s/"/\\"/g')" >lists/compile_commands.json
}
both='-include before.h -DA=1 -DB=3 -DC=1'
lists="batch -p lists --no-cache --no-confirm --output=lists.db $never"
command nvcc "-I first,second --pre-include=before.h,first.h --options-file=a.rsp,b.rsp '-DD=\"a,b\"' -DC=1"
gives 0 '1 verified' $lists
command nvcc "-isystem=first,second $both -Xcompiler '\"-DD=\\\"a b\\\"\"'"
gives 0 '1 verified' $lists
command clang++ "-Iwith,comma $both '-DD=\"a,b\"'"
gives 0 '1 verified' $lists
command nvcc "-Iwith\\,comma $both '-DD=\"a,b\"'"
gives 3 "'second.h' file not found" $lists
command nvcc '-optf a.rsp,none.rsp'
gives 2 "cannot read 'none.rsp'" $lists

# Notes of commands: launchers before the compiler, sources by any name, values
# that look like sources.
record() { GPUVERIFY_COMMANDS=notes "$(dirname "$gpuverify")/gpuverify-recorder" "$@"; }
printf '#!/bin/sh\nexec "$@"\n' >bin/ccache
chmod +x bin/ccache
cp macros.cu macros.inc
cp macros.cu other.cu
rm -rf notes && mkdir notes
PATH="$PWD/bin:$PATH" record ccache nvcc -DX=1,MANY -G --x=cu -c macros.inc --output-file other.cu
gives 1 '1 racy' batch --recorded=notes --no-cache --no-confirm --output=n.db $never
tells '1 kernel of 1 file'

# Compilers by absolute names, as CMake calls them; behind a cache, which may
# know the answer; and one that calls another, which is noted once.
printf '#!/bin/sh\necho known\n' >bin/ccache
printf '#!/bin/sh\nclang++ -DMANY -c other.cu\n' >bin/hipcc
printf '#!/bin/sh\necho "$*" >>"%s/log"\n' "$PWD" >bin/clang++
chmod +x bin/clang++
mkdir 'abs dir'
cp macros.cu 'abs dir/by name.cu'
cat >Makefile <<END_OF_MAKE
all: one two three
one:
	cd 'abs dir' && '$PWD/bin/nvcc' -DX=1,MANY -G -c 'by name.cu'
two:
	@'$PWD/bin/ccache' '$PWD/bin/nvcc' -c macros.cu
three:
	@'$PWD/bin/hipcc' -x cuda -c other.cu
END_OF_MAKE
rm -f log
PATH="$PWD/bin:$PATH" gives 1 'abs dir/by name.cu:3:' batch --no-confirm --output=abs.db $never -- make -s
tells '2 verified, 1 racy'
tells '3 kernels of 3 files'
check 'the build was made' grep -q 'MANY -c other.cu' log
cat >build.py <<END_OF_PYTHON
import os, subprocess
subprocess.check_call(["$PWD/bin/nvcc", "-c", "macros.cu"])
os.spawnlp(os.P_WAIT, "nvcc", "nvcc", "-c", "other.cu")
os.posix_spawnp("nvcc", ["nvcc", "-c", "lists.cu", "-Ifirst", "-Isecond", "-DA=1",
                         "-DB=3", "-DC=1", '-DD="a"', "-include", "first.h"], os.environ)
os.wait()
os.execl("$PWD/bin/nvcc", "nvcc", "-c", "abs dir/by name.cu")
END_OF_PYTHON
PATH="$PWD/bin:$PATH" gives 0 '4 kernels of 4 files' batch --no-confirm --output=py.db $never -- python3 build.py
