# Documents of records: SARIF, HTML, JUnit and text, of `gpuverify report` and
# of --sarif.
# shellcheck shell=sh

records=$root/test/documents/records.jsonl
# NAME FILE..: the script of that name says what is wrong with the files.
looks() {
  script=$1
  shift
  # shellcheck disable=SC2154
  timeout 60 python3 "$root/test/documents/$script.py" "$@"
}

mkdir -p sub
cp "$root"/test/documents/*.cu .
mv fine.cu sub
printf '__global__ void odd(int *a) {\n  asm("\377\376 <b>");\n}\n' \
  >"odd '&\"<x>.cu"

# Text, which is what there is without options.
gives 0 "tile.cu:11:10: confirmed read-write race on 's'" report "$records"
tells "  thread (1,0,0) in block (0,0,0) writes s[1] (bytes 4..7), tile.cu:7:10"
tells '  no barrier between tile.cu:5:3 and them'
tells "tile.cu:9:10: suppressed: possible write-write race on 'a'"
tells "inline assembly '<b>' is not modelled"
tells 'broken.cu: does not compile (compile)'
says_not 'broken.cu: broken.cu'
tells '4 kernels, 1 racy, 1 deadlock, 1 unknown, 1 verified; 1 without a verdict'

# All at once.
gives 0 '' report "$records" --html=all.html --sarif=all.sarif --junit=all.xml
check 'the SARIF document is what it should be' looks sarif all.sarif
check 'the JUnit document is what it should be' looks junit all.xml
check 'the page is well-formed and shows what it should' looks page all.html
gives 0 '"version": "2.1.0"' report - --sarif=- <"$records"

# Code hosts show one of those with the same hash.
echo '__global__ void twice(int *a) { a[0] += threadIdx.x; }' >twice.cu
gives 1 'write-write race' --no-confirm --sarif twice.cu
check 'equal lines have hashes of their own' test \
  "$(echo "$out" | grep -c 'LineHash": ".*:[12]"')$(echo "$out" | grep -c ':2"')" = 21

# Instances of a template have one problem, told of where it was confirmed.
{
  sed -n '1{s/tile<256>/tile<128>/;s/_Z4/_Z5/;s/"confirmed":true/"confirmed":false/g;p}' \
    "$records"
  sed -n 1p "$records"
} >both.jsonl
gives 0 "tile.cu:11:10: the same as of kernel 'tile<256>': confirmed" \
  report both.jsonl --html=both.html --sarif=both.sarif --text
tells "  the same of 'tile<128>'"
check 'its page is well-formed' grep -q 'The same as of <a href="#k2" title="tile.cu">' both.html
check 'one result names both' grep -q '"occurrenceCount": 2' both.sarif
check 'four results are two' \
  test "$(grep -c '"kind": "fail"' both.sarif)" -eq 2

# A fingerprint stays when lines above come.
sed 1i// tile.cu >moved && mv moved tile.cu
looks move "$records" >moved.jsonl
gives 0 '' report moved.jsonl --sarif=moved.sarif
check 'fingerprints do not hang on line numbers' \
  looks same_marks all.sarif moved.sarif

# A file that is gone, one that has changed.
rm roles.cu
gives 0 'this file is not there any more' report "$records" --html=-

# A database.
if python3 -c 'import sqlite3' 2>/dev/null; then
  looks database "$records" batch.db
  gives 0 '4 kernels, 1 unknown, 1 deadlock, 1 verified, 1 racy; 1 without' \
    report batch.db
  tells ', cached)'
  tells "verdict: verified (sub/fine.cu:1:1, kernel 'fine'"
  gives 0 'this file has changed since' report batch.db --html=-
  looks database --schema=7 "$records" later.db
  gives 2 'the database is of another version of gpuverify' report later.db
  head -c 200 batch.db >half.db
  gives 2 'half.db: not a database of gpuverify batch that can be read' \
    report half.db
else
  skip 'there is no sqlite3 for Python'
fi

# Wrong use.
gives 2 'no database or file of records is given' report
gives 2 "unknown option '--htm=x'; did you mean '--html'?" report --htm=x a
gives 2 '--sarif: a value is missing (FILE)' report --sarif "$records"
gives 2 'two documents cannot both go to stdout' report --sarif=- --html=- a
gives 2 'none.jsonl: No such file or directory' report none.jsonl
gives 2 '/nowhere/a.html: No such file' report "$records" --html=/nowhere/a.html
gives 0 'usage: gpuverify report' report --help
{ cat "$records"; echo 'what is this?'; printf '{"schema":1}\n\377\n'; } >bad.jsonl
gives 2 'bad.jsonl: line 6 is no record of docs/JSON.md' report bad.jsonl
tells 'bad.jsonl: line 8 is no record of docs/JSON.md'
tells '4 kernels, 1 racy, 1 deadlock, 1 unknown, 1 verified; 4 without a verdict'
printf '\n \n' >empty.jsonl
gives 2 'empty.jsonl: this is empty' report empty.jsonl --sarif=-
tells '"executionSuccessful": false'
: >empty.jsonl
gives 2 '0 kernels' report empty.jsonl --html=empty.html --text
check 'an empty page is well-formed' looks page empty.html

# --sarif of the commands themselves.
cat >two.cu <<'END'
__global__ void good(int *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 1; }
__global__ void racy(int *a, int n) {
  __shared__ int s[64];
  int x = n;
  if (n > 3)
    x = 2;
  s[threadIdx.x] = x;
  a[threadIdx.x] = s[threadIdx.x ^ 1];
}
END
echo 'this is no CUDA' >bad.cu
"$gpuverify" --sarif --blockDim=64 --gridDim=1 -j2 two.cu bad.cu none.cu \
  >two.sarif 2>two.err
status=$?
check 'the status is that of the command' test "$status" -eq 2
check 'the sentences are on stderr as ever' \
  grep -q 'bad.cu: does not compile' two.err
check 'it has both threads with their ways' \
  looks command two.sarif 2
printf '.version 8.0\n.target sm_80\n.address_size 64\n' >none.ptx
gives 2 '"executionSuccessful": false' barriers --sarif none.ptx
gives 0 '"executionSuccessful": true' \
  barriers --sarif --blockDim=64 "$root/test/barriers/cycle.cu"
tells "kernel 'meet' is verified"
printf '{"grid": 1, "block": 64, "arguments": [{"count": 64}, {"value": 5}],
  "kernel": "racy"}' >two.json
gives 1 '"ruleId": "data-race"' run --sarif --detect=races --launch=two.json two.cu

# Of a search of schedules: who waited first, and who went on instead.
both=$root/test/schedules/missing_barrier
gives 1 '"differences":[{"array":"out"' \
  schedules --json -DBUG=1 --launch="$both.json" "$both.cu"
printf '%s\n' "$out" >schedule.jsonl
gives 0 'thread (0,0,0) in block (0,0,0) waits before it updates atomically count' \
  report schedule.jsonl
tells 'thread (1,0,0) in block (0,0,0) updates atomically count'
tells 'out at byte 0 is 6 at the end, and 1 after the canonical schedule'

gives 2 "'gpuverify launch' finds no verdict" launch --sarif two.cu

# Interrupted: what was known is there, and so is that it was not all.
mkfifo never.ll
: >cut.err
"$gpuverify" --sarif --verbose --blockDim=64 --gridDim=1 two.cu never.ll \
  >cut.sarif 2>cut.err &
process=$!
for _ in $(seq 100); do
  grep -q 'never.ll' cut.err && break
  sleep 0.1
done
kill -TERM "$process"
wait "$process" 2>/dev/null
status=$?
check 'it ends by the signal' test "$status" -eq 143
check 'what was found before the interrupt is there' \
  looks command cut.sarif 143
rm -f never.ll

# The page in a browser, where there is one.
browser=$(command -v chromium || command -v chromium-browser ||
  command -v google-chrome)
if [ -n "$browser" ]; then
  check 'a person can click through the page' \
    looks browse "$browser" all.html
else
  skip 'there is no chromium'
fi

# What is confirmed stands before what is possible; of its ways the page says
# that they are the counterexample's.
for name in possible sure; do
  echo "__global__ void $name(int *$name) { ${name}[threadIdx.x / 2] = threadIdx.x; }" \
    >$name.cu
done
"$gpuverify" --blockDim=64 --no-confirm --json possible.cu >order.jsonl
"$gpuverify" --blockDim=64 --gridDim=1 --json sure.cu >>order.jsonl
gives 0 '' report order.jsonl --html=order.html
check 'a confirmed race comes before a possible one' \
  test "$(grep -o 'race on [^ ]*\(sure\|possible\)' order.html | head -n 1 |
    grep -c sure)" = 1
check 'whose ways they are is said' grep -q 'The ways are those of the counter' order.html

# An assertion is about one thread: there is no second one, in no format.
cat >one.cu <<'END'
#include <gpuverify.h>
__global__ void k(int *a, int n) {
  __assert(threadIdx.x != n);
  a[threadIdx.x] = n;
}
END
"$gpuverify" --json --no-confirm --blockDim=8 --gridDim=1 one.cu >one.jsonl
gives 0 '<li class="a">' report one.jsonl --html=-
says_not '<li class="b">'
gives 0 '"threadFlows"' report one.jsonl --sarif=-
check 'one thread has a way' test "$(printf '%s\n' "$out" | grep -c '"id": "thread')" = 1
gives 0 'in block (0,0,0)' report one.jsonl
check 'one thread is told of' test "$(printf '%s\n' "$out" | grep -c 'in block')" = 1
