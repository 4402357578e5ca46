// A counter in a loop of known rounds, of which the language says that no sum
// overflows: what it adds may be another number in each round, or two numbers
// of which the sum does overflow, though what they are added to does not.
//
// args:     --blockDim=64 --gridDim=1 --ladder=no-signed-overflow
// verdict:  verified, verified, verified
// bug 1:    racy, racy, racy      in the round in which it is that number

__global__ void by_halves(int *out) {
  int at = 1;
  for (int i = 16; i > 0; i >>= 1) {
    if (BUG && (i == 4 || i == 16))
      out[at == 25 ? 0 : threadIdx.x] = threadIdx.x; // expect 1: race on 'out'
    else
      out[threadIdx.x] = at;
    at += i;
    __syncthreads();
  }
}

__global__ void up_twice(int *out, int a) {
  int at = -2147483647 - 1, sum = 0;
  for (int i = 0; i < 1; i++) {
    at += a;
    at += 5;
    sum += at;
  }
  bool is_four = BUG && at == 4 && a > 9;
  out[is_four ? 0 : threadIdx.x] = sum + threadIdx.x; // expect 1: race on 'out'
}

__global__ void down(int *out, unsigned a) {
  int at = -1;
  for (int i = 0; i < 1; i++)
    at -= (int)a;
  bool is_last = BUG && at == 2147483647 && a == 0x80000000u;
  out[is_last ? 0 : threadIdx.x] = threadIdx.x; // expect 1: race on 'out'
}
