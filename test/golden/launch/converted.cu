// A pointer to a kernel changes its type without a word, and still is one.
//
// args:    --clang-arg=-Wno-everything
// verdict: verified
// bug 1:   racy  it may block
// bug 2:   racy  what it gets may escape
// bug 3:   racy  nobody checks who calls it

#if BUG == 1
#define OF_KERNEL [[clang::nonblocking]]
#else
#define OF_KERNEL
#endif
#if BUG == 2
#define OF_PARAMETER __attribute__((noescape))
#else
#define OF_PARAMETER
#endif
#if BUG == 3
#define OF_POINTER __attribute__((cfi_unchecked_callee))
#else
#define OF_POINTER
#endif

__global__ void fill(OF_PARAMETER int *cell) OF_KERNEL {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3: write-write race on 'cell'
}

void run(int *cell) {
  void (*pointer)(int *) OF_POINTER = fill;
  pointer<<<1, BUG ? 128 : 64>>>(cell);
  fill<<<1, 64>>>(cell);
}
