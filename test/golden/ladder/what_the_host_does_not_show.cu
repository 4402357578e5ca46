// An argument is assumed not to be negative where the host's code gives a
// negative number to something else.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  launch-limits, arguments-not-negative
// bug 1:    racy      it is what a function gets that is called by a pointer
// bug 2:    verified  .. which gets it as another argument
// bug 3:    racy      .. by a lambda, which has a type of its own
// bug 4:    racy      less one, of a bound that a loop takes away from
// bug 5:    verified  .. of one that nobody changes
// bug 6:    racy      another file has its address, and the number
// bug 7:    verified  .. has a place that it is added to
// bug 8:    verified  .. gets it where it gets a place that holds the number
// bug 9:    racy      .. which is another name for it
// bug 10:   racy      a reference that a loop takes away from
// bug 11:   racy      a loop compares another name of what it counts down
// bug 12:   racy      it counts down in each call anew
// bug 13:   racy      the place is the distance to it
// bug 14:   racy      .. or its address as a number
__global__ void clear(int *cell, int start) {
  if (start < 0)
    cell[0] = threadIdx.x; // expect 1,3,4,6,9,10,11,12,13,14: race on 'cell'
}

void clear_from(int *cell, int start, int more) { clear<<<1, 64>>>(cell, start); }

void fill(int *cell, int start);
void put(int *cell, int start, int *number);

typedef void (*From)(int *, int, int);

#if BUG == 12
void count_down(int *cell, int n) {
  while (n >= -1) {
    clear<<<1, 64>>>(cell, n);
    return count_down(cell, n - 1);
  }
}
#endif

void launch(int *cell, From from, int n) {
#if BUG == 1
  from = clear_from;
  from(cell, -1, n);
#elif BUG == 2
  from = clear_from;
  from(cell, n, -1);
#elif BUG == 3
  from = [](int *place, int start, int) { clear<<<1, 64>>>(place, start); };
  from(cell, -1, n);
#elif BUG == 4
  for (int i = 0; i < n; i++)
    n -= 2;
  clear<<<1, 64>>>(cell, n - 1);
#elif BUG == 5
  for (int i = 0; i < n; i++)
    cell++;
  clear<<<1, 64>>>(cell, n - 1);
#elif BUG == 6
  fill(&n, -1);
  clear<<<1, 64>>>(cell, n);
#elif BUG == 7
  fill(cell + n, -1);
  clear<<<1, 64>>>(cell, n);
#elif BUG == 8
  int number = -1;
  put(cell, n, &number);
  clear<<<1, 64>>>(cell, n);
#elif BUG == 9
  int *number = &n;
  *number = -1;
  clear<<<1, 64>>>(cell, n);
#elif BUG == 10
  int &end = n;
  for (int i = 0; i < end;)
    end--;
  clear<<<1, 64>>>(cell, n - 1);
#elif BUG == 11
  int i = 3, &start = i;
  for (; start >= -1; i--)
    clear<<<1, 64>>>(cell, start);
#elif BUG == 12
  count_down(cell, 3);
#elif BUG == 13
  char *at = (char *)cell;
  *(int *)(at + ((char *)&n - at)) = -1;
  clear<<<1, 64>>>(cell, n);
#elif BUG == 14
  *(int *)((char *)0 + (unsigned long)&n) = -1;
  clear<<<1, 64>>>(cell, n);
#else
  clear<<<1, 64>>>(cell, n);
#endif
}
