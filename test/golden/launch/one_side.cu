// What is there for the host alone is read as the host has it.
//
// args:    --clang-arg=-Wno-everything
// verdict: racy

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 0: write-write race on 'cell'
}

void run(int *cell) {
  fill<<<1, 64>>>(cell);
#ifndef __CUDA_ARCH__
  fill<<<1, 128>>>(cell);
#endif
}
