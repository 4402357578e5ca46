// Without hooks, cut at barriers: what lives across them, in loops, branches
// and three dimensions.
//
// args:     --detect=none
// verdict:  passed
// prints:   seen = 36 8 1 0
// bug 1:    divergent       some threads do not come to a barrier
// bug 2:    divergent       some have left
// bug 3:    assertion       of one thread, between barriers
// bug 4:    endless         a loop with a barrier
// bug 5:    endless         a loop without one, behind a barrier
// bug 6:    wrong-result    a kept value is another thread's
// bug 7:    divergent       threads are at two different barriers
// bug 8:    trap            of one thread, behind a barrier
// bug 9:    stack-overflow  behind a barrier

#include <assert.h>

struct Pair {
  int first, second;
};

__device__ int deep(int n) {
  volatile int here[64];
  here[n % 64] = n;
  return n == -1 ? 0 : deep(n + 1) + here[n % 64]; // says 9: stack overflow
}

__device__ void meet() { __syncthreads(); }

__global__ void intervals(int *out, int *seen, const int *steps, int n,
                          Pair pair) {
  __shared__ int row[24];
  extern __shared__ int more[];
  int size = (int)(blockDim.x * blockDim.y * blockDim.z);
  int t = (int)(threadIdx.x +
                blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  int own[4] = {t, t + 1, t + 2, t + 3};
  int sum = (int)(threadIdx.y + 2 * threadIdx.z);
  if (blockIdx.x == 3)
    return; // all of them
  pair.second += t;
#if BUG == 2
  if (t == 5)
    return;
#endif
  for (int i = 0; i < n; i++) {
    row[t] = own[i & 3] + i;
    __syncthreads(); // says 2: barrier divergence
    for (int k = 0; k < steps[i]; k++) { // from memory: the same for all
      sum += row[(t + k + 1) % size];
      meet();
      row[t] += k;
#if BUG == 1
      if (t == 3 && k == 1)
        continue;
#endif
      __syncthreads(); // says 1: barrier divergence
    }
    own[(i + 1) & 3] += pair.first;
    if (n > 3)
      more[t] = sum;
    else
      more[t] = 0;
    __syncthreads();
    if (i & 1) {
      sum += more[size - 1 - t];
      __syncthreads();
    }
  }
#if BUG == 3
  assert(t != 7); // says 3: assertion failed: t != 7
#elif BUG == 4
  for (;;) // says 4: this loop does not end
    __syncthreads();
#elif BUG == 5
  while (sum != -1) // says 5: this loop does not end
    sum = sum * 4 + 2;
#elif BUG == 6
  sum = row[(t + 1) % size];
#elif BUG == 7
  if (t & 1)
    __syncthreads();
  else
    __syncthreads(); // says 7: barrier divergence
#elif BUG == 8
  if (t == 2)
    __trap(); // says 8: trap
#elif BUG == 9
  sum += deep(0);
#endif
  int many = __syncthreads_count(t % 3 == 0);
  int all = __syncthreads_and(t < size), any = __syncthreads_or(t == size);
  out[blockIdx.x * 24 + t] = sum + own[t & 3] + pair.second;
  if (t == 0 && blockIdx.x == 1) {
    seen[0] = size + 12;
    seen[1] = many;
    seen[2] = all;
    seen[3] = any;
  }
}
