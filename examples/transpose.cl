// Transposes a matrix by tiles of 16 x 16.  A tile is read along its rows and
// written along its columns; the barrier keeps the two apart.

#define TILE 16

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
__kernel void transpose(__global float *restrict to,
                        __global const float *restrict from) {
  __local float tile[TILE][TILE + 1];
  size_t width = get_global_size(0), height = get_global_size(1);
  size_t x = get_group_id(0) * TILE + get_local_id(0);
  size_t y = get_group_id(1) * TILE + get_local_id(1);
  tile[get_local_id(1)][get_local_id(0)] = from[y * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * TILE + get_local_id(0);
  y = get_group_id(0) * TILE + get_local_id(1);
  to[y * height + x] = tile[get_local_id(0)][get_local_id(1)];
}
