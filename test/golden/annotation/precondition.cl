// A __requires of a function that is called has to hold where it is called, and
// is known there from then on; that of a kernel is assumed.
//
// args:     --local_size=32 --num_groups=2
// verdict:  verified, verified
// bug 1:    assertion, verified    the call does not see to it
// bug 2:    assertion, verified    only some threads may call it
// bug 3:    verified, assertion    it is about every thread, called or not
// bug 4:    verified, assertion    a log of who does not call it
// bug 5:    verified, assertion    who does not call it has read before it ends

int half_of(int n) {
  __requires(n > 0); // expect 1,2: precondition
  return n / 2;
}

__kernel void k(__global int *a, int n) {
  __requires(n > 4);
  int t = get_local_id(0);
  if (BUG == 2 || t < 4)
    a[get_global_id(0)] = half_of(BUG == 1 ? n - 5 : 4 - t);
  __assert(n > 0);
}

void touch(__local int *b, int t) {
  __global_requires(t < (BUG == 3 ? 16 : 32)); // expect 3: precondition
  __global_requires(!__write(b));              // expect 4: write of 'b'
  __global_ensures(!__read(b));                // expect 5: read of 'b'
  if (t == 40)
    b[t] = 1;
}

__kernel void l(__local int *b, __local int *c) {
  int t = get_local_id(0);
  c[t] = BUG == 4 ? 0 : b[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (BUG == 4 && t >= 16)
    b[t] = 1;
  if (BUG == 5 && t >= 16)
    c[t] = b[t];
  if (t < 16)
    touch(b, t);
}
