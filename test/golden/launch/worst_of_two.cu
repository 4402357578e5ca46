// Two launches with a mistake each: the worse one counts, whichever is first.
//
// verdict:  verified
// bug 1:    racy       the first diverges, the second races
// bug 2:    racy       the first races, the second diverges

__global__ void halve(int *out, int threads, int share) {
  if (threadIdx.x < threads)
    __syncthreads();
  out[threadIdx.x / share] = threadIdx.x; // expect 1,2: race on 'out'
}

void launch(int *out) {
#if BUG == 1
  halve<<<1, 64>>>(out, 32, 1);
  halve<<<1, 64>>>(out, 64, 2);
#elif BUG == 2
  halve<<<1, 64>>>(out, 64, 2);
  halve<<<1, 64>>>(out, 32, 1);
#else
  halve<<<1, 64>>>(out, 64, 1);
#endif
}
