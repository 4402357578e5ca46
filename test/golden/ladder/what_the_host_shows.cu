// An argument that the host's code itself gives a negative number is not assumed
// to have none.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  launch-limits, arguments-not-negative
// bug 1:    racy      a loop begins below zero
// bug 2:    racy      a loop goes on below zero
// bug 3:    racy      .. one that ends above -2
// bug 4:    racy      a call of another file's, and one of this
// bug 5:    racy      two functions up
// bug 6:    racy      in a method
// bug 7:    racy      in a lambda that has a copy
// bug 8:    racy      it depends on what is not known
// bug 9:    racy      in a member
// bug 10:   racy      in a member, by a constructor
// bug 11:   racy      in a list
// bug 12:   racy      the first round's counter, less one
// bug 13:   racy      by the list of addresses that a launch gets
// bug 14:   racy      an argument that nobody gave
// bug 15:   racy      an argument of a lambda
// bug 16:   racy      by a constructor that launches
// bug 17:   racy      a function assigns what it has got
// bug 18:   racy      by the address of a list that another function has
// bug 19:   racy      a loop whose end is written in another way
// bug 20:   racy      what is taken from zero
// bug 21:   racy      an element of an array
// bug 22:   racy      by another name
// bug 23:   racy      as a number without a sign
// bug 24:   racy      by a pointer to a function
// bug 25:   racy      a member of what the library makes
// bug 26:   racy      behind a base
// bug 27:   racy      to one of two
// bug 28:   racy      to what was assigned
// bug 29:   racy      a reference to one of two
// bug 30:   racy      by another member of a union
// bug 31:   racy      a function of the library sets it
// bug 32:   racy      an element by its place
// bug 33:   racy      it is stored at once
// bug 34:   racy      the last of a block
// bug 35:   racy      a number that an int has no place for
// bug 36:   racy      an object that the library calls
// bug 37:   racy      by another file, which calls a function
// bug 38:   racy      an element of the library's
__global__ void clear(int *cell, int start) {
  if (start < 0)
    cell[0] = threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38: race on 'cell'
}

#if BUG == 36 || BUG == 38
#include <algorithm>
#include <vector>
#elif BUG == 25 || BUG == 31
#include <utility>
#endif

#if BUG == 37
void call_with(void (*)(int *, int), int *, int);
#endif

struct Base {
  int unused;
};
struct Derived : Base {
  int length, start;
};

struct Part {
  int length, start;
  Part *next;
#if BUG == 10
  Part(int length_) : length(length_), start(-1) {}
#endif
};

struct Clearing {
  int *cell;
#if BUG == 16
  Clearing(int *cell_, int start) : cell(cell_) { clear<<<1, 64>>>(cell, start); }
#endif
  void from(int start) { clear<<<1, 64>>>(cell, start); }
};

void clear_from(int *cell, int start) { clear<<<1, 64>>>(cell, start); }
static void with(int *cell, int, int start) { clear_from(cell, start); }
static int first = BUG == 14 ? -1 : 0;
void by_default(int *cell, int start = first) {
  clear<<<1, 64>>>(cell, start);
}

static void clamped(int *cell, int start) {
#if BUG == 17
  if (start > 5)
    start = -1;
#endif
  clear<<<1, 64>>>(cell, start);
}
void launch_with(void **arguments) {
  cudaLaunchKernel((void *)clear, 1, 64, arguments, 0, 0);
}

// What is not shown is assumed: what `length` begins with is no length.
void launch(int *cell, int n, bool is_first, Part *part) {
  int length = 0;
  with(cell, -1, n);
  clear_from(cell, part->length - 1);
  length += part->start;
  clear<<<1, 64>>>(cell, length - 1);
  for (int i = n; i >= 0; i--)
    clear<<<1, 64>>>(cell, i);
  for (int i = 1; i < n; i++)
    clear<<<1, 64>>>(cell, i - 1);
#if BUG == 1
  for (int i = -1; i < n; i++)
    clear<<<1, 64>>>(cell, i);
#elif BUG == 2
  for (int i = n; i >= -1; i--)
    clear<<<1, 64>>>(cell, i);
#elif BUG == 3
  for (int i = n; i > -2; i--)
    clear<<<1, 64>>>(cell, i);
#elif BUG == 4
  clear_from(cell, -1);
#elif BUG == 5
  with(cell, 1, -1);
#elif BUG == 6
  Clearing{cell}.from(-1);
#elif BUG == 7
  int start = n;
  if (is_first)
    start = -1;
  [=] { clear<<<1, 64>>>(cell, start); }();
#elif BUG == 8
  clear<<<1, 64>>>(cell, is_first ? -1 : n);
#elif BUG == 9
  part->next->start = -1;
  clear<<<1, 64>>>(cell, part->start);
#elif BUG == 10
  *part = Part(n);
  clear<<<1, 64>>>(cell, part->start);
#elif BUG == 11
  *part = {n, -1};
  clear<<<1, 64>>>(cell, part->start);
#elif BUG == 12
  for (int i = 0; i < n; i++)
    clear<<<1, 64>>>(cell, i - 1);
#elif BUG == 13
  int start = n;
  if (is_first)
    start = -1;
  void *arguments[] = {&cell, &start};
  cudaLaunchKernel((void *)clear, 1, 64, arguments, 0, 0);
#elif BUG == 14
  by_default(cell);
#elif BUG == 15
  auto from = [=](int start) { clear<<<1, 64>>>(cell, start); };
  from(-1);
#elif BUG == 16
  Clearing(cell, -1);
#elif BUG == 17
  clamped(cell, n);
  clamped(cell, 1);
#elif BUG == 18
  int start = is_first ? -1 : n;
  void *arguments[] = {&cell, &start};
  launch_with(arguments);
#elif BUG == 19
  int i = n;
  do
    clear<<<1, 64>>>(cell, i);
  while (is_first && -3 < --i);
#elif BUG == 20
  int by = n + 1;
  clear<<<1, 64>>>(cell, -by);
#elif BUG == 21
  int starts[] = {0, -1};
  clear<<<1, 64>>>(cell, starts[n]);
#elif BUG == 22
  int start = n, &same = start;
  same = -1;
  clear<<<1, 64>>>(cell, start);
#elif BUG == 23
  unsigned start = n;
  if (is_first)
    start = -1;
  clear<<<1, 64>>>(cell, start);
#elif BUG == 24
  void (*run)(int *, int) = is_first ? clear_from : by_default;
  run(cell, -1);
#elif BUG == 25
  std::pair<int, int> pair(n, -1);
  clear<<<1, 64>>>(cell, pair.second);
#elif BUG == 26
  Derived derived = {{n}, 1, -1};
  clear<<<1, 64>>>(cell, derived.start);
#elif BUG == 27
  int start = n, other = 1;
  (is_first ? start : other) = -1;
  clear<<<1, 64>>>(cell, start);
#elif BUG == 28
  int start = n;
  (start += 1) = -1;
  clear<<<1, 64>>>(cell, start);
#elif BUG == 29
  int start = n, other = 1;
  int &one = is_first ? other : start;
  one = -1;
  clear<<<1, 64>>>(cell, start);
#elif BUG == 30
  union {
    int start;
    unsigned bits;
  } both = {n};
  both.bits = -1;
  clear<<<1, 64>>>(cell, both.start);
#elif BUG == 31
  int start = n;
  std::exchange(start, -1);
  clear<<<1, 64>>>(cell, start);
#elif BUG == 32
  int starts[] = {n, 1};
  *(starts + 1) = -1;
  clear<<<1, 64>>>(cell, starts[n]);
#elif BUG == 33
  int start = n;
  __atomic_store_n(&start, -1, __ATOMIC_SEQ_CST);
  clear<<<1, 64>>>(cell, start);
#elif BUG == 34
  clear<<<1, 64>>>(cell, ({
    int start = -1;
    if (is_first)
      start = n;
    start;
  }));
#elif BUG == 35
  unsigned start = n;
  if (is_first)
    start = 4294967295u;
  clear<<<1, 64>>>(cell, start);
#elif BUG == 36
  struct Clears {
    int *cell;
    void operator()(int start) { clear<<<1, 64>>>(cell, start); }
  };
  std::for_each_n(&n, -1, Clears{cell});
#elif BUG == 37
  call_with(clear_from, cell, -1);
#elif BUG == 38
  std::vector<int> starts(1);
  starts[0] = -1;
  clear<<<1, 64>>>(cell, starts[n]);
#endif
}
