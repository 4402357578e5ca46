// Logged accesses of other iterations.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified
// bug 1:    assertion, verified   no barrier is behind the write
// bug 2:    assertion, verified   the third iteration reads behind it
// bug 3:    verified, assertion   the place is that of another thread
// bug 4:    verified, assertion   what was read then is not what is read now
// bug 5:    verified, assertion   one write of the iteration before is too late
// bug 6:    verified, assertion   behind the loop all of it counts

__global__ void rounds(int *out, int n) {
  __shared__ int a[64];
  int t = threadIdx.x;
  for (long i = 0; i < n; i++) {
    __assert(__no_write(a)); // expect 1: the write of 'a' in line 18
    __assert(__implies(i < 3 + (BUG == 2), __no_read(a))); // expect 2: of 'a'
    a[t] = i;
    if (BUG != 1)
      __syncthreads();
    if (i >= 2)
      out[t] = a[t];
  }
}

__device__ bool is_own(int *array) {
  unsigned place = __write_offset_bytes(array);
  return place / 4 % 64 == (BUG == 3 ? threadIdx.x / 2 * 2 : threadIdx.x);
}

__global__ void strides(int *out, int *flag) {
  unsigned t = threadIdx.x;
  for (unsigned i = 0;
       __invariant(!__write(out) | is_own(out)), // expect 3: of 'out'
       __invariant(__implies(i <= (BUG == 5), __no_write(out))), // expect 5: of
       i < 1000;
       i++) {
    int v = flag[64 * i + t];
    out[i * 64 + t] = 1;
    if (v)
      flag[64 * i + t] = 0;
    if (BUG == 4)
      __assert(__implies(v == 0, __no_write(flag))); // expect 4: of 'flag'
  }
  unsigned place = __write_offset_bytes(out);
  if (BUG == 6)
    __assert(__write_implies(out, place >= 256)); // expect 6: of 'out'
}
