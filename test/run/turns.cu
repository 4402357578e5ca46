// Without hooks: a loop lets others have a turn, of other blocks too, and one
// that does not end is stopped.
//
// args:     --detect=none
// verdict:  passed
// prints:   sum = 4950 3
// bug 1:    endless         nobody sets the flag

__global__ void turns(volatile int *flag, int *sum) {
  int own = 0;
  if (blockIdx.x == 1) {
#if BUG != 1
    *flag = 3;
#endif
    return;
  }
  while (*flag == 0)
    ;
  for (int i = threadIdx.x; i < 100; i += blockDim.x)
    own += i;
  atomicAdd(&sum[0], own);
  sum[1] = *flag;
}
