// What a value is in another thread.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified, verified, verified
// bug 1:    assertion, verified, verified   threads of two blocks have one number
// bug 2:    assertion, verified, verified   two threads share each value
// bug 3:    assertion, verified, verified   two of them may be there
// bug 4:    assertion, verified, verified   data differ
// bug 5:    verified, verified, assertion   some leave the loop earlier
// bug 6:    verified, verified, assertion   who left keeps the value of an iteration
// bug 7:    verified, assertion, verified   some do not come to the branch
// bug 8:    verified, assertion, verified   in one iteration it is not so

__global__ void values(const int *in, int n) {
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (BUG == 1)
    __assert(__distinct_int(t)); // expect 1: of two blocks
  __assert(__implies(__same_group, __distinct_int(t)));
  __assert(__distinct_int(BUG == 2 ? i / 2 : i)); // expect 2: of a block
  __assert(__uniform_int(n * 5));
  __assert(__exclusive(i == 7 || (BUG == 3 && i == 8))); // expect 3: of a block
  __assert(__uniform_bool(in[BUG == 4 ? i : n] > 3)); // expect 4: two threads
  __assert(__implies(__same_group, __other_int(t) < 64 && __other_int(t) >= 0));
}

__global__ void control(int n) {
  int t = threadIdx.x;
  for (int i = 0; __invariant(__uniform_int(i)),
           __invariant(__uniform_bool(__enabled())), i < n;
       i++) {
    if (t < 32) {
      __assert(__implies(__other_bool(__enabled()), __other_int(t) < 32));
      if (BUG == 7)
        __assert(__uniform_bool(__enabled())); // expect 7: two threads
    }
    int flips = BUG == 8 && i == 9 ? t : i;
    __assert(__uniform_int(flips)); // expect 8: two threads
  }
}

__global__ void leaving() {
  int t = threadIdx.x;
  for (int i = t;
       __invariant(__implies(__uniform_bool(__enabled()) && __same_group,
                             __distinct_int(i))),
           i < 100;
       i++) {
    __assert(__other_bool(__implies(__enabled(), i < 100)));
    if (BUG == 5)
      __assert(__uniform_bool(__enabled())); // expect 5: two threads
    if (BUG == 6)
      __assert(__implies(__same_group, __distinct_int(i))); // expect 6: a block
  }
}
