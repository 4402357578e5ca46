# gpuverify barriers --threads: nobody can tell how many there are.
# shellcheck shell=sh

# kernel NAME LINE: one that swaps two halves with LINE for a barrier.
kernel() {
  cat <<END_OF_PTX
.visible .entry $1(.param .u64 out) .maxntid 64, 1, 1
{
  .reg .b32 %r<9>;
  .shared .align 4 .b8 cell_$1[256];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, cell_$1;
  shl.b32 %r3, %r1, 2;
  add.s32 %r4, %r2, %r3;
  st.shared.u32 [%r4], %r1;
  $2
  ld.shared.u32 %r5, [cell_$1];
  ret;
}
END_OF_PTX
}

{
  printf '.version 8.0\n.target sm_80\n.address_size 64\n'
  kernel good 'bar.sync 0;'
  kernel racy ''
  kernel strange 'frobnicate.b32 %r5, %r1;'
  kernel stuck 'bar.sync 1, 96;'
  kernel last 'bar.sync 0;'
} >many.ptx
sed 's/bar.sync 1, 96/bar.sync 1, 64/' many.ptx >more.ptx
printf '.version 8.0\n.target sm_80\n.address_size 64\n nonsense' >bad.ptx
cat >broken.cu <<'END_OF_CUDA'
__global__ void broken(int *out) { out[0] = missing; }
END_OF_CUDA

# timeless ARGUMENT..: what it prints, and its status, but for the times.
timeless() {
  {
    "$gpuverify" barriers "$@" 2>&1
    echo "status $?"
  } | sed 's/, [0-9.]* s)$/)/; s/"seconds":[-0-9.e]*//'
}

# same ARGUMENT..: one thread at a time or several, the same.
same() {
  timeless --threads=1 "$@" >one.txt
  out=$(cat one.txt)
  for threads in 0 2 4 100; do
    timeless "--threads=$threads" "$@" >several.txt
    check "--threads=$threads $*" cmp one.txt several.txt
  done
}

same many.ptx
same --json many.ptx
same --json --dump=programs many.ptx more.ptx
same many.ptx missing.ptx more.ptx broken.cu bad.ptx many.ptx
same --entry=last missing.ptx many.ptx more.ptx
same --entry=nobody many.ptx more.ptx
same --quiet many.ptx more.ptx many.ptx more.ptx many.ptx
gives 1 "verdict: deadlock (confirmed, kernel 'stuck'" barriers --threads=2 many.ptx
gives 2 "verdict: verified for one block (any, nothing is written to global memory, kernel 'last'" barriers --threads=2 missing.ptx \
  many.ptx
gives 2 'expected a whole number' barriers --threads=many many.ptx

# The streams apart.
for threads in 1 3; do
  "$gpuverify" barriers --threads=$threads many.ptx missing.ptx broken.cu \
    2>"errors$threads.txt" | sed 's/, [0-9.]* s)$/)/' >"reports$threads.txt"
done
check 'reports alone' cmp reports1.txt reports3.txt
check 'errors alone' cmp errors1.txt errors3.txt
check 'errors are there' grep -q 'missing.ptx: No such file' errors3.txt
check 'reports are there' grep -q "verdict: verified for one block (any, nothing is written to global memory, kernel 'last'" \
  reports3.txt

# Whoever started us may ignore its children, and so have made us do.
if env --ignore-signal=CHLD true 2>/dev/null; then
  timeless --threads=2 many.ptx >one.txt
  timeout 20 env --ignore-signal=CHLD \
    "$gpuverify" barriers --threads=2 many.ptx >ignored.txt 2>&1
  check 'children that are ignored' \
    test "$(grep -c verdict: ignored.txt)" -eq "$(grep -c verdict: one.txt)"
else
  skip 'env cannot ignore signals'
fi
