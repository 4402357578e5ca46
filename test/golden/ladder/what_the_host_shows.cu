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
__global__ void clear(int *cell, int start) {
  if (start < 0)
    cell[0] = threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16: race on 'cell'
}

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
#endif
}
