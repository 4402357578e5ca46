// An argument is assumed not to be negative where the host's code gives a
// negative number to something else.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  launch-limits, arguments-not-negative
// bug 1:    racy      it is what a function gets that is called by a pointer
// bug 2:    verified  .. which gets it as another argument
// bug 3:    verified  .. of another type
// bug 4:    racy      less one, of a bound that a loop takes away from
// bug 5:    verified  .. of one that nobody changes
// bug 6:    racy      another file has its address, and the number
// bug 7:    verified  .. has a place that it is added to
// bug 8:    verified  .. gets it where it gets a place that holds the number
// bug 9:    racy      .. which is another name for it
// bug 10:   racy      a reference that a loop takes away from
__global__ void clear(int *cell, int start) {
  if (start < 0)
    cell[0] = threadIdx.x; // expect 1,4,6,9,10: race on 'cell'
}

void clear_from(int *cell, int start, int more) { clear<<<1, 64>>>(cell, start); }

void fill(int *cell, int start);
void put(int *cell, int start, int *number);

typedef void (*From)(int *, int, int);
typedef void (*Other)(int *, int, int, int);

void launch(int *cell, From from, Other other, int n) {
#if BUG == 1
  from = clear_from;
  from(cell, -1, n);
#elif BUG == 2
  from = clear_from;
  from(cell, n, -1);
#elif BUG == 3
  from = clear_from;
  other(cell, -1, -1, -1);
  from(cell, n, n);
#elif BUG == 4
  for (int i = 0; i < n;)
    n--;
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
#else
  clear<<<1, 64>>>(cell, n);
#endif
}
