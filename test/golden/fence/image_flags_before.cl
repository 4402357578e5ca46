// Before OpenCL C 2.0 the flag of global memory is about images, too.
//
// args:     --clang-arg=-cl-std=CL1.2 --local_size=64 --num_groups=1
// verdict:  verified
// bug 1:    racy       the flag of local memory is not

kernel void twice(write_only image2d_t image) {
  int i = get_local_id(0);
  write_imagef(image, (int2)(i, 0), (float4)(i)); // expect 1: race on 'image'
  barrier(BUG ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
  write_imagef(image, (int2)(i ^ 1, 0), (float4)(i));
}
