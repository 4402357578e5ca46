// All threads of a block write one row, each cell of which gets one value.
//
// args:     --blockDim=32 --gridDim=*
// verdict:  verified
// assumes:  thread-count, launch-limits, no-alias, termination, benign-writes
// bug 1:    racy       each thread has another cell of what it writes
// bug 2:    racy       two rounds write to one cell
// bug 3:    racy       .. and two rounds of the loop around
// bug 4:    racy       the blocks have one row
// bug 5:    racy       what is written comes from what the block still writes

__global__ void write_rows(int *out, const int *in, int rounds) {
  __shared__ int row[2][64];
  int *own = &out[(size_t)blockIdx.x * 32];
  row[0][threadIdx.x] = in[blockIdx.x + threadIdx.x];
  row[1][threadIdx.x] = in[blockIdx.x + threadIdx.x + 32];
  row[0][threadIdx.x + 32] = row[1][threadIdx.x + 32] = 0;
#if BUG != 5
  __syncthreads();
#endif
#if BUG == 3
  for (int half = 0; half < 2; half++)
#else
  int half = rounds & 1;
#endif
    for (int i = 0; i < 32; i++)
#if BUG == 1
      own[i] = row[half][i + threadIdx.x + 1]; // expect 1: write-write race on 'out'
#elif BUG == 2
      own[i / 2] = row[half][i]; // expect 2: write-write race on 'out'
#elif BUG == 4
      out[i] = row[half][i]; // expect 4: write-write race on 'out'
#else
      own[i] = row[half][i]; // expect 3,5: race
#endif
}
