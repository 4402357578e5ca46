// More ways to give a dimension that the launch does not show.
//
// args:     --clang-arg=-std=c++20
// verdict:  verified
// bug 1:    racy      by a class that is made of a number
// bug 2:    racy      by a constructor of its base
// bug 3:    racy      by an instance of a template that has a reference
// bug 4:    racy      as the value of another class
// bug 5:    racy      by another file that gets what leads to it
// bug 6:    racy      .. and must not change that
// bug 7:    racy      by another file that gets an array of pointers
// bug 8:    racy      as an uint3, in the system's code
// bug 9:    racy      as a variable of another name
// bug 10:   racy      as what another file throws
// bug 11:   racy      by the destructor of what leads to it
// bug 12:   racy      .. by a function that is called where a variable ends
// bug 13:   racy      by a template's argument that is a member
// bug 14:   racy      as the bytes of a lambda's copy

#if BUG == 8
#include <functional>
#endif

__global__ void add(int *sum, const int *in) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  sum[i] += in[i]; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14: race on 'sum'
}

#if BUG == 1
struct Rows {
  unsigned number;
  Rows(unsigned number_) : number(number_) {}
  operator dim3() const { return dim3(4, number); }
};
#elif BUG == 2
struct Grid : dim3 {
  using dim3::dim3;
};
#elif BUG == 3
static dim3 shared(4);
template <class T> void set(unsigned rows) {
  T there = shared.y;
  there = rows;
}
#elif BUG == 4
struct Blocks {
  dim3 blocks;
  dim3 *next;
};
struct Words {
  unsigned words[4];
  dim3 *next;
};
#elif BUG == 8
static void launch_with(dim3 blocks, int *sum, const int *in) {
  add<<<blocks, 64>>>(sum, in);
}
#elif BUG == 9
extern "C" {
unsigned words[3] = {4, 2, 1};
extern dim3 other __attribute__((alias("words")));
}
#endif

struct Leader {
  dim3 *there;
};
struct Leaders {
  dim3 *there[2];
};
#if BUG == 11
struct Ending {
  dim3 *there;
  ~Ending(); // of another file
};
#elif BUG == 12
void at_end(Leader *);
#elif BUG == 13
template <auto &size> struct Setter {
  static void set(unsigned rows) { size = rows; }
};
static dim3 shared(4);
template <auto &all> using Rows = Setter<all.y>;
#endif

void lead(Leader), keep(const Leader &), lead(Leaders), may_throw();

void launch(int *sum, const int *in, unsigned rows) {
  dim3 blocks(4);
#if BUG == 1
  const Rows made = 2;
  add<<<made, 64>>>(sum, in);
#elif BUG == 2
  blocks = Grid(4, rows, 1);
#elif BUG == 3
  set<unsigned>(rows);
  set<unsigned &>(rows);
  blocks = shared;
#elif BUG == 4
  blocks = __builtin_bit_cast(Blocks, Words{{4, rows, 1}, nullptr}).blocks;
#elif BUG == 5
  lead(Leader{&blocks});
#elif BUG == 6
  const Leader leader = {&blocks};
  keep(leader);
#elif BUG == 7
  lead(Leaders{{&blocks, &blocks}});
#elif BUG == 8
  std::invoke(launch_with, uint3{4, rows, 1}, sum, in);
#elif BUG == 9
  blocks = other;
#elif BUG == 10
  try {
    may_throw();
  } catch (const dim3 &thrown) {
    blocks = thrown;
  }
#elif BUG == 11
  {
    Ending ending{&blocks};
  }
#elif BUG == 12
  {
    __attribute__((cleanup(at_end))) Leader leader{&blocks};
  }
#elif BUG == 13
  Rows<shared>::set(rows);
  blocks = shared;
#elif BUG == 14
  const dim3 one(4);
  auto run = [one, sum, in] { add<<<one, 64>>>(sum, in); };
  const unsigned sizes[] = {4, rows, 1};
  __builtin_memcpy((void *)&run, sizes, sizeof sizes);
  run();
#endif
  add<<<blocks, 64>>>(sum, in);
}
