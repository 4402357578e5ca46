// More launches than are proved one by one: together they are looked at first,
// and what each of them refutes is not assumed of all.
//
// args:     --ladder=all
// verdict:  verified, verified, verified
// assumes:  thread-count, launch-limits
// bug 1:    racy, verified, verified      blocks are no whole warps
// bug 2:    verified, racy, verified      all arguments are negative
// bug 3:    verified, verified, racy      no block is as large as its bounds allow
// bug 4:    racy, verified, verified      so are those of all callers

#define EACH(launch)                                                           \
  launch(1) launch(2) launch(3) launch(4) launch(5) launch(6) launch(7)        \
      launch(8) launch(9) launch(10) launch(11) launch(12) launch(13)          \
          launch(14) launch(15) launch(16) launch(17)

__global__ void warps(int *out) {
  if (threadIdx.x % 32 == 0)
    out[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = 1 + threadIdx.x; // expect 1,4: race on 'out'
}

__global__ void natural(int *out, int n) {
  if (n < 0)
    out[0] = threadIdx.x; // expect 2: race on 'out'
  else
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__launch_bounds__(128) __global__ void full(int *out) {
  out[blockIdx.x * blockDim.x + (threadIdx.x ^ 64)] = 1 + threadIdx.x; // expect 3: race on 'out'
}

static void run(int *out, int threads) { warps<<<7, threads>>>(out); }

void launch(int *out) {
#define WARPS(i) warps<<<i, (BUG == 1 ? 32 + i : 32 * (i % 8 + 1))>>>(out);
  EACH(WARPS)
#define NATURAL(i) natural<<<i, 64>>>(out, BUG == 2 ? -i : i);
  EACH(NATURAL)
#define FULL(i) full<<<i, (BUG == 3 ? 64 + i : 128)>>>(out);
  EACH(FULL)
#define CALL(i) run(out, BUG == 4 ? i + 32 : 32 * (i % 8 + 1));
  EACH(CALL)
#if BUG == 4
  EACH(CALL) EACH(CALL) EACH(CALL)
#endif
}
