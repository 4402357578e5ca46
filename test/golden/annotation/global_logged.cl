// Global annotations about logged accesses: of who is elsewhere, too.
//
// What a thread has logged that does not come to the annotation is what leads
// there without a barrier, or what no barrier keeps apart from it and the
// annotation does not come before.
//
// args:     --local_size=32 --num_groups=2
// verdict:  verified, verified, verified, verified, verified
// bug 1:    assertion, verified, verified, verified, verified   who has read and does not enter
// bug 2:    assertion, verified, verified, verified, verified   who returns has read before
// bug 3:    verified, assertion, verified, verified, verified   of an earlier round
// bug 4:    verified, assertion, verified, verified, verified   of what nothing is logged
// bug 5:    verified, verified, assertion, verified, verified   the other branch may come before
// bug 6:    verified, verified, assertion, verified, verified   who is elsewhere has another value
// bug 7:    verified, verified, verified, assertion, verified   .. and has left the loop
// bug 8:    verified, verified, verified, verified, assertion   .. and is not enabled

__kernel void branch(__local int *a, __local int *b) {
  int t = get_local_id(0);
  b[t] = a[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (BUG == 2 && t == 31) {
    b[t] = a[t];
    return;
  }
  if (BUG == 1 && t >= 16)
    b[t] = a[t];
  if (t < 16) {
    __global_assert(!__read(a)); // expect 1,2: read of 'a'
    b[t] = a[t];
  }
}

__kernel void rounds(__local int *a, int n) {
  int t = get_local_id(0), m = n;
  for (int i = 0;
       __global_invariant(__write_implies(a, __write_offset_bytes(a) == t * 4)), // expect 3: write of 'a'
       __global_invariant(BUG != 4 || __write(a)), // expect 4: invariant
       i < m; i++) {
    a[t] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[t ^ 1] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 16)
      a[BUG == 3 ? t + 32 : t] = t;
  }
}

__kernel void sides(__local int *a) {
  int t = get_local_id(0), x = 0;
  if (t < 16) {
    x = 1;
    __global_assert(__write_implies(a, __write_offset_bytes(a) >= 64)); // expect 5: write of 'a'
    __global_assert(__implies(__write(a), BUG != 6 || x == 1));         // expect 6: write of 'a'
  } else {
    a[BUG == 5 ? t - 16 : t] = 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[t] = 2;
}

__kernel void turns(__local int *a, int n) {
  int t = get_local_id(0), x = 0;
  if (t < 16) {
    x = 1;
    for (int i = 0;
         __global_invariant(__implies(__write(a), BUG != 7 || x == 1)), // expect 7: write of 'a'
         i < n; i++)
      a[t] = i;
  }
}

__kernel void behind(__local int *a, int n) {
  int t = get_local_id(0);
  for (int i = 0;
       __global_invariant(__implies(__write(a), BUG != 8 || __enabled())), // expect 8: write of 'a'
       i < n; i++)
    a[t] = i;
}
