# Writes of one value that may meet are tolerated, and named with their line.
# shellcheck shell=sh

cp "$root/test/cli/same.cu" .
cat >own.cu <<'END'
__global__ void k(int *a) {
  a[threadIdx.x] = 1;
}
END
cat >never.cu <<'END'
__global__ void k(int *a) {
  if (threadIdx.x < 4)
    a[threadIdx.x] = 1;
  if (threadIdx.x >= 4)
    a[threadIdx.x] = 1;
}
END
sizes='--blockDim=64 --gridDim=1'

gives 0 'assuming launch-limits, benign-writes' $sizes same.cu
gives 0 "may write the same to 'flag' at once, same.cu:2:11" $sizes same.cu
gives 0 "'flag' at once, same.cu:4:13 and same.cu:2:11" $sizes same.cu
gives 0 '"tolerated":[{"array":"flag"' --json $sizes same.cu
gives 1 'verdict: racy' --no-benign-tolerance $sizes same.cu
# Where no two writes meet there is nothing to tolerate.
gives 0 'assuming launch-limits' $sizes own.cu
says_not 'benign-writes'
gives 0 'assuming launch-limits' $sizes never.cu
says_not 'benign-writes'
gives 0 '"tolerated":[]' --json $sizes own.cu

# Documents name them, too, and a batch counts such kernels.
"$gpuverify" --json $sizes same.cu own.cu >same.jsonl
gives 0 "benign-writes: threads may write the same to 'flag' at once, same.cu:2:11" \
  report same.jsonl
gives 0 '"ruleId": "same-value-write"' report same.jsonl --sarif=-
tells "no bug by benign-writes"
gives 0 "<system-out>benign-writes: threads may" report same.jsonl --junit=-
gives 0 "Here: threads may write the same to" report same.jsonl --html=-
cat >many.cu <<'END'
template <int N> __global__ void many(int *a) {
  a[0] = threadIdx.x + N;
}
template __global__ void many<1>(int *);
template __global__ void many<2>(int *);
__global__ void twice(int *a) {
  a[0] = 1;
}
END
gives 1 '1 more at the same places, of other instances' \
  batch --cache-dir=cache --output=many.db --progress=never $sizes many.cu
tells '1 kernel by benign-writes'
check 'the race of both is told once' test "$(printf '%s\n' "$out" | grep -c 'race on')" -eq 1
gives 1 '1 more at the same places, of other instances' merge all.db many.db
