# What action.yml runs: the script by itself, then the steps as they stand there,
# with a docker that runs the command here.
# shellcheck shell=sh

cat >'two kernels.cu' <<'END_OF_CUDA'
__global__ void racy(int *a) { a[0] = threadIdx.x; }
__global__ void open(int *a, int *b) { a[b[threadIdx.x]] = threadIdx.x; }
END_OF_CUDA
echo '__device__ int f(int); __global__ void k(int *a) { a[threadIdx.x] = f(1); }' >open.cu

# acts STATUS TEXT ARGUMENT..
acts() {
  want=$1 text=$2
  shift 2
  out=$(GPUVERIFY=$gpuverify "$root/packaging/action-run" "$@" 2>&1)
  status=$?
  if [ "$status" -ne "$want" ]; then
    fail "action-run $*: status $status, not $want"
  elif ! contains "$text"; then
    fail "action-run $*: does not say: $text"
  else
    pass
  fi
}

acts 1 '2 kernels, 2 racy' bug out.sarif \
  'two kernels.cu' --blockDim=64
acts 0 '2 kernels' never out.sarif 'two kernels.cu' --blockDim=64
acts 0 '1 kernel, 1 unknown' bug out.sarif open.cu
acts 4 '1 kernel' undecided out.sarif open.cu
acts 2 'No such file' bug out.sarif nowhere.cu
acts 2 "'often' is none of" often out.sarif open.cu
check 'nothing is left' test -z "$(ls gpuverify-* 2>/dev/null)"

# step NUMBER: the text of a step, and what its variables are by default.
cat >step.py <<'END_OF_PYTHON'
import re, shlex, sys, yaml
action = yaml.safe_load(open(sys.argv[1] + '/action.yml'))
step = action['runs']['steps'][int(sys.argv[2])]
inputs = {name: one.get('default', '') for name, one in action['inputs'].items()}
inputs.update(one.split('=', 1) for one in sys.argv[3:])

def value(match):
    found = re.fullmatch(r"inputs\.([a-z-]+)(?: \|\| '(.*)')?", match[1])
    return inputs[found[1]] or found[2] or ''

for name, text in step.get('env', {}).items():
    filled = re.sub(r'\$\{\{ (.*?) \}\}', value, text)
    print('export %s=%s' % (name, shlex.quote(filled)))
print(step['run'])
END_OF_PYTHON
mkdir bin
cat >bin/docker <<END_OF_SH
#!/bin/sh
# build -q -t TAG -f FILE FOLDER; run --rm -u USER -v HERE:/work -w /work IMAGE ..
case \$1 in
build) test "\$4" = gpuverify && test -f "\$6" && test -d "\$7" ;;
run)
  test "\$5" = -v && test "\$6" = "\$PWD:/work" && test "\$8" = /work &&
    test "\$9" = "\${WANT_IMAGE:-gpuverify}" || exit 99
  shift 9
  exec '$gpuverify' "\$@" ;;
esac
END_OF_SH
chmod +x bin/docker

# steps STATUS TEXT INPUT=VALUE..
steps() {
  want=$1 text=$2
  shift 2
  python3 step.py "$root" 1 "$@" >verify.sh
  out=$(GITHUB_ACTION_PATH=$root PATH="$PWD/bin:$PATH" \
    bash --noprofile --norc -eo pipefail verify.sh 2>&1)
  status=$?
  if [ "$status" -ne "$want" ]; then
    fail "action.yml, $*: status $status, not $want"
  elif ! contains "$text"; then
    fail "action.yml, $*: does not say: $text"
  else
    pass
  fi
}

if ! python3 -c 'import yaml' 2>/dev/null; then
  skip 'PyYAML is not here'
elif ! command -v bash >/dev/null; then
  skip 'bash is not here'
else
  python3 step.py "$root" 0 >build.sh
  check 'the image is built' env GITHUB_ACTION_PATH="$root" \
    PATH="$PWD/bin:$PATH" bash -eo pipefail build.sh
  steps 1 '2 kernels, 2 racy' \
    arguments='"two kernels.cu" --blockDim=64'
  check 'it is where a later step looks for it' grep -q '"ruleId": "data-race"' \
    gpuverify.sarif
  steps 0 '2 kernels' arguments='"two kernels.cu" --blockDim=64' \
    fails-on=never sarif=other.sarif
  check 'also by another name' test -s other.sarif
  steps 4 '1 kernel, 1 unknown' arguments=open.cu fails-on=undecided
  steps 2 "'often' is none of" arguments=open.cu fails-on=often
  WANT_IMAGE=mine
  export WANT_IMAGE
  steps 0 '1 kernel' arguments=open.cu image=mine
  unset WANT_IMAGE
  check 'nothing is left' test -z "$(ls gpuverify-* 2>/dev/null)"
fi

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
