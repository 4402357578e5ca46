// Annotations compute and change nothing that the kernel goes on with.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    unknown    what is required is assigned
// bug 2:    unknown    an assertion counts
// bug 3:    unknown    the function that it calls does
// bug 4:    unknown    the function whose member it calls does

struct Counter {
  int count;
  __device__ bool step() { return ++count > 0; }
};

__device__ bool is_sum(int sum, int n) {
  int of[2] = {n, 0};
  of[1]++;
  for (int k = 0; k < 2; k++)
    sum -= of[k];
  return sum == 0;
}

__device__ bool set(int *p) {
  *p = 1;
  return true;
}

__global__ void scale(int *out, int stride) {
  int one = 0;
  Counter counter = {0};
#if BUG == 1
  __requires((stride = 1)); // expect 1: changes what the kernel computes
#elif BUG == 2
  __assert(++one == 1); // expect 2: changes what the kernel computes
#elif BUG == 3
  __assert(set(&one)); // expect 3: changes what the kernel computes
#elif BUG == 4
  __assert(counter.step()); // expect 4: changes what the kernel computes
#else
  __requires(stride == 1);
  __assume(is_sum(stride + 1, stride));
  one = counter.count = 1;
#endif
  out[threadIdx.x * (BUG == 1 ? stride : BUG == 4 ? counter.count : one)] = threadIdx.x;
}
