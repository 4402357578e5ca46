// Of counters that go by the number of threads: what they have to be below, from
// which round on, and that what is added is what it seems.
//
// args:     --ladder=all --blockDim=128,* --gridDim=*,65535,*
// verdict:  verified
// bug 1:    racy     an unsigned counter that is compared as a wide number passes 2^31
// bug 2:    racy     what it is below goes up, too
// bug 3:    racy     ... or is another number in each round
// bug 4:    racy     the program says a number that leaves no room
// bug 5:    racy     the first round comes before the first comparison
// bug 6:    unknown  a product of numbers of blocks may wrap

#define CELL(is_one) cell[(is_one) ? 0 : 1 + threadIdx.x]

__global__ void bounds(int *cell, const unsigned *in, unsigned n, long long m,
                       unsigned start) {
  if (threadIdx.y || blockIdx.x || blockIdx.y || blockIdx.z)
    return;
  unsigned k = 0;
#if BUG == 1
  for (unsigned i = threadIdx.x; (long long)i < m; i += 128)
    CELL((int)i < 0) = threadIdx.x; // expect 1: race on 'cell'
#elif BUG == 2
  for (unsigned i = threadIdx.x, j = i + 1; i < j && k < n; i += 128, j += 128)
    CELL(k++ && i < 128) = threadIdx.x; // expect 2: race on 'cell'
#elif BUG == 3
  for (unsigned i = threadIdx.x; i < in[k]; i += 128)
    CELL(k++ && i < 128) = threadIdx.x; // expect 3: race on 'cell'
#elif BUG == 4
  for (unsigned i = threadIdx.x; i < 0xfffffff8 && k < n; i += 128)
    CELL(k++ && i < 128) = threadIdx.x; // expect 4: race on 'cell'
#elif BUG == 5
  unsigned i = start;
  do {
    CELL(i < start) = threadIdx.x; // expect 5: race on 'cell'
    i += 128;
  } while (i < n);
#elif BUG == 6
  for (unsigned i = threadIdx.x; i < n; i += gridDim.x * gridDim.x)
    CELL(i < threadIdx.x) = threadIdx.x;
#else
  for (unsigned i = threadIdx.x; (long long)i < m; i += 128)
    CELL(k++ && i < 128) = threadIdx.x;
#endif
}
