// What a function promises holds where it returns, of what it returns.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  one of its two ways to return breaks it
// bug 2:    assertion  the parameter has the value on entry
// bug 3:    assertion  the access that it makes itself is logged
// bug 4:    assertion  two threads may get the same
// bug 5:    assertion  of a pointer
// bug 6:    assertion  its own argument is kept for the end
// bug 7:    unknown    it is not at the beginning of the function

__device__ int half(int x, int n) {
  __ensures(__return_val_int() >= 0); // expect 1: postcondition
  if (x < 0)
    return BUG == 1 ? x : -(x / 2);
  return x / 2;
}

__device__ int next(int x, int *a) {
  __ensures(__return_val_int() == x + 1);        // expect 2: postcondition
  __ensures(__no_write(a));                      // expect 3: the write of 'a'
  __ensures(__distinct_int(__return_val_int())); // expect 4: two threads
  __ensures(__old_int(x) == x);
  if (BUG == 3)
    a[threadIdx.x] = x;
  x++;
  return BUG == 2 ? x + 1 : x;
}

__device__ int *at(int *p, int i) {
  __ensures(__return_val_ptr() == p + i); // expect 5: postcondition
  return p + i + (BUG == 5);
}

__device__ bool is_even(int x) {
  __ensures(__return_val_bool() == (x % 2 == 0)); // expect 6: postcondition
  x += BUG == 6;
  if (BUG == 7 && x > 5)
    __ensures(__return_val_bool());
  return x % 2 == 0;
}

__global__ void use(int *out, int n) {
  __shared__ int a[64];
  int t = threadIdx.x;
  *at(out, t) = half(n, t) + next(BUG == 4 ? t / 2 : t, a) + is_even(n);
}
