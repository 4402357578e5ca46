// The host launches what is compiled for a size where a switch has found it.
//
// verdict:  verified
// assumes:  thread-count, launch-limits
// bug 1:    racy      two sizes lead to one launch
// bug 2:    racy      .. or all others do
// bug 3:    racy      .. or a range
// bug 4:    racy      the size is another one meanwhile
// bug 5:    racy      the switch is left, and others leave it, too
// bug 6:    racy      a jump leads into the case
// bug 7:    verified  a negative number is a case
// bug 8:    racy      .. of a number that is not the size
// bug 9:    verified  a loop around it, in which it is another one each time
// bug 10:   racy      a loop in the case
// bug 11:   racy      the case of a switch around it is no case of this one
// bug 12:   racy      a jump out of an expression ends another statement
template <int SIZE> __global__ void turn(int *a) {
  __shared__ int tile[SIZE];
  tile[threadIdx.x % SIZE] = a[threadIdx.x]; // expect 1,2,3,4,5,6,8,10,11,12: race on 'tile'
  __syncthreads();
  a[threadIdx.x] = tile[SIZE - 1 - threadIdx.x % SIZE];
}

#if BUG == 11
void launch(int *a, int size, int other) {
  goto inside;
again:
  switch (other) {
  case 1:
  inside:
    switch (size) {
    case 2:
      return;
    }
  case 64:
    turn<64><<<1, size>>>(a);
  }
  if (++other < 3)
    goto again;
}
#elif BUG == 12
void launch(int *a, int size) {
  for (;;) {
    switch (({
      if (size != 64)
        break;
      1;
    })) {
    case 1:;
    }
    if (size == 64)
      break;
  }
  turn<64><<<1, size>>>(a);
}
#else
void launch(int *a, int size, int other, bool again) {
#if BUG == 6
  if (again)
    goto inside;
#elif BUG == 9
  while (again) {
#endif
#if BUG == 7
  switch (-size) {
  case -64:
#elif BUG == 8
  switch (other) {
  case 64:
#elif BUG == 1
  switch (size) {
  case 128:
  case 64:
#elif BUG == 3
  switch (size) {
  case 60 ... 128:
#else
  switch (size) {
  case 64:
#endif
#if BUG == 2
  default:
#elif BUG == 4
    size = other;
#elif BUG == 5
    break;
  case 128:
    other = 3;
    break;
  default:
    return;
  }
  {
#elif BUG == 6
  inside:
#elif BUG == 10
    while (again) {
#endif
    turn<64><<<1, size>>>(a);
#if BUG == 10
      size = other;
    }
#endif
  }
#if BUG == 9
    size = other;
  }
#endif
}
#endif
