// Sizes that are assigned by axis, and from an array of constants.
//
// verdict:  verified
// bug 1:    racy       the wrong axis is assigned
// bug 2:    racy       an index that is not known is assigned to
// bug 3:    racy       another whole is assigned behind
// bug 4:    racy       somebody gets the array
// bug 5:    racy       one axis is not what the other is

__global__ void number_cells(int *out) {
  out[threadIdx.y * 16 + threadIdx.x] = threadIdx.x; // expect 1,2,3,4,5: write-write race on 'out'
}

void use(size_t *);

void launch(int *out, int which) {
  size_t sizes[2];
  sizes[0] = 16;
  sizes[1] = 4;
#if BUG == 2
  sizes[which] = 32;
#elif BUG == 4
  use(sizes);
#endif
  dim3 block;
#if BUG == 1
  block.y = sizes[0];
  block.x = sizes[1] * 8;
#else
  block.x = sizes[0];
  block.y = sizes[1];
#endif
#if BUG == 3
  block = dim3(17, which);
#elif BUG == 5
  block.x = block.y * 5;
#endif
  number_cells<<<1, block>>>(out);
}
