// Sums three neighbours in local memory for a number of steps that comes as an
// argument.
//
// args:     --local_size=64 --num_groups=8
// verdict:  verified
// bug 1:    racy       one barrier a step is not enough in place

kernel void steps(global int *data, int count) {
  local int cell[66];
  int t = get_local_id(0) + 1;
  if (t == 1)
    cell[0] = cell[65] = 0;
  cell[t] = data[get_global_id(0)];
  for (int i = 0; i < count; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = cell[t - 1] + cell[t] + cell[t + 1]; // expect 1: race on 'cell'
#if BUG != 1
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    cell[t] = sum;
  }
  data[get_global_id(0)] = cell[t];
}
