# gpuverify batch: processes and files that may not become what they would.

export XDG_CACHE_HOME="$PWD/cache"
never=--progress=never
# Our own headers are read in no time.
export GPUVERIFY_FLAGS=-nocudainc ASAN_OPTIONS=verify_asan_link_order=0
sql() { sqlite3 gpuverify.db "$1"; }
cat >two.cu <<'END'
__global__ void first(int *a) { a[threadIdx.x] = 1; }
__global__ void second(int *a) { a[threadIdx.x * 2] = 1; }
int main() { first<<<1, 64>>>(0); second<<<1, 64>>>(0); }
END
if ${CC:-cc} -shared -fPIC -o misbehave.so "$root/test/cli/misbehave.c" -ldl 2>said; then
  export LD_PRELOAD="$PWD/misbehave.so"
  MISBEHAVE=memory gives 4 '1 verified, 1 unknown' batch two.cu --memory=100 $never
  check 'why' test "$(sql "select count(*) from result where
    json_extract(record, '\$.reason') = 'its process took much more than --memory and was ended'")" = 1
  MISBEHAVE=memory gives 0 '1 proved, 0 as another, 1 known before' batch two.cu --memory=100 $never
  rm misbehaved
  MISBEHAVE=time gives 4 '1 verified, 1 unknown' batch two.cu --timeout=100 --no-cache $never
  check 'why' test "$(sql "select count(*) from result where
    json_extract(record, '\$.reason') = 'its process went on long after --timeout and was ended'")" = 1
  unset LD_PRELOAD
else
  skip 'no compiler for C'
fi

# A file may not grow: nothing that was told is lost, and all is told.
rm -rf gpuverify.db* cache
(
  ulimit -f 40
  exec "$gpuverify" batch two.cu $never
) >told 2>&1
check 'status of a full disk' test $? -eq 2
out=$(cat told)
tells 'gpuverify.db: '
gives 0 '2 verified' batch two.cu $never
