// Rows that the host gives, though nobody asks for them: the block has no more
// threads than a block may have.
//
// verdict: verified
// bug 1:   racy  two rows in a block of 64

__global__ void __launch_bounds__(BUG == 1 ? 64 : 32) number_lanes(int *out) {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  out[lane] = clock(); // expect 1: race on 'out'
}

void launch(int *out, int rows) {
  number_lanes<<<1, dim3(8, rows)>>>(out);
}
