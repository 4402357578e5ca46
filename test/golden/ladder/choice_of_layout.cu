// Rows or columns, as the launch has it: what is multiplied by the distance of
// two elements is one or the other.
//
// args:     --ladder=all
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, termination, no-signed-overflow
// bug 1:    racy  the distance of a column's elements is 1 in both
// bug 2:    racy  who has a row begins one behind the other
// bug 3:    racy  two have one column
// bug 4:    racy  the same, where there are so many rows as no trial finds

__global__ void fill(float *x, int size, int systems, bool by_column) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= systems)
    return;
#if BUG == 1
  int stride = 1;
#else
  int stride = by_column ? systems : 1;
#endif
#if BUG == 2
  int first = i;
#elif BUG == 3
  int first = by_column ? i / 2 : i * size;
#elif BUG == 4
  unsigned mixed = ((unsigned)size ^ (unsigned)size >> 5) * 2654435761u;
  int first = by_column ? (mixed == 1307802823u ? i / 2 : i) : i * size;
#else
  int first = by_column ? i : i * size;
#endif
  for (int k = 0; k < size; k++)
    x[first + k * stride] = i; // expect 1,2,3,4: race on 'x'
}
