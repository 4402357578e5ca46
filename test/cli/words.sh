# What is said is said of the right thing, and what cannot be done says where it
# can.
# shellcheck shell=sh

echo '__global__ void k(int *a) { a[threadIdx.x] = threadIdx.x; }' >k.cu
echo '__kernel void k(__global int *a) { a[get_global_id(0)] = 1; }' >k.cl
printf '{"grid": 2, "block": 64, "arguments": [{"count": 128}]}' >k.json
printf '{"grid": 2, "block": 64, "arguments": []}' >none.json

# __syncwarp() is advised where it helps: not if other warps or blocks race there.
cat >warps.cu <<'END'
__global__ void all(int *a) {
  int x = a[0];
  a[0] = x + threadIdx.x + 1;
}
__global__ void each(int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x ^ 1];
}
END
sed 's/"grid"/"kernel": "all", "grid"/' k.json >all.json
sed 's/"grid"/"kernel": "each", "grid"/' k.json >each.json
gives 1 "race on 'a'" run --detect=races --launch=all.json warps.cu
says_not '__syncwarp() would order them'
gives 1 '__syncwarp() would order them' \
  run --detect=races --launch=each.json warps.cu

# A long line is shown around the place that it is quoted for.
{
  printf '__global__ void k(int *a) { '
  for i in 1 2 3 4 5 6 7 8 9; do printf 'if (a == (int *)%d) return; ' "$i"; done
  printf 'a[0] = threadIdx.x; '
  for i in 1 2 3 4 5 6 7 8 9; do printf 'if (a == (int *)%d) return; ' "$i"; done
  echo '}'
} >long.cu
gives 1 'a[0] = threadIdx.x; ' --blockDim=32 --gridDim=1 long.cu
caret=$(printf '%s\n' "$out" | awk '
  /^    \.\.\..*\.\.\.$/ { line = $0; next }
  line && /^ *\^$/ { print substr(line, length($0), 1); exit }
  { line = "" }')
check 'the caret below a long line' test "$caret" = =

# Of dynamic shared memory, which is one array, the name that the line has.
cat >names.cu <<'END'
extern __shared__ int ints[];
extern __shared__ float floats[];
__global__ void k() {
  ints[threadIdx.x] = 1;
  __syncthreads();
  floats[0] = threadIdx.x;
}
__global__ void both() {
  ints[threadIdx.x] = 1;
  floats[0] = 2;
}
END
gives 1 "write-write race on 'floats'" --blockDim=64 --gridDim=1 names.cu
contains 'writes floats[0]' && pass || fail 'another name than the line has'
contains "race on 'ints' and 'floats', which are one" && pass ||
  fail 'one of two names'

# --check-array-bounds says what it did not check.
echo '__global__ void far(int *a, int *b) { a[threadIdx.x + 1000000] = b[0]; }' \
  >far.cu
gives 0 "in-bounds: of unknown size, so ends were not checked" \
  --check-array-bounds --blockDim=64 --gridDim=1 far.cu
contains "'a', 'b'" && pass || fail 'the arrays are not named'
gives 0 '"in-bounds"' --json --check-array-bounds --blockDim=64 --gridDim=1 far.cu
gives 1 "out-of-bounds access of 'a'" --check-array-bounds \
  --kernel-arrays=far,4000,4 --blockDim=64 --gridDim=1 far.cu
gives 0 'verdict: verified' --check-array-bounds --kernel-arrays=far,8000000,4 \
  --blockDim=64 --gridDim=1 far.cu
says_not 'in-bounds'

# Each kind of file has its command.
printf '.version 8.0\n.target sm_80\n.address_size 64\n.entry k() { ret; }\n' >k.ptx
gives 2 "k.ptx: PTX is for 'gpuverify barriers'" k.ptx
gives 2 "k.cl: OpenCL has no named barriers; 'gpuverify' without" barriers k.cl
echo '__global__ void k() { asm volatile("bar.sync 1, 64;"); }' >named.cu
gives 4 "are for 'gpuverify barriers', or --barriers=auto" --blockDim=64 named.cu
gives 0 'verdict: verified' --blockDim=64 --barriers=auto named.cu
mkdir folder folder.cu
for folder in folder folder.cu; do
  gives 2 "$folder: this is a folder" $folder
  gives 2 "$folder: this is a folder" barriers $folder
  gives 2 "$folder: this is a folder" run $folder
  gives 2 "$folder: this is a folder" run --launch=k.json $folder
  gives 2 "$folder: this is a folder" launch --template=k $folder
  gives 2 "$folder: this is a folder" schedules --launch=k.json $folder
done

# What messages point to is installed.
make -s -C "$root" install-docs DESTDIR="$PWD/there" PREFIX=/usr >/dev/null 2>&1
for document in $({
  for command in '' barriers run launch schedules; do
    # shellcheck disable=SC2086 # none, if there is no command
    "$gpuverify" $command --help
  done
  cat "$root"/docs/*.1
} | grep -o 'docs/[A-Z]*\.md' | sort -u); do
  check "$document" test -s "there/usr/share/doc/gpuverify/$document"
done

# The manual page of each command has its options, or that of gpuverify has.
for command in '' barriers batch launch merge repair report run schedules threads; do
  page=$root/docs/gpuverify${command:+-$command}.1
  cat "$page" "$root/docs/gpuverify.1" |
    sed 's/\\-/-/g; s/\\f.//g' >page.txt
  # shellcheck disable=SC2086
  missing=$("$gpuverify" $command --help | sed -n 's/^  \(--[A-Za-z_-]*\).*/\1/p' |
    sort -u | while read -r option; do
      grep -qF -- "$option" page.txt || echo "$option"
    done)
  check "manual page of gpuverify $command: $missing" test -z "$missing"
done
