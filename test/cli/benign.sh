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
