// A struct of at most eight bytes is given as one number, or not counted.
//
// args:     --local_size=32 --num_groups=2
// args:     --kernel-args=k,0x0000000300000002,7 --kernel-args=l,5
// verdict:  verified, verified
// bug 1:    assertion, verified
// bug 2:    verified, assertion     of a struct that is not given nothing is known

typedef struct Two {
  int low, high;
} Two;

__kernel void k(Two two, int n) {
  __assert(n == 7);
  __assert(two.low == 2);
  __assert(two.high == (BUG == 1 ? 2 : 3)); // expect 1: assertion
}

__kernel void l(Two two, int n) {
  __assert(n == 5);
  __assert(BUG != 2 || two.low == 5); // expect 2: assertion
}
