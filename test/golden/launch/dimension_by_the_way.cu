// A dimension that is given by whoever has a pointer to a size, or to what holds
// one, or by a launch that is not followed.
//
// args:     --clang-arg=-std=c++20
// verdict:  verified
// bug 1:    racy      through a pointer to a member
// bug 2:    racy      as the bytes of what holds a size
// bug 3:    racy      as the numbers of what holds a size
// bug 4:    racy      as the other member of a union
// bug 5:    racy      by the host's assembly
// bug 6:    racy      behind the address of the first member
// bug 7:    racy      in a configuration that is not followed
// bug 8:    racy      .. of which only a pointer is passed
// bug 9:    racy      by another file that has its address
// bug 10:   racy      .. or a reference
// bug 11:   racy      .. that returns what holds a size
// bug 12:   racy      .. that has a variable of that type
// bug 13:   racy      .. that has its constructor
// bug 14:   racy      .. that has a function of the class
// bug 15:   racy      through a pointer to a function
// bug 16:   racy      as another class that holds a size elsewhere
// bug 17:   racy      by a template of the system's
// bug 18:   racy      in the closure that an alias makes
// bug 19:   racy      by who overrides a function of the class
// bug 20:   verified  another file reads it
// bug 21:   verified  a lambda has it
// bug 22:   racy      by another file that gets its base
// bug 23:   racy      by another file that gets what leads to it
// bug 24:   verified  what holds it is used by its base

#if BUG == 17
#include <vector>
#endif

struct First;
void visit(First *);

__global__ void add(int *sum, const int *in) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] += in[i]; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,22,23: race on 'sum'
}

struct Base {
  int number;
};
#if BUG == 4
union Sizes {
  struct {
    unsigned x, y, z;
  } numbers;
  dim3 blocks;
  Sizes() : numbers{4, 1, 1} {}
};
#else
struct Sizes : Base {
  dim3 blocks;
#if BUG == 13
  Sizes();
#elif BUG == 14
  void set();
#elif BUG == 19
  virtual void set(dim3 &) {}
#endif
};
#endif
struct Second {
  First *back;
  Sizes sizes;
};
struct First {
  Second *there;
};
struct Shifted {
  unsigned x, y, z;
  dim3 blocks;
};

void other(dim3 *), other(dim3 &), read(const Sizes &), visit(Base &);
Sizes others();
extern Sizes external;
template <class T> using Make = decltype([](unsigned rows) {
  T made(4);
  made.y = rows;
  return made;
});

void launch(int *sum, const int *in, unsigned rows, void (*function)(dim3 *)) {
  dim3 blocks(4);
  Sizes sizes;
#if BUG == 1
  unsigned dim3::*member = &dim3::y;
  blocks.*member = rows;
#elif BUG == 2
  unsigned numbers[4] = {0, 4, rows, 1};
  __builtin_memcpy(&sizes, numbers, sizeof sizes);
#elif BUG == 3
  reinterpret_cast<unsigned *>(&sizes)[2] = rows;
#elif BUG == 4
  sizes.numbers.y = rows;
#elif BUG == 5
  asm volatile("movl %1, 4(%0)" : : "r"(&blocks), "r"(rows) : "memory");
#elif BUG == 6
  (&blocks.x)[1] = rows;
#elif BUG == 7 || BUG == 8
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.gridDim.y = rows;
  config.blockDim = dim3(64);
  cudaLaunchConfig_t *pointer = &config;
  cudaLaunchKernelEx(BUG == 7 ? &config : pointer, add, sum, in);
#elif BUG == 9
  other(&blocks);
#elif BUG == 10
  other(blocks);
#elif BUG == 11
  sizes = others();
#elif BUG == 12
  sizes = external;
#elif BUG == 14
  sizes.set();
#elif BUG == 15
  function(&blocks);
#elif BUG == 16
  reinterpret_cast<Shifted *>(&sizes)->y = rows;
#elif BUG == 17
  std::vector<dim3> all;
  all.emplace_back(4, rows);
  blocks = all[0];
#elif BUG == 18
  blocks = Make<dim3>{}(rows);
#elif BUG == 19
  sizes.set(sizes.blocks);
#elif BUG == 20
  read(sizes);
#elif BUG == 21
  auto go = [&] { add<<<blocks, 64>>>(sum, in); };
  go();
#elif BUG == 22
  visit(sizes);
#elif BUG == 23
  Second second;
  First first = {&second};
  visit(&first);
  blocks = second.sizes.blocks;
#elif BUG == 24
  Base &base = sizes;
  base.number++;
#endif
#if (BUG >= 19 && BUG <= 24 && BUG != 23) || (BUG >= 11 && BUG < 17) || (BUG >= 2 && BUG < 5)
  blocks = sizes.blocks;
#endif
#if BUG != 7 && BUG != 8
  add<<<blocks, 64>>>(sum, in);
#endif
}
