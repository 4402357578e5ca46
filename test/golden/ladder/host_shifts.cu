// From C++20 on each shift of the host's is defined, up to the sign and past it.
//
// args:     --ladder=all --clang-arg=-std=c++20
// verdict:  racy
// bug 1:    verified  the host looks whether it is too much
enum { TOO_MANY = 1 << 23 };

__global__ void clear(int *cell, int n, int size) {
  if (n >= TOO_MANY || threadIdx.x == 0)
    cell[0] = threadIdx.x; // expect 0: race on 'cell'
}

void launch(int *cell, int n) {
#if BUG == 1
  if (n < TOO_MANY)
#endif
    clear<<<1, 64>>>(cell, n, n << 9);
}
