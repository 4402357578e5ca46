// A jump into the middle of a loop.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  unknown

__global__ void jump(int *out, int n) {
  int i = 0;
  if (n & 1)
    goto middle;
top:
  out[threadIdx.x] = i;
middle:
  i++;
  if (i < n)
    goto top;
}
