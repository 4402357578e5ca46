// What is not modelled is refused by its name.
//
// args:     --blockDim=64
// verdict:  unknown, unknown, unknown

__global__ void split(int *a) {
  a[threadIdx.x] = 1;
  __builtin_amdgcn_s_waitcnt(0); // expect 0: 'llvm.amdgcn.s.waitcnt'
  a[threadIdx.x + 64] = 1;
}

__global__ void assembly(int *a) {
  a[threadIdx.x] = 1;
  asm volatile("s_barrier"); // expect 0: inline assembly 's_barrier'
  a[threadIdx.x + 64] = 1;
}

__global__ void in_step(int *a) {
  a[threadIdx.x] = 1;
  __builtin_amdgcn_wave_barrier(); // expect 0: 'llvm.amdgcn.wave.barrier'
  a[threadIdx.x] = a[threadIdx.x ^ 1];
}
