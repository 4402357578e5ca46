// A pipeline over three slots of local memory with one barrier a round: the
// slot that is filled is neither of the two that are read.
//
// args:     --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       two slots are one too few

#if BUG == 1
#define SLOTS 2
#else
#define SLOTS 3
#endif

kernel void pipeline(global const int *in, global int *out, int rounds) {
  local int slot[SLOTS][64];
  int t = get_local_id(0), sum = 0;
  slot[0][t] = in[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < rounds; i++) {
    slot[(i + 1) % SLOTS][t] = i + t;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += slot[i % SLOTS][t ^ 1]; // expect 1: read-write race on 'slot'
    sum += slot[(i + 1) % SLOTS][t ^ 2];
  }
  out[t] = sum;
}
