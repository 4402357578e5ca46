// A postcondition speaks of the parts of parameters as they were on entry.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    assertion  the struct has been changed since
// bug 2:    assertion  so has an array in it
// bug 3:    unknown    when the function that is asked reads it is not known
// bug 4:    unknown    which part it is depends on what is returned

struct Range {
  int first, last[2];
};

__device__ bool starts_at(const Range &range, int x) {
  return range.first == x;
}

__device__ int length(Range range) {
  __ensures(__return_val_int() == range.last[1] - range.first); // expect 1,2: postcondition
  if (BUG == 3)
    __ensures(starts_at(range, range.first));
  if (BUG == 4)
    __ensures(range.last[__return_val_int() & 1] == range.first);
  range.first += BUG == 1;
  range.last[1] += BUG == 2;
  return range.last[1] - range.first;
}

__global__ void use(int *out, int n) {
  Range range = {n, {7, n + 5}};
  out[threadIdx.x] = length(range);
}
