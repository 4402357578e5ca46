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

# A cache that may be read and not written: what it has is taken, and the reason
# is the system's.
as_anybody() {
  if [ "$(id -u)" = 0 ]; then setpriv --bounding-set=-dac_override,-dac_read_search "$@"; else "$@"; fi
}
if as_anybody true 2>/dev/null; then
  echo '__global__ void first(int *a) { a[threadIdx.x + blockIdx.x * blockDim.x] = 1; }' >first.cu
  sed 's/= 1/= 2/; s/first/other/' first.cu >other.cu
  gives 0 '1 proved' batch first.cu --cache-dir=read --output=read1.db --progress=never
  chmod -R a-w read
  out=$(as_anybody "$gpuverify" batch first.cu other.cu --cache-dir=read --output=read2.db --progress=never 2>&1)
  chmod -R u+w read
  tells "cache: $PWD/read: Permission denied; nothing is kept there"
  tells '1 proved, 0 as another, 1 known before'
else
  skip 'who may write everywhere cannot be kept from it'
fi
