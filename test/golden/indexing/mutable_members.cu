// Constants, of which the members that are mutable are none.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified
// bug 1:    racy, verified   a member is mutable
// bug 2:    racy, verified   .. of a member
// bug 3:    racy, verified   .. of a class that it is made of
// bug 4:    racy, verified   .. of the elements of an array

struct Inner {
#if BUG == 2
  mutable int first;
#else
  int first;
#endif
};

struct Base {
#if BUG == 3
  mutable int second;
#else
  int second;
#endif
};

struct Sizes : Base {
  Inner inner;
#if BUG == 1 || BUG == 4
  mutable int third;
#else
  int third;
#endif
};

__constant__ const Sizes sizes = {{2}, {1}, 3};
__constant__ const Sizes table[2] = {{{2}, {1}, 3}, {{2}, {1}, 3}};

__global__ void write(int *out) {
  if (sizes.inner.first != 1 || sizes.second != 2 ||
      (BUG == 4 ? table[1].third : sizes.third) != 3)
    out[0] = threadIdx.x; // expect 1,2,3,4: race on 'out'
}

__constant__ const int plain[3] = {1, 2, 3};

__global__ void read(int *out) {
  if (plain[1] != 2)
    out[0] = threadIdx.x;
}
