// Images that a kernel writes: two work-items at one texel race.
//
// args:     --local_size=8,8 --num_groups=4,4
// verdict:  verified, verified, verified
// bug 1:    racy, verified, verified    all of a row write its first texel
// bug 2:    verified, racy, verified    what others write is read
// bug 3:    verified, verified, racy    two layers of three are one
// bug 4:    racy, verified, verified    an image that is written twice

__constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void copy(write_only image2d_t to, read_only image2d_t from,
                   write_only image1d_t row) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 color = read_imagef(from, nearest, (int2)(x, y + 1));
  write_imagef(to, (int2)(BUG == 1 ? 0 : x, y), color); // expect 1: race on 'to'
  if (BUG == 4 || y == 3)
    write_imagei(row, x, (int4)(y)); // expect 4: race on 'row'
}

__kernel void in_place(read_write image2d_t image) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 color = read_imagef(image, (int2)(BUG == 2 ? x + 1 : x, y));
  write_imagef(image, (int2)(x, y), color * 2); // expect 2: race on 'image'
}

__kernel void layers(write_only image2d_array_t images) {
  int x = get_global_id(0), y = get_global_id(1);
  for (int i = 0; i < 3; i++)
    write_imageui(images, (int4)(x, y, i, 0), (uint4)(i));
  if (BUG == 3)
    write_imageui(images, (int4)(x, 7, 2, 1), (uint4)(y)); // expect 3: race
}
