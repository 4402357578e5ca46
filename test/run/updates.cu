// Shared memory that is updated by atomics, and read and written without them.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 4 4 4 4
// bug 1:    racy        there is no barrier before the sums are read
// bug 2:    racy        ... nor between the zeros and the sums
// bug 3:    racy        half of a word is written beside an update
// bug 4:    racy        one thread reads what all have read, and writes it

__global__ void updates(int *out) {
  __shared__ int sums[16];
  int t = (int)threadIdx.x;
  if (t < 16)
    sums[t] = 0;
#if BUG != 2
  __syncthreads();
#endif
  atomicAdd(&sums[t % 16], 1); // says 1,2: race on 'sums'
#if BUG != 1
  __syncthreads();
#endif
  out[t] = sums[(t + 1) % 16]; // says 4: race on 'sums'
#if BUG == 4
  if (t == 5)
    sums[6] = 1;
#endif
  __syncthreads();
  for (int i = 0; i < 2; i++) {
    sums[t % 16] = t % 16;
    __syncthreads();
    atomicMax(&sums[t % 16], i);
#if BUG == 3
    if (t == 40)
      ((short *)sums)[3] = 2; // says 3: race on 'sums'
#endif
    __syncthreads();
  }
}
