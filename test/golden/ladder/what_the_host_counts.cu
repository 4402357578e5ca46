// ... nor one that is given a negative number by counting, or by what is no
// variable of its own (what_the_host_shows.cu).
//
// args:     --ladder=all
// verdict:  verified
// assumes:  launch-limits, arguments-not-negative
// bug 1:    racy      a loop's counter, less one, in the function that it calls
// bug 2:    racy      .. by another name
// bug 3:    racy      one and then less three
// bug 4:    racy      a loop that ends within
// bug 5:    racy      it goes down to a variable
// bug 6:    racy      all bits are turned around
// bug 7:    racy      one more than what is taken from zero
// bug 8:    racy      two cases of a switch
// bug 9:    racy      a character
// bug 10:   racy      a list has an array's address
// bug 11:   racy      .. and that of what is made
// bug 12:   verified  a counter, and one more
// bug 13:   verified  two that are bounds of each other
__global__ void clear(int *cell, int start) {
  if (start < 0)
    cell[0] = threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11: race on 'cell'
}

void clear_below(int *cell, int end) { clear<<<1, 64>>>(cell, end - 1); }

void launch(int *cell, int n) {
#if BUG == 1
  for (int i = 0; i < n; i++)
    clear_below(cell, i);
#elif BUG == 2
  for (int i = 0; i < n; i++) {
    int start = i;
    clear<<<1, 64>>>(cell, start - 1);
  }
#elif BUG == 3
  for (int i = 0; i < n; i++)
    clear<<<1, 64>>>(cell, (i + 1) - 3);
#elif BUG == 4
  for (int i = 0;; i++) {
    if (i == n)
      break;
    clear<<<1, 64>>>(cell, i - 3);
  }
#elif BUG == 5
  int least = -3;
  for (int i = 3; i >= least; i--)
    clear<<<1, 64>>>(cell, i);
#elif BUG == 6
  clear<<<1, 64>>>(cell, ~n);
#elif BUG == 7
  clear<<<1, 64>>>(cell, -n + 1);
#elif BUG == 8
  switch (n) {
  case -2:
  case -1:
    clear<<<1, 64>>>(cell, n);
  }
#elif BUG == 9
  char text[] = "\xff";
  clear<<<1, 64>>>(cell, text[n]);
#elif BUG == 10
  int start[1] = {-1};
  void *arguments[2];
  arguments[0] = &cell;
  arguments[1] = start;
  cudaLaunchKernel((void *)clear, dim3(1), dim3(64), arguments, 0, 0);
#elif BUG == 11
  int *start = new int(-1);
  void *arguments[] = {&cell, start};
  cudaLaunchKernel((void *)clear, dim3(1), dim3(64), arguments, 0, 0);
#elif BUG == 12
  for (int i = 0; i < n; i++)
    clear<<<1, 64>>>(cell, i + 1);
#elif BUG == 13
  int low = 0, high = n;
  while (low > high)
    high++;
  while (high > low)
    clear<<<1, 64>>>(cell, low++);
#else
  clear<<<1, 64>>>(cell, n);
#endif
}
