// A group's asynchronous copies, there and back.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 3 2 1 0 7 6 5 4
// bug 1:    racy        does not wait
// bug 2:    racy        a cell changes while it is copied
// bug 3:    racy        waits for one of two copies
// bug 4:    out-of-bounds  copies one element too much

#if BUG == 3
#define BOTH 0
#define LAST taken
#else
#define BOTH copied
#define LAST copied
#endif

kernel void reverse(global const int *in, global int *out) {
  local int cell[4], other[4];
  int t = get_local_id(0), first = get_group_id(0) * 4;
  event_t copied =
      async_work_group_copy(cell, in + first, 4, 0); // says 1: copies to cell
  event_t taken = async_work_group_strided_copy( // says 4: outside of 'other'
      other, in, BUG == 4 ? 5 : 4, 2, BOTH);
#if BUG != 1
  wait_group_events(1, &LAST);
#endif
  int own = cell[3 - t]; // says 1,3: race on 'cell': the copy is asynchronous
  if (other[t] != 2 * t && BUG != 1)
    own = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  other[t] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t gone = 0;
  gone = async_work_group_copy(out + first, other, 4, gone);
#if BUG == 2
  other[t] = 0; // says 2: race on 'other'
#endif
  wait_group_events(1, &gone);
}
