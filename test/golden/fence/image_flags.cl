// An exchange through an image: since OpenCL C 2.0 barriers have a flag for that.
//
// args:     --clang-arg=-cl-std=CL2.0 --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       the flag of global memory is none for images
// bug 2:    verified   .. but together with the other
// bug 3:    unknown    one flag where there is a buffer, too
// bug 4:    verified   .. and both
// bug 5:    racy       no flag

#if BUG == 1
#define FLAGS CLK_GLOBAL_MEM_FENCE
#elif BUG == 2 || BUG == 4
#define FLAGS CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE
#elif BUG == 5
#define FLAGS CLK_LOCAL_MEM_FENCE
#else
#define FLAGS CLK_IMAGE_MEM_FENCE
#endif

kernel void swap(read_write image1d_t image, global float *out) {
  int i = get_local_id(0);
  write_imagef(image, i, (float4)(i)); // expect 1,5: race on 'image'
  barrier(FLAGS); // expect 3: a barrier that orders either images or global memory
  float4 other = read_imagef(image, i ^ 1);
#if BUG == 3 || BUG == 4
  out[i] = other.x;
#endif
  barrier(FLAGS);
  write_imagef(image, i, other); // expect 1,5: race on 'image'
}
