// That the file is the whole program is no part of what a proof may rest on
// with --strict, though a program begins in it.
//
// args:     --ladder=all --strict
// verdict:  verified
// assumes:  launch-limits
// bug 1:    racy     any file may call the function

__global__ void fill(int *cells, int pitch) {
  cells[blockIdx.x * pitch + threadIdx.x] = (int)blockIdx.x; // expect 1: race on 'cells'
}

#if BUG != 1
static
#endif
    void
    run(int *cells, int pitch) {
  fill<<<64, 32>>>(cells, pitch);
}

int main(int count, char **words) { run((int *)words, 32); }
