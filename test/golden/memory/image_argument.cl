// Images are read like textures: no access, and any result.
//
// args:     --local_size=64 --num_groups=4
// verdict:  verified
// bug 1:    racy       two work-items for each element

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;

kernel void blur(read_only image2d_t image, sampler_t given, int y,
                 global float4 *out) {
  int x = get_global_id(0), last = get_image_width(image) - 1;
  float4 sum = read_imagef(image, nearest, (int2)(x, y)) +
               read_imagef(image, given, (int2)(min(x + 1, last), y));
#if BUG == 1
  x /= 2;
#endif
  out[x] = sum; // expect 1: write-write race on 'out'
}
