// A pointer that is assigned one kernel or another launches both, with the sizes
// of its launches; whoever else may have the pointer launches with anything.
//
// args:    --clang-arg=-Wno-everything
// verdict: verified, verified
// bug 1:   racy, racy        another launch through it has more threads
// bug 2:   racy, racy        its address is handed on
// bug 3:   racy, racy        what is assigned to it goes elsewhere, too
// bug 4:   racy, racy        a reference to it does
// bug 5:   racy, racy        it is copied to where anybody is
// bug 6:   verified, racy    the other one has a launch of its own
// bug 7:   racy, racy        it is no local variable
// bug 8:   racy, racy        the value of a block is an assignment to it
// bug 9:   racy, racy        its address goes to who cleans it up

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4,5,7,8,9: write-write race on 'cell'
}

__global__ void clear(int *cell) {
  cell[threadIdx.x % 32] = (int)threadIdx.x; // expect 1,2,3,4,5,6,7,8,9: write-write race on 'cell'
}

void at(void (**kernel)(int *));
void of(void (*kernel)(int *));
void (*anybody)(int *);

void host(int *cell, int which) {
#if BUG == 7
  extern void (*kernel)(int *);
#elif BUG == 9
  __attribute__((cleanup(at))) void (*kernel)(int *);
#else
  void (*kernel)(int *);
#endif
  switch (which) {
  case 0:
    kernel = &fill;
    break;
  case 1:
#if BUG == 3
    of(kernel = clear);
    of(kernel = fill);
#elif BUG == 8
    of(({ kernel = clear; }));
    of(({ kernel = fill; }));
#else
    kernel = clear;
#endif
    break;
  default:
    if (which > 7)
      kernel = fill;
    else
      kernel = nullptr;
  }
  if (kernel == &fill || clear != kernel)
    cell++;
#if BUG == 2
  at(&kernel);
#elif BUG == 4
  auto &same = kernel;
  at(&same);
#elif BUG == 5
  anybody = kernel;
#elif BUG == 6
  clear<<<1, 64>>>(cell);
#endif
  kernel<<<1, 32>>>(cell);
#if BUG == 1
  if (which == 0)
    kernel<<<1, 128>>>(cell);
  else
    cell = nullptr;
#endif
}
