// One block waits for another one.
//
// verdict:  passed
// prints:   out = 42
// bug 1:    endless     nobody raises the flag

__global__ void flag(int *flag, int *cell, int *out) {
  if (blockIdx.x == 1) {
    *cell = 42;
    __threadfence();
#if BUG != 1
    atomicExch(flag, 1);
#endif
  } else {
    while (atomicAdd(flag, 0) == 0) { // says 1: this loop does not end
    }
    *out = *cell;
  }
}
