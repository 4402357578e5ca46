# Output that cannot be written is told on stderr, and is wrong use.
# shellcheck shell=sh

printf '__global__ void k(int *a) { a[threadIdx.x] = 1; }\n' >k.cu
printf '{"grid": 1, "block": 4, "arguments": [{"count": 4}]}' >k.json
cat >program.cu <<'END'
__global__ void k(int *a) { a[0] = threadIdx.x; }
int main() {
  int *a;
  cudaMalloc(&a, 4);
  k<<<1, 2>>>(a);
  return cudaDeviceSynchronize() != cudaSuccess || cudaFree(a) != cudaSuccess;
}
END
cat >k.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry k() { ret; }
END

# lost TEXT ARGUMENT..: with a full stdout, a closed one, and one that nobody
# reads, gpuverify says TEXT on stderr and ends with 2.
lost() {
  text=$1
  shift
  out=$("$gpuverify" "$@" 2>&1 >/dev/full)
  judge_lost $? "$text" "$* >/dev/full"
  out=$("$gpuverify" "$@" 2>&1 >&-)
  judge_lost $? "$text" "$* >&-"
  out=$({
    {
      sleep 0.2
      "$gpuverify" "$@" 2>&3
      echo $? >status
    } | true
  } 3>&1)
  judge_lost "$(cat status)" "$text" "$* | true"
}

judge_lost() {
  if [ "$1" -ne 2 ]; then
    fail "gpuverify $3: status $1, not 2"
  elif ! contains "$2"; then
    fail "gpuverify $3: does not say: $2"
  else
    pass
  fi
}

lost 'gpuverify: stdout: ' --help
lost 'gpuverify: stdout: ' --version
lost 'gpuverify: stdout: ' --blockDim=64 k.cu
lost 'gpuverify: stdout: ' --json --blockDim=64 k.cu
lost 'gpuverify: stdout: ' barriers --blockDim=64 k.ptx
lost 'gpuverify: stdout: ' barriers --json --blockDim=64 --threads=2 k.ptx k.ptx
lost 'gpuverify: stdout: ' run --launch=k.json k.cu
lost 'gpuverify: stdout: ' run --json --launch=k.json k.cu
lost 'gpuverify: stdout: ' launch --template=k k.cu
lost 'gpuverify: stdout: ' schedules --launch=k.json k.cu
lost 'gpuverify: stdout: ' schedules --json --launch=k.json k.cu
lost 'gpuverify: stdout: ' run --json --detect=races program.cu

# The report of a program goes to stderr, and its status tells of it.
"$gpuverify" run --detect=races program.cu 2>/dev/full
status=$? out=''
judge_lost "$status" '' 'run program.cu 2>/dev/full'
gives 2 "cannot write '/dev/full'" --emit-boogie=/dev/full --blockDim=64 k.cu

# A pipe that somebody reads is another thing.
check 'a report into a pipe' sh -c "\"$gpuverify\" --blockDim=64 k.cu | grep -q verified"
