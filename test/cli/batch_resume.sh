# gpuverify batch, killed and started again: it goes on with the proofs.

export XDG_CACHE_HOME="$PWD/cache"
# Our own headers are read in no time.
export GPUVERIFY_FLAGS=-nocudainc
sql() { sqlite3 gpuverify.db "$1"; }

mkdir p
cat >p/endless.cu <<'EOF_CU'
__global__ void endless(unsigned long *a, unsigned long n, unsigned long m) {
  unsigned long t = threadIdx.x + blockIdx.x * blockDim.x;
  if (n * m == 3121238909u * 2654435789u && n > 1 && m > 1 && n < m)
    a[t / 2 * n] = t;
}
__global__ void own(int *a) { a[threadIdx.x] = 1; }
int main() { own<<<1, 64>>>(0); }
EOF_CU

known() { sql 'select count(*) from result' 2>/dev/null | grep -x 1; }
for signal in KILL TERM; do
  rm -rf cache gpuverify.db*
  "$gpuverify" batch p --timeout=600 -j 2 >told 2>&1 &
  batch=$!
  for _ in $(seq 100); do known >found && break; sleep 0.1; done
  check 'a kernel is known' test -s found
  kill -$signal $batch
  wait $batch 2>terminated
  gives 4 '1 known before' batch p --timeout=1
  says_not 'to compile'
done
