// Annotations compute and change nothing that the kernel goes on with.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    unknown    what is required is assigned
// bug 2:    unknown    an assertion counts
// bug 3:    unknown    the function that it calls does
// bug 4:    unknown    the function whose member it calls does
// bug 5:    unknown    a function of the library that it calls does
// bug 6:    unknown    .. that copies
// bug 7:    unknown    .. through a pointer that may be anywhere
// bug 8:    unknown    who returns does not come back
// bug 9:    unknown    a constructor
// bug 10:   unknown    all members are assigned
// bug 11:   unknown    assembly
// bug 12:   unknown    an atomic of the compiler
// bug 13:   unknown    a trap
// bug 14:   unknown    in a lambda for any type
// bug 15:   unknown    what __ite has to choose from
// bug 16:   unknown    what is permitted to be read
// bug 17:   unknown    in what a member is at first
// bug 18:   unknown    a loop that need not end
// bug 19:   unknown    a loop whose counter stays
// bug 20:   unknown    it waits
// bug 21:   unknown    it exchanges values
// bug 22:   unknown    a function that is not seen
// bug 23:   unknown    an axiom

struct Counter {
  int count;
  __device__ bool step() { return ++count > 0; }
};

#if BUG == 23
__device__ int counter;
__axiom((counter = 1) == 1); // expect 23: leaves it out
#endif

struct Maker {
  int one = 0;
#if BUG == 17
  bool is_made = (__assert((one = 1)), true); // expect 17: changes what
#endif
};

__device__ int unseen(int);

struct Setter {
  bool is_set;
  __device__ Setter(int &at) {
    at = 1;
    is_set = true;
  }
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

__device__ bool is_bit(float number) {
  int power;
  frexpf(number, &power);
  return power < 1000;
}

__device__ float halve(int *power) { return frexpf(1, power); }

__device__ bool ends(int n) {
  while (n)
    n -= 2;
  return true;
}

__device__ bool ends_at(int last) {
  for (int k = 0; k < 2; k++)
    k -= last;
  return true;
}

__global__ void scale(int *out, int stride) {
  int one = Maker().one;
  Counter counter = {0};
#if BUG == 1
  __requires((stride = 1)); // expect 1: changes what the kernel computes
#elif BUG == 2
  __assert(++one == 1); // expect 2: changes what the kernel computes
#elif BUG == 3
  __assert(set(&one)); // expect 3: changes what the kernel computes
#elif BUG == 4
  __assert(counter.step()); // expect 4: changes what the kernel computes
#elif BUG == 5
  __assume(halve(&one) < 2); // expect 5: changes what the kernel computes
#elif BUG == 6
  __assume(__builtin_memcpy(&one, &stride, 4)); // expect 6: changes what the kernel computes
#elif BUG == 7
  int *at = &one;
  __assume(frexpf(1, at) < 2); // expect 7: changes what the kernel computes
#elif BUG == 8
  __assert(({ if (threadIdx.x) return; true; })); // expect 8: changes what
#elif BUG == 9
  __assert(Setter(one).is_set); // expect 9: changes what the kernel computes
#elif BUG == 10
  Counter other = {1};
  __assert((counter = other).count > 0); // expect 10: changes what
#elif BUG == 11
  __assert(({ asm("mov.u32 %0, %%tid.x;" : "=r"(one)); true; })); // expect 11: changes
#elif BUG == 12
  __assert(({ __atomic_store_n(&one, 1, 0); true; })); // expect 12: changes what
#elif BUG == 13
  __assert(({ __trap(); true; })); // expect 13: changes what the kernel computes
#elif BUG == 14
  auto f = [&](auto v) { __assert((one = 1) >= v); }; // expect 14: changes what
  f(0);
#elif BUG == 15
  __assert(__ite(stride > 1, one = 1, one) > 0); // expect 15: changes what
#elif BUG == 16
  __read_permission(int, out[one = 1]); // expect 16: changes what
#elif BUG == 18
  __assert(ends(threadIdx.x)); // expect 18: changes what
#elif BUG == 19
  __assert(ends_at(threadIdx.x)); // expect 19: changes what
#elif BUG == 20
  __assert((__syncthreads(), true)); // expect 20: changes what
#elif BUG == 21
  __assert(__shfl_sync(~0u, stride, 0)); // expect 21: changes what
#elif BUG == 22
  __assert(unseen(stride)); // expect 22: changes what
#elif BUG == 17 || BUG == 23
#else
  __assume(is_bit(stride));
  __requires(stride == 1);
  __assume(is_sum(stride + 1, stride));
  __assert(__ite(stride > 0, stride, 1) > 0);
  one = counter.count = 1;
#endif
  out[threadIdx.x * (BUG == 1 ? stride : BUG == 4 ? counter.count : one)] = threadIdx.x;
}
