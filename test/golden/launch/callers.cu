// A launch in a function that is called with several sizes.
//
// verdict:  verified
// bug 1:    racy       one of the calls has sizes that do not fit
// bug 2:    racy       a number that one call does not know
// bug 3:    racy       others can call the function
// bug 4:    racy       the function's address is taken
// bug 5:    racy       the parameter changes before the launch
// bug 6:    racy       a call from a lambda
// bug 7:    racy       the number of a call is another in the loop
// bug 8:    racy       a call that is under a name of the assembler's

__global__ void fill(int *out, int pitch) {
  out[((size_t)blockIdx.x * blockDim.y + threadIdx.y) * pitch + threadIdx.x] = threadIdx.x + threadIdx.y; // expect 1,2,3,4,5,6,7,8: race on 'out'
}

#if BUG != 3
static
#endif
    void
    run(int *out, int n, int pitch, int width)
#if BUG == 8
        asm("run_rows");
static void run(int *out, int n, int pitch, int width)
#endif
{
#if BUG == 5
  if (n == 7)
    pitch--;
#endif
  fill<<<n, dim3(width, 4)>>>(out, pitch);
}

#if BUG == 4
void (*chosen)(int *, int, int, int) = run;
#endif

template <int width> static void run_wide(int *out, int n, int more) {
  fill<<<n, dim3(width, 2)>>>(out, width + more);
}

void launch(int *out, int n) {
  run(out, n, 16, 16);
  int width = 32;
  run(out, n, width + 1, width);
#if BUG == 1
  run(out, n, 31, 32);
#elif BUG == 2
  run(out, n, n, 32);
#elif BUG == 6
  auto later = [&](int pitch) { run(out, n, pitch, 32); };
  later(4);
#elif BUG == 7
  for (int pitch = 32; pitch > 8; pitch /= 2)
    run(out, n, pitch, 32);
#else
  run(out, n, 64, 64);
#endif
  run_wide<8>(out, n, 0);
  run_wide<8>(out, n, 1);
  run_wide<24>(out, n, 8);
}
