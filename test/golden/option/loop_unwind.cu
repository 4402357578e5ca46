// --loop-unwind looks for bugs where loops take few back edges, with the values
// that are summed up on the way.  What is not found there is proved as ever.
//
// args:     --blockDim=64 --gridDim=2 --loop-unwind=4
// verdict:  verified, verified, verified, verified
// bug 1:    racy, verified, verified, verified        a sum that is 3
// bug 2:    verified, divergent, verified, verified
// bug 3:    verified, verified, assertion, verified   not of the first rounds
// bug 4:    verified, verified, verified, assertion

__global__ void summed(int *p, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (BUG == 1 && sum == 3)
      p[0] = threadIdx.x; // expect 1: race
    sum += i;
  }
}

// Who goes round more often is not behind the loop.
__global__ void waits(int *p) {
  int i;
  for (i = 0; i < threadIdx.x; i++) {
    if (BUG == 2)
      __syncthreads(); // expect 2: divergence
    p[blockIdx.x * 64 + threadIdx.x]++;
  }
  __syncthreads();
  p[blockIdx.x * 64 + i] = i;
}

// All threads go round 100 times, and the search ends before.
__global__ void constant() {
  for (int i = 0; __invariant(BUG != 3 || i < 2), i < 100; i++) // expect 3: invariant
    ;
}

// Each time round the outer loop the inner one begins anew.
__global__ void nested(int *p) {
  int count = 0;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      if (k == 2)
        count += 5;
  if (BUG == 4)
    __assert(count != 10); // expect 4: assertion
}
