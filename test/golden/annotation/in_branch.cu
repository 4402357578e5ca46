// A claim in a branch is about variables, and a thread that does not come there
// has its own.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified, verified
// bug 1:    assertion, verified   the other thread has not assigned it
// bug 2:    assertion, verified   of every thread
// bug 3:    assertion, verified   the other branch assigns, and is made first
// bug 4:    assertion, verified   it is set in the branch, and then in a loop
// bug 5:    assertion, verified   an argument of a function that some call
// bug 6:    assertion, verified   a part of a variable
// bug 7:    assertion, verified   through an address
// bug 8:    verified, assertion   in the loop, of who never entered
// bug 9:    verified, assertion   what chooses between two values
// bug 10:   verified, assertion   some have returned
// bug 11:   verified, assertion   a function gets its address
// bug 12:   verified, assertion   it is assigned through an address
// bug 13:   verified, assertion   who left the loop has assigned it once more
// bug 14:   verified, assertion   ... just before it left
// bug 15:   verified, assertion   ... and went on, or left

#include <gpuverify.h>

struct Pair {
  int first, second;
};

static __device__ void claim_of(int value) {
  __assert(__implies(__other_bool(__enabled()), __other_int(value) == 1));
  if (BUG == 5)
    __assert(__other_int(value) == 1); // expect 5: may fail
}

static __device__ bool is_one(const int *at) { return *at == 1; }

__global__ void branches(int n) {
  int t = threadIdx.x, x = 0, before = n + 1;
  Pair pair = {0, 0};
  int *at = &pair.second;
  if (t >= 32) {
    x = 2;
  } else {
    __assert(__other_int(before) == before && __other_int(t) != 65);
    if (BUG == 3)
      __assert(__other_int(x) == 0); // expect 3: may fail
    x = 1;
    pair.first = 1;
    __assert(__implies(__other_bool(__enabled()), __other_int(x) == 1));
    __global_assert(__implies(__enabled(), x == 1));
    if (BUG == 1)
      __assert(__other_int(x) == 1); // expect 1: may fail
    if (BUG == 2)
      __global_assert(x == 1); // expect 2: may fail
    for (int i = 0; i < 4; i++)
      x += 2;
    if (BUG == 4)
      __assert(__other_int(x % 2) == 1); // expect 4: may fail
    claim_of(t >= 0 ? 1 : n);
    if (BUG == 6)
      __assert(__other_int(pair.first) == 1); // expect 6: may fail
    pair.second = 1;
    if (BUG == 7)
      __assert(__other_int(*at) == 1); // expect 7: may fail
  }
}

__global__ void ways(int n) {
  int t = threadIdx.x, x = 0, y = 1, flag = 1, given = 0, pointed = 0, round;
  int *at = &pointed, rounds = 0, gone = 0, last = 0;
  do {
    round = 5;
#if BUG == 13
    __assert(__other_int(round) == 5); // expect 13: may fail
#endif
    round = 6;
  } while (rounds++ < t);
  for (int i = 0; i < t; i++) {
    x = 1;
    __assert(__implies(__other_bool(__enabled()), __other_int(x) == 1));
    if (BUG == 8)
      __assert(__other_int(x) == 1); // expect 8: may fail
  }
  for (int i = 0; i < 5; i++) {
    if (BUG == 14)
      __assert(__other_int(gone) == 0); // expect 14: may fail
    if (i == t) {
      gone = 1;
      break;
    }
  }
  for (int i = 0; i < 5; i++) {
    if (BUG == 15)
      __assert(__other_int(last) == 0); // expect 15: may fail
    last = 1;
    if (i == t)
      break;
    last = 0;
  }
  if (t < 16) {
    flag = 0;
    if (BUG == 9)
      __assert(__other_int(flag ? n : y) == 1); // expect 9: may fail
    given = 1;
    if (BUG == 11)
      __assert(__other_bool(is_one(&given))); // expect 11: may fail
    *at = 1;
    if (BUG == 12)
      __assert(__other_int(pointed) == 1); // expect 12: may fail
  }
  __assert(__other_int(y) == 1);
  if (t == 63)
    return;
  y = 2;
  if (BUG == 10)
    __assert(__other_int(y) == 2); // expect 10: may fail
}
