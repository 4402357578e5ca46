// Strides of a grid of known blocks: each thread writes three elements of each
// of its rows.  Where no index overflows, no two threads meet.
//
// args:     --blockDim=192 --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, termination, no-signed-overflow, sizes-fit
// bug 1:    racy   rows overlap

__global__ void cross(int rows, float *out, const float *in) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows;
       i += blockDim.x * gridDim.x) {
    float *row = out + (BUG == 1 ? 2 : 3) * i;
    row[0] = in[i]; // expect 1: race on 'out'
    row[1] = in[i + 1]; // allow 1: race on 'out'
    row[2] = in[i + 2]; // allow 1: race on 'out'
  }
}
