// What leads to a launch is known of its arguments: branches, and the loop.
//
// verdict:  verified
// bug 1:    racy       the guard lets 0 through
// bug 2:    racy       the guard is for another variable
// bug 3:    racy       one more, behind the guard
// bug 4:    racy       the loop begins below 0
// bug 5:    racy       the loop goes on to the last row
// bug 6:    racy       the counter is changed in the body
// bug 7:    racy       another way leads around the guard
// bug 8:    racy       the counter may wrap: the test is for its end only

__global__ void scale(int *out, int pitch, int rows, int row) {
#if BUG == 8
  bool is_good = row >= 0;
#else
  bool is_good = pitch > 1 && row >= 0 && row < rows;
#endif
  out[is_good ? threadIdx.x : 0] = threadIdx.x; // expect 1,2,3,4,5,6,7,8: write-write race on 'out'
}

void leave [[noreturn]] (int);
int get();

void launch(int *out, int pitch, int rows, int other) {
#if BUG == 7
  if (other)
    goto in;
#endif
#if BUG == 1
  if (pitch < 0)
#elif BUG == 2
  if (other <= 1)
#else
  if (pitch <= 1)
#endif
    leave(1);
#if BUG == 3
  pitch--;
#elif BUG == 7
in:
#endif
#if BUG == 4
  for (int t = -1; t < rows; t++) {
#elif BUG == 5
  for (int t = 0; t <= rows; t++) {
#elif BUG == 8
  for (int t = 0; t != rows; t++) {
#else
  for (int t = 0; t < rows; t++) {
#endif
#if BUG == 6
    if (get())
      t -= 2;
#endif
    scale<<<1, 64>>>(out, pitch, rows, t);
  }
}
