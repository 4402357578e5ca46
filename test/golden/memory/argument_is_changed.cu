// A struct that is an argument holds a pointer, and the kernel changes that
// pointer by way of the struct's address.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       then it points to where the other one does
// bug 2:    racy       the pointer stays, what it points to is written

struct Holder {
  int *data;
};

struct Handle {
  Holder *holder;
};

__device__ Handle handle_of(Holder *holder) { return Handle{holder}; }

__global__ void change(Holder first, int *second) {
  int t = threadIdx.x;
#if BUG == 1
  handle_of(&first).holder->data = second;
#elif BUG == 2
  handle_of(&first).holder->data[63 - t] = t; // expect 2: write-write race
#endif
  first.data[t] = t; // expect 1: write-write race
  second[63 - t] = 7 * t;
}
