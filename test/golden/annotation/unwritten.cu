// What an annotation does though nobody has written it there.
//
// args:     --blockDim=64 --gridDim=1 -std=c++20
// verdict:  verified
// bug 1:    unknown    a local variable of a function is destroyed
// bug 2:    unknown    a default argument that was declared later
// bug 3:    unknown    an aggregate's member is what it is at first
// bug 4:    unknown    a class is assigned as its members are
// bug 5:    unknown    a class is compared as its members are
// bug 6:    unknown    a call of a virtual function
// bug 7:    unknown    a variable is cleaned up
// bug 8:    unknown    a member is a reference to what is elsewhere
// bug 9:    unknown    a loop counts to what its counter cannot be
// bug 10:   unknown    a function ends without a value
// bug 11:   unknown    a constant function is another one
// bug 12:   unknown    what an annotation knows is used when it is destroyed
// bug 13:   unknown    .. and when it is cleaned up
// bug 14:   unknown    a loop compares its counter without a sign

struct Guard {
  int value;
#if BUG == 1
  __device__ ~Guard() { __syncthreads(); }
#endif
};

__device__ bool wait() {
  __syncthreads();
  return true;
}

#if BUG == 2
__device__ bool is_true(bool value);
__device__ bool is_true(bool value) { return value; }
__device__ bool is_true(bool value = wait());
#else
__device__ bool is_true(bool value = true) { return value; }
#endif

struct Parts {
#if BUG == 3
  bool one = wait();
#else
  bool one = true;
#endif
};

struct Inner {
  int value;
#if BUG == 4
  __device__ Inner &operator=(const Inner &from) {
    __syncthreads();
    value = from.value;
    return *this;
  }
#endif
#if BUG == 5
  __device__ bool operator==(const Inner &other) const {
    __syncthreads();
    return value == other.value;
  }
#endif
};

struct Outer {
  Inner inner;
#if BUG == 5
  __device__ friend bool operator==(const Outer &a, const Outer &b) = default;
#endif
};

__device__ bool makes() {
  Guard guard;
  guard.value = 1;
#if BUG == 3
  return Parts{}.one;
#elif BUG == 4
  Outer a = {{1}}, b = {{2}};
  a = b;
  return a.inner.value == 2;
#elif BUG == 5
  Outer a = {{1}}, b = {{1}};
  return a == b;
#else
  Parts parts = {true};
  return parts.one && guard.value == 1;
#endif
}

#if BUG == 6
struct Base {
  __device__ virtual bool holds() const { return true; }
};

struct Derived : Base {
  __device__ bool holds() const override { return wait(); }
};

__device__ bool asks(const Base &base) { return base.holds(); }
#endif

#if BUG == 7
__device__ void clean(int *value) { __syncthreads(); }

__device__ bool keeps() {
  __attribute__((cleanup(clean))) int value = 1;
  return value == 1;
}
#endif

struct Reference {
  int &value;
};

#if BUG == 10
__device__ bool is_first(unsigned thread) {
  if (thread == 0)
    return true;
} // allow 10: return a value
#endif

#if BUG == 11
extern "C" __device__ bool other() { return wait(); }
__attribute__((const)) __device__ bool constant() __asm__("other");
#endif

#if BUG == 12
struct Writer {
  int *to;
  unsigned long long at;
  __device__ ~Writer() { to[at] = threadIdx.x; }
};
#endif

#if BUG == 13
__device__ int kept[1024];
__device__ void write(unsigned long long *at) { kept[*at] = threadIdx.x; }
#endif

__global__ void copy(int *out) {
  __shared__ int s[64];
  int number = 0;
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
#if BUG == 6
  Derived derived;
  __assert(asks(derived)); // expect 6: changes what
#elif BUG == 7
  __assert(keeps()); // expect 7: changes what
#elif BUG == 8
  __assert(({ // expect 8: changes what
    Reference of{number};
    of.value = threadIdx.x;
    true;
  }));
#elif BUG == 9
  __assert(({                                 // expect 9: changes what
    for (unsigned char c = 0; c < 300; c++) { // allow 9: always true
    }
    true;
  }));
#elif BUG == 10
  __assert(is_first(threadIdx.x)); // expect 10: changes what
#elif BUG == 11
  __assert(constant()); // expect 11: changes what
#elif BUG == 12
  Writer writer{out, __ptr_offset_bytes(&out[threadIdx.x])};
#elif BUG == 13
  __attribute__((cleanup(write))) unsigned long long at =
      __ptr_offset_bytes(&out[threadIdx.x]);
#elif BUG == 14
  __assert(({ // expect 14: changes what
    for (int i = -1; i > 5u; i--) {
    }
    true;
  }));
#else
  __assert(makes() && is_true()); // expect 1,2,3,4,5: changes what
  __assert(({
    int sum = 0;
    for (unsigned char c = 0; c < 200; c++)
      sum++;
    sum >= 0;
  }));
#endif
  out[threadIdx.x + number] = s[63 - threadIdx.x];
}
