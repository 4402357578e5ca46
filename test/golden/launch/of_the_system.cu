// What headers of the system declare, their code can do.
//
// args:    --clang-arg=-Wno-everything
// verdict: verified
// bug 1:   racy  an instance of their template is made by its name
// bug 2:   racy  .. that is a member of another's instance
// bug 3:   racy  they find a function by the class of a member's pointer
// bug 4:   racy  they set a variable that this file defines

# 1 "system.h" 1 3
template <void (*KERNEL)(int *)> void run(int *cell) {
  KERNEL<<<1, 128>>>(cell);
}
template <class T> struct Runner {
  template <void (*KERNEL)(T *)> static void run(T *cell) {
    KERNEL<<<1, 128>>>(cell);
  }
};
template <class M> void call_with(M member) { launch_with(member, 128); }
namespace {
struct Sizes {
  static int block;
  static void set() { block = 128; }
};
} // namespace
# 27 "of_the_system.cu" 2

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4: write-write race on 'cell'
}

#if BUG == 1
template void run<fill>(int *);
#elif BUG == 2
template void Runner<int>::run<fill>(int *);
#endif

struct Shape {
  int width;
};
#if BUG == 3
static int *memory;
static void launch_with(int Shape::*, int threads) {
  fill<<<1, threads>>>(memory);
}
#endif

int Sizes::block = 64;

void go(int *cell) {
  fill<<<1, 64>>>(cell);
#if BUG == 3
  launch_with(&Shape::width, 64);
  call_with(&Shape::width);
#elif BUG == 4
  Sizes::set();
  fill<<<1, Sizes::block>>>(cell);
#endif
}
