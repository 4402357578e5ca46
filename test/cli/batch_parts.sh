# gpuverify batch --launcher: parts that make or slurm starts.

export XDG_CACHE_HOME="$PWD/cache"
never=--progress=never
# Our own headers are read in no time.
export GPUVERIFY_FLAGS=-nocudainc
table() { sqlite3 "$1" 'select file, kernel, line, verdict from result order by 1, 2'; }
same() { check "$1" test "$(table one.db)" = "$(table "$2")"; }

mkdir "a b's \$p"
for i in 1 2 3 4; do
  cat >"a b's \$p/k$i.cu" <<END
__global__ void own$i(int *a) { a[threadIdx.x * $i] = 1; }
__global__ void bad$i(int *a) { a[threadIdx.x / 2] = threadIdx.x + $i; }
int main() { own$i<<<1, 64>>>(0); bad$i<<<1, 64>>>(0); }
END
done
gives 1 '4 verified, 4 racy' batch "a b's \$p" $never --no-cache --output=one.db

# By make.
gives 1 "k3.cu:2:51: confirmed write-write race on 'a' (bad3)" \
  batch "a b's \$p" --launcher=make --shards=3 -j2 $never
tells '4 verified, 4 racy'
tells '8 kernels'
same 'parts of make' gpuverify.db
check 'nothing is left' test ! -e gpuverify.db.parts -a ! -e gpuverify.db-lock
gives 1 '4 verified, 4 racy' batch "a b's \$p" --launcher=make $never
check 'from the cache' test "$(sqlite3 gpuverify.db 'select sum(is_cached) from result')" = 8
gives 1 '"verdict":"racy"' batch "a b's \$p" --launcher=make $never --json

# What is no longer there goes; what does not compile is told.
echo '__global__ void k(int *a) { a[ = 1; }' >"a b's \$p/k4.cu"
gives 3 'expected expression' batch "a b's \$p" --launcher=make $never
tells '3 verified, 3 racy'
tells '1 file without a verdict'

# A part that ends early costs its own kernels; the next start goes on.
cp "a b's \$p/k3.cu" "a b's \$p/k4.cu"
rm -rf one.db cache
gives 1 '4 verified, 4 racy' batch "a b's \$p" $never --no-cache --output=one.db
real_make=$(command -v make)
mkdir bin
cat >bin/make <<END
#!/bin/sh
for folder; do [ -f "\$folder/part" ] && break; done
mkdir "\$folder/2.db"
$real_make "\$@"
END
chmod +x bin/make
PATH="$PWD/bin:$PATH" gives 1 'part 2 of 3 did not finish, and its log ends with: gpuverify: ' \
  batch "a b's \$p" --launcher=make --shards=3 $never --output=m.db
tells 'the next start goes on with what is in'
check 'it is not at an end' test -z "$(sqlite3 m.db "select 1 from meta where key = 'ended'")"
check 'the others are there' test "$(table m.db | wc -l)" -gt 0 -a "$(table m.db | wc -l)" -lt 8
rmdir m.db.parts/2.db
gives 1 '4 verified, 4 racy' batch "a b's \$p" --launcher=make --shards=3 $never --output=m.db
same 'gone on' m.db
check 'nothing is left' test ! -e m.db.parts

# By hand.
mkdir bare
printf '#!/bin/sh\nexit 1\n' >bin/make
PATH="$PWD/bin:$PATH" gives 2 'make did not start the parts' \
  batch "a b's \$p" --launcher=make --shards=3 $never --output=hand.db
check 'make by hand' "$real_make" -s -j2 -C hand.db.parts parts
(cd hand.db.parts && "$real_make" -s merged >../merged 2>&1)
same 'by hand' hand.db

# What makes no sense.
gives 2 'without --shard and --since' batch . --launcher=make --shard=1/2
gives 2 'without --shard and --since' batch . --launcher=make --since=HEAD
gives 2 '--launcher=make or slurm starts' batch . --shards=2
gives 2 'give the folder as --recorded' batch --launcher=make -- true
gives 2 "--launcher" batch . --launcher=cron
mkdir none
PATH="$PWD/none" gives 2 'sbatch did not take the job' batch "a b's \$p" --launcher=slurm $never

# Two batches on one database.
cat >slow.cu <<'END'
__global__ void slow(unsigned long *a, unsigned long n, unsigned long m) {
  unsigned long t = threadIdx.x + blockIdx.x * blockDim.x;
  if (n * m == 3121238909u * 2654435789u && n > 1 && m > 1 && n < m)
    a[t / 2 * n] = t;
}
END
"$gpuverify" batch slow.cu --timeout=600 $never --output=two.db >first 2>&1 &
first=$!
for _ in $(seq 100); do [ -e two.db-lock ] && break; sleep 0.05; done
gives 2 'two.db: another batch is writing to this database' batch "a b's \$p" $never --output=two.db
gives 2 'two.db: another batch is writing' merge two.db one.db
gives 2 'two.db: another batch is writing' merge other.db two.db
kill -TERM $first
wait $first
check 'no lock stays' test ! -e two.db-lock
: >two.db-lock
gives 1 '4 verified, 4 racy' batch "a b's \$p" $never --output=two.db

# slurm, on this machine alone.
# shellcheck source=test/slurm.sh
. "$root/test/slurm.sh"
trap 'slurm_end "$PWD/slurm"' EXIT
if slurm_begin "$PWD/slurm" >slurm.log 2>&1; then
  gives 1 '4 verified, 4 racy' batch "a b's \$p" --launcher=slurm --shards=2 $never --output=s.db
  same 'parts of slurm' s.db
  check 'nothing is left' test ! -e s.db.parts
  SBATCH_PARTITION=nowhere gives 2 'sbatch did not take the job' \
    batch "a b's \$p" --launcher=slurm $never --output=s.db
  check 'what was known is not lost' test "$(table s.db | wc -l)" = 8
else
  skip 'slurm cannot be started here'
fi
