# gpuverify schedules: what it says, what it writes and takes, wrong use.
# shellcheck shell=sh

cat >count.cu <<'END'
__global__ void count(int *sum, int *order) {
  int now = *sum;
  *(volatile int *)sum = now + 1;
  order[blockIdx.x] = now;
}
__global__ void add(int *sum, int *order) {
  order[blockIdx.x] = atomicAdd(sum, 1);
}
__device__ void forget(int *order) { order[0] = order[1] = 0; }
__device__ void stranger(int *nobody) { *nobody = 0; }
END
launch() {
  printf '{"kernel": "%s", "grid": 2, "block": 1, "arguments": [' "$1"
  printf '{"name": "sum", "count": 1}, {"name": "order", "count": 2}]}\n'
}
launch count >count.json
launch add >add.json

# Found, written and replayed.
gives 1 'count.cu: the final state depends on the schedule' \
  schedules --launch=count.json --observe=sum --output=found.json count.cu
contains 'in block (0,0,0) waits before it writes sum[0], which is 0, count.cu:3:24' ||
  fail 'no delay'
contains 'in block (1,0,0) writes sum[0], 0 becomes 1' || fail 'nothing passed'
contains 'sum[0] is 1 at the end, 2 after the canonical' || fail 'no values'
contains 'schedule written to found.json' || fail 'no file'
gives 1 'verdict: schedule-dependent (this schedule' \
  schedules --launch=count.json --replay=found.json count.cu
gives 1 '"verdict":"schedule-dependent"' \
  schedules --json --launch=count.json --output=other.json count.cu
contains '"step":"delay","block":0,"thread":0' || fail 'no steps'

# What is observed, and in which form.
gives 1 'schedule-dependent' schedules --launch=add.json count.cu \
  --output=other.json
gives 0 'no bug within 2 delays: 3 schedules; this is no proof' \
  schedules --launch=add.json --observe=sum count.cu
gives 0 'verdict: passed' \
  schedules --launch=add.json --canonical=forget count.cu
gives 0 'verdict: passed' schedules --launch=add.json --check=assert count.cu
gives 1 "read-write race on 'sum'" \
  schedules --launch=count.json --check=race --bound=0 count.cu

# Not exhausted.
gives 4 'not exhausted, the limit of schedules is reached' \
  schedules --launch=add.json --check=assert --schedules=1 count.cu

# Wrong use.
gives 2 'no --launch=FILE is given' schedules count.cu
gives 2 'give one file' schedules --launch=count.json
gives 2 '--check knows assert, final-state and race' \
  schedules --launch=count.json --check=everything count.cu
gives 2 '--observe: no buffer or variable is called so' \
  schedules --launch=count.json --observe=summ count.cu
gives 2 'no function is called: forgot' \
  schedules --launch=count.json --canonical=forgot count.cu
gives 4 "kernel 'count' has no parameter 'nobody'" \
  schedules --launch=count.json --canonical=stranger count.cu
gives 2 'a schedule has at most 8 delays' \
  schedules --launch=count.json --bound=9 count.cu
gives 2 'this schedule is of another kernel' \
  schedules --launch=add.json --replay=found.json count.cu
gives 2 'this is no schedule' \
  schedules --launch=count.json --replay=count.json count.cu
sed 's/"line": 3/"line": 2/' found.json >moved.json
gives 2 'delay 1 comes at another line' \
  schedules --launch=count.json --replay=moved.json count.cu
gives 2 "an option of 'gpuverify schedules'" --bound=2 count.cu

# A value that is an address is told by what is there: the address is another
# one in each process.
cat >push.cu <<'EOF'
struct Node { Node *next; };
__device__ Node *top, nodes[4];
__global__ void push(int *out) {
  Node *node = &nodes[blockIdx.x], *old = *(Node *volatile *)&top;
  node->next = old;
  *(Node *volatile *)&top = node;
}
EOF
echo '{"grid": 2, "block": 1, "arguments": [{"count": 1}]}' >push.json
gives 1 'top[0] is &nodes[0] at the end, &nodes[1] after the canonical' \
  schedules --launch=push.json --observe=top push.cu
