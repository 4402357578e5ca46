// The grid is executed twice, to find what blocks do to each other.
//
// args:     --detect=values --prove=0
// verdict:  passed
// prints:   out = 3 5 7 9
// prints:   bytes = 1 1 1 1
// bug 1:    racy       blocks write the same element
// bug 2:    racy       a block reads what the next one writes
// bug 3:    racy       and throws it away
// bug 4:    racy       blocks write the same byte
// bug 5:    racy       a block writes what was there before

__global__ void grid_twice(int *in, int *out, char *bytes, int *last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  in[i] = i + 1;
  __syncthreads();
  int other = blockIdx.x * blockDim.x + (threadIdx.x + 1) % blockDim.x;
#if BUG == 2
  other = (i + 1) % n;
#endif
  int sum = in[i] + in[other]; // says 2: read-write race on 'in'
#if BUG == 3
  int unused = in[(i + 32) % n]; // says 3: read-write race on 'in'
  if (unused == -1)
    sum = 0;
#endif
  __syncthreads();
  out[i] = sum;
  bytes[i] = 1; // says 4: write-write race on 'bytes'
#if BUG == 1
  out[threadIdx.x] = i; // says 1: race on 'out'
#elif BUG == 4
  bytes[n - 1 - i] = (char)i;
#elif BUG == 5
  if (i == 0)
    last[0] = 5;
  if (i == n - 1 && last[0] == 5) // says 5: read-write race on 'last'
    last[1] = 1;
#endif
}
