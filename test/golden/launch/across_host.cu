// Launches a kernel of another file, across.cu, and one of its own.
//
// verdict:  verified
// bug 21:   racy       of its own

__global__ void touch(int *out) {
#if BUG == 21
  out[0] = threadIdx.x; // expect 21: write-write race on 'out'
#else
  out[threadIdx.x] = 1;
#endif
}

#if BUG == 5
__global__ void cover(int *out, unsigned length) {}
#elif BUG == 9
__attribute__((weak)) __global__ void cover(int *out, unsigned length) {}
#elif BUG == 10
extern inline __attribute__((gnu_inline)) __global__ void
cover(int *out, unsigned length) {}
#elif BUG == 7
void cover(int *out, unsigned length);
void launch_it(void *);
#else
__global__ void cover(int *out, unsigned length);
#endif
#if BUG == 3
void launch_it(void (*)(int *, unsigned));
#endif

void launch(int *out, unsigned length) {
  touch<<<1, 64>>>(out);
#if BUG == 1
  cover<<<length / 256, 256>>>(out, length);
#elif BUG == 7
  launch_it((void *)cover);
#elif BUG >= 8 && BUG <= 10
  cover<<<1, 64>>>(out, length);
#else
  cover<<<(length + 255ULL) / 256, 256>>>(out, length);
#endif
#if BUG == 3
  launch_it(cover);
#endif
}
