// A local variable that nothing was stored in holds anything, which need not be
// what another way to the same place would have stored.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  the variable decides about a barrier
// bug 2:    divergent  so does a member of a struct
// bug 3:    divergent  and an element of an array
// bug 4:    divergent  a variable of a function that is called in each round
// bug 5:    racy       the variable is an index
// bug 6:    racy       and so is a part of a vector that is moved as a whole

struct Pair {
  int first, second;
};

__device__ int either(int is_known) {
  int value;
  if (is_known)
    value = 7;
  return value;
}

__global__ void decide(int *out, int n) {
  __shared__ int cells[64];
  int t = threadIdx.x, x;
  Pair pair;
  int array[4];
  int4 vector, copy;
  if (t < 5) {
    x = 0;
    pair.second = array[2] = 0;
    vector.y = 0;
  }
#if BUG == 0
  if (t >= 5)
    x = pair.second = array[2] = vector.y = 0;
#endif
#if BUG == 0 || BUG == 1
  if (x == 0)
    __syncthreads(); // expect 1: barrier
#endif
#if BUG == 0 || BUG == 2
  if (pair.second == 0)
    __syncthreads(); // expect 2: barrier
#endif
#if BUG == 0 || BUG == 3
  if (array[2] == 0)
    __syncthreads(); // expect 3: barrier
#endif
  for (int i = 0; i < n; i++) {
#if BUG == 4
    if (either(i == t) == 7)
      __syncthreads(); // expect 4: barrier
#else
    if (either(1) == 7)
      __syncthreads();
#endif
  }
  cells[t] = t; // allow 5,6: race
#if BUG == 0 || BUG == 5
  out[t] = cells[t ^ x]; // expect 5: race on 'cells'
#endif
#if BUG == 0 || BUG == 6
  copy = vector;
  out[t] += cells[t ^ copy.y]; // expect 6: race on 'cells'
#endif
}
