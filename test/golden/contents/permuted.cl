// Indices in shared memory, of which an invariant at the barrier says what they
// are; then a scatter by them, and where everything is after it.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       the next one's index is not named
// bug 2:    assertion  it is not what it says
// bug 3:    racy       the barrier orders other memory
// bug 4:    racy       the index is one of two
// bug 5:    assertion  another thread may write what it reads
// bug 6:    unknown    something comes between it and the barrier
// bug 7:    unknown    ... or the end of a branch
// bug 8:    assertion  a part that is not always read
// bug 9:    unknown    no barrier follows

__kernel void scatter(__global int *out, int n) {
  __local int index[64];
  __local int value[64];
  int t = get_local_id(0), next = (t + 1) % 64;
  index[t] = (5 * t + n) & 63;
  out[get_global_id(0)] = t;
  if (BUG != 7 || n > 3)
    __barrier_invariant_2( // expect 2: may fail
        index[t] == ((5 * t + n) & 63) + (BUG == 2),
        t, BUG == 1 ? 0 : next);
  __barrier_invariant_1( // expect 8: may fail
      __ite(t == n, index[t] == ((6 * t) & 63), index[t] >= (BUG == 8)), t);
  if (BUG == 6)
    index[t] = 0;
  barrier(BUG == 3 ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE);
  int to = index[BUG == 4 && n == 3 ? 0 : next]; // expect 3: race on 'index'
  value[to] = t; // expect 1,3,4: race on 'value'
  __barrier_invariant_1(                               // allow 1,3,4,5: may fail
      value[(5 * next + n + (BUG == 5)) & 63] == t, t); // expect 1,3,4,5: another thread
  if (BUG != 9)
    barrier(CLK_LOCAL_MEM_FENCE);
}
