# What action.yml runs, with a `gpuverify report` that only says how it was called.
# shellcheck shell=sh

cat >gpuverify <<END_OF_SH
#!/bin/sh
case \$1 in
report) shift; echo "report of \$(wc -l <"\$1") records: \$2 \$3" ;;
*) exec '$gpuverify' "\$@" ;;
esac
END_OF_SH
chmod +x gpuverify
cat >'two kernels.cu' <<'END_OF_CUDA'
__global__ void racy(int *a) { a[0] = threadIdx.x; }
__global__ void open(int *a, int *b) { a[b[threadIdx.x]] = threadIdx.x; }
END_OF_CUDA
echo '__device__ int f(int); __global__ void k(int *a) { a[threadIdx.x] = f(1); }' >open.cu

# acts STATUS TEXT ARGUMENT..
acts() {
  want=$1 text=$2
  shift 2
  out=$(GPUVERIFY=./gpuverify "$root/packaging/action-run" "$@" 2>&1)
  status=$?
  if [ "$status" -ne "$want" ]; then
    fail "action-run $*: status $status, not $want"
  elif ! contains "$text"; then
    fail "action-run $*: does not say: $text"
  else
    pass
  fi
}

acts 1 'report of 2 records: --text --sarif=out.sarif' bug out.sarif \
  'two kernels.cu' --blockDim=64
acts 0 'report of 2 records' never out.sarif 'two kernels.cu' --blockDim=64
acts 0 'report of 1 records' bug out.sarif open.cu
acts 4 'report of 1 records' undecided out.sarif open.cu
acts 2 'No such file' bug out.sarif nowhere.cu
acts 2 "'often' is none of" often out.sarif open.cu
check 'nothing is left' test -z "$(ls gpuverify-* 2>/dev/null)"

if python3 -c 'import yaml' 2>/dev/null; then
  check 'action.yml and .pre-commit-hooks.yaml are YAML' python3 -c '
import sys, yaml
action = yaml.safe_load(open(sys.argv[1] + "/action.yml"))
assert all("run" in step or "uses" in step for step in action["runs"]["steps"])
hooks = yaml.safe_load(open(sys.argv[1] + "/.pre-commit-hooks.yaml"))
assert {hook["id"] for hook in hooks} == {"gpuverify", "gpuverify-strict"}' "$root"
else
  skip 'PyYAML is not here'
fi
