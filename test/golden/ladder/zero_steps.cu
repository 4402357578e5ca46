// A counter whose step is zero stays where it is, however often its loop goes
// round.
//
// args:    --ladder=all --gridDim=1
// verdict: verified, verified
// bug 1:   racy, verified  a signed step that is an argument
// bug 2:   verified, racy  a share of the threads that may be none

__global__ void by_argument(int *cell, int n, int step) {
  int t = (int)threadIdx.x, more = BUG == 1 ? step : (step & 7) + 1;
  bool is_own = true;
  long long rounds = 0;
  for (int i = 0; i < n; i += more)
    if (rounds++ == 0x100000001) {
      is_own = false;
      break;
    }
  cell[is_own ? t : 0] = t; // expect 1: race on 'cell'
}

__global__ void by_threads(int *cell, unsigned n) {
  unsigned t = threadIdx.x, more = BUG == 2 ? blockDim.x / 128 : blockDim.x;
  bool is_own = true;
  long long rounds = 0;
  for (unsigned i = t; i < n; i += more)
    if (rounds++ == 0x100000001) {
      is_own = false;
      break;
    }
  cell[is_own ? t : 0] = (int)t; // expect 2: race on 'cell'
}
