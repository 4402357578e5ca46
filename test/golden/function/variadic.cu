// A function with any number of arguments is not followed, and not called
// recursive.
//
// verdict:  unknown

__device__ int sum(int n, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, n);
  int all = 0;
  for (int i = 0; i < n; i++)
    all += __builtin_va_arg(list, int);
  __builtin_va_end(list);
  return all;
}

__global__ void place(int *a) {
  a[sum(2, threadIdx.x, 1)] = 1; // expect 0: 'sum', which takes any number of arguments
}
