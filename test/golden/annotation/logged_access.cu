// Logged accesses: what a thread has done since the last barrier.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    assertion  the barrier is passed only in some launches
// bug 2:    assertion  the place is another one
// bug 3:    assertion  the access of the branch counts, too
// bug 4:    assertion  the second element of a pair
// bug 5:    assertion  what is read is logged, not only what is written
// bug 6:    assertion  where nothing is logged, the offset is anything

__global__ void tile(int *out, int n) {
  __shared__ int a[64], b[128], own[64];
  int t = threadIdx.x;
  a[t] = t;
  own[t] = t;
  __assert(__no_read(a));
  unsigned place = 4 * (t + (BUG == 2));
  __assert(__write_implies(a, __write_offset_bytes(a) == place)); // expect 2: a
  __syncthreads();
  own[t]++;
  if (BUG != 1 || n > 5)
    __syncthreads();
  __assert(__no_write(own)); // expect 1: the write of 'own' in line 21
  __assert(__no_write(a));
  if (t < 32)
    b[t] = a[63 - t];
  __assert(__implies(t >= 32 - (BUG == 3), __no_write(b))); // expect 3: of 'b'
  __assert(__implies(BUG == 5 || t >= 32, __no_read(a))); // expect 5: the read
  __syncthreads();
  if (BUG == 6)
    __assert(__write_offset_bytes(b) < 512); // expect 6: nothing is logged
  *(long long *)&b[2 * t] = n;
  bool is_place = __write_offset_bytes(b) == 8 * t ||
                  (BUG != 4 && __write_offset_bytes(b) == 8 * t + 4);
  __assert(__write_implies(b, is_place)); // expect 4: of 'b'
  __syncthreads();
  out[blockIdx.x * 64 + t] = b[127 - t] + own[t];
}
