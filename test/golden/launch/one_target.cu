// What is there where the target is not a device is not read.
//
// args:    --clang-arg=-Wno-everything
// verdict: racy

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 0: write-write race on 'cell'
}

void run(int *cell) {
  fill<<<1, 64>>>(cell);
#ifndef __NVPTX__
  fill<<<1, 128>>>(cell);
#endif
}
