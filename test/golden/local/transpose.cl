// Transposes a matrix of 256 columns by padded tiles of 16 x 16.
//
// args:     --local_size=[16,16] --num_groups=[16,16]
// verdict:  verified
// bug 1:    racy       the tile's cells are too close by one column
// bug 2:    racy       no barrier

kernel void transpose(global const float *in, global float *out) {
  local float tile[16 * 17];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * 16, row = get_group_id(1) * 16;
#if BUG == 1
  int pitch = 15;
#else
  int pitch = 17;
#endif
  float value = in[(row + y) * 256 + column + x];
  tile[y * pitch + x] = value; // expect 1,2: race on 'tile'
#if BUG != 2
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[(column + y) * 256 + row + x] = tile[x * pitch + y];
}
