// A sum by shuffles, then what lane 0 tells its warp.
//
// args:     --detect=races
// verdict:  passed
// prints:   out[31..] = 496 496
// bug 1:    racy        __syncwarp is missing
// bug 2:    racy        half of the warp is left out of it

__global__ void warp_sum(int *out) {
  __shared__ int cell[2];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, sum = lane;
  for (int by = 16; by; by /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, by);
  if (lane == 0)
    cell[warp] = sum;
#if BUG == 2
  if (lane < 16)
    __syncwarp(0xffff);
#elif BUG != 1
  __syncwarp();
#endif
  out[threadIdx.x] = cell[warp]; // says 1,2: read-write race on 'cell'
}
