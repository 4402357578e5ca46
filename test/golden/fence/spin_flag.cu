// One block waits until another one has raised a flag.
//
// args:     --blockDim=1 --gridDim=2
// verdict:  unknown
// bug 1:    racy       no fence before the flag
// bug 2:    racy       nobody waits

__global__ void pass_on(int *cell, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *cell = 42; // expect 0: order between blocks
#if BUG != 1
    __threadfence();
#endif
    atomicExch(flag, 1);
  } else {
#if BUG != 2
    while (atomicAdd(flag, 0) == 0) {
    }
#endif
    __threadfence();
    *out = *cell; // expect 1,2: race on 'cell'
  }
}
