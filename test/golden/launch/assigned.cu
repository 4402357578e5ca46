// Sizes in variables that are declared first and assigned later.
//
// args:     -Wno-unsequenced
// verdict:  verified
// bug 1:    racy       another assignment may come between
// bug 2:    racy       the loop assigns again behind the launch
// bug 3:    racy       a pointer to the variable is around
// bug 4:    racy       a reference to the variable is around
// bug 5:    racy       a lambda has it
// bug 6:    racy       no assignment on one way
// bug 7:    racy       the case before falls through
// bug 8:    racy       a jump back comes with another value
// bug 9:    racy       assigned twice in one expression, in any order
// bug 10:   racy       what is assigned is assigned to in turn
// bug 11:   racy       volatile
// bug 12:   racy       thrown between
// bug 13:   racy       another assignment may not come between
// bug 14:   racy       changed in the launch itself, before or after

__global__ void fill(int *out) {
  __shared__ int cell[64];
  cell[threadIdx.x % 64] = threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14: race on 'cell'
  out[blockIdx.x * 64 + threadIdx.x % 64] = cell[threadIdx.x % 64]; // allow 1,2,3,4,5,6,7,8,9,10,11,12,13,14: race on
}

void use(int *);
void change(int &);
int both(int, int);

void launch(int *out, int way) {
#if BUG == 11
  volatile int n;
#elif BUG == 12
  int n = 128;
  try {
    use(out);
    n = 64;
    use(out);
  } catch (...) {
  }
  fill<<<4, n>>>(out);
#else
  int n;
#endif
#if BUG == 6
  if (way)
    n = 64;
#elif BUG == 7
  switch (way) {
  case 0:
    n = 128;
    break;
  case 1:
    n = 128;
  default:
    n = way ? 64 : 128;
  case 2:
    if (way == 9)
      n = 64;
  }
#elif BUG == 8
  n = 64;
again:
#elif BUG == 13
  n = 128;
  if (way)
    n = 64;
#elif BUG == 14
  n = 65;
  fill<<<4, n>>>((n--, out));
#elif BUG == 9
  both(n = 128, n = 64);
#elif BUG == 10
  (n = 64) += way;
#elif BUG != 12
  n = 64;
#endif
#if BUG == 1
  if (way)
    n = 128;
#elif BUG == 3
  use(&n);
#elif BUG == 4
  change(n);
#elif BUG == 5
  auto later = [&] { n = 128; };
  later();
#endif
#if BUG != 12 && BUG != 14
  for (int i = 0; i < 3; i++) {
    fill<<<4, n>>>(out);
#if BUG == 2
    n = 128;
#endif
  }
#endif
#if BUG == 8
  n *= 2;
  goto again;
#endif
}

