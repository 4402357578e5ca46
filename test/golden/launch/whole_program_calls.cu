// What few calls give a function, if there are no others in the program.
//
// args:     --ladder=whole-program
// verdict:  verified, verified, verified, verified, verified
// bug 1:    racy, verified, verified, verified, verified   sizes of two calls are taken together
// bug 2:    racy, verified, verified, verified, verified   one of the calls tells nothing
// bug 3:    verified, racy, verified, verified, verified   the host may choose the other size
// bug 4:    verified, verified, racy, verified, verified   a variable counts for another one
// bug 5:    verified, verified, verified, racy, verified   a caller's caller gives another number
// bug 6:    verified, verified, verified, verified, racy   a number that a size is made of is another

__global__ void fill(int *cells, int pitch) {
  cells[blockIdx.x * pitch + threadIdx.x] = (int)blockIdx.x; // expect 1,2: race on 'cells'
}

void run(int *cells, int width, int pitch) {
  fill<<<64, width>>>(cells, pitch);
}

__global__ void fold(int *cells) {
  cells[threadIdx.x % 64] = (int)threadIdx.x; // expect 3: race on 'cells'
}

template <typename T> void run_half(T *cells, int n) {
  fold<<<1, n > 1000 ? 128 : 64>>>(cells);
}

__global__ void wrap(int *cells) {
  int most = BUG == 4 ? 64 : 1024;
  cells[blockIdx.x % 8 * most + threadIdx.x] = (int)blockIdx.x; // expect 4: race on 'cells'
}

void run_multiples(int *cells, int parts, int warps) {
  wrap<<<4 * parts, 32 * warps>>>(cells);
}

struct Size {
  int rows, pitch;
};

__global__ void pass(int *cells, Size size) {
  cells[blockIdx.x * size.pitch + threadIdx.x] = (int)blockIdx.x; // expect 5: race on 'cells'
}

void run_inner(int *cells, int rows, int pitch) {
  Size size = {rows, pitch};
  pass<<<rows, 32>>>(cells, size);
}

void run_outer(int *cells, int pitch) { run_inner(cells, 64, pitch); }

__global__ void rest(int *cells, unsigned parts) {
  if (blockIdx.x >= 4 * parts)
    cells[0] = (int)threadIdx.x; // expect 6: race on 'cells'
}

# 1 "run_parts.h" 1
void run_parts(int *cells, unsigned parts, unsigned each) {
  rest<<<parts * each, 32>>>(cells, parts);
}
# 62 "whole_program_calls.cu" 2

int main(int count, char **words) {
  int *cells = (int *)words;
  run(cells, 32, 32);
  run(cells, 64, BUG == 1 ? 63 : 64);
#if BUG == 2
  run(cells, count, count);
#endif
  run_half(cells, 1000);
#if BUG == 3
  run_half(cells, 1001);
#endif
  run_multiples(cells, 2, count);
  run_outer(cells, 32);
  run_parts(cells, count, BUG == 6 ? 5 : 4);
#if BUG == 5
  run_outer(cells, 31);
#endif
}
