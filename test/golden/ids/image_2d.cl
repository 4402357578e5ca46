// Two dimensions, the row length being the width of the range.
//
// args:     --local_size=[16,16] --num_groups=[8,4]
// verdict:  verified
// bug 1:    racy       the height instead of the width

kernel void invert(global uchar4 *pixel) {
  size_t x = get_global_id(0), y = get_global_id(1);
#if BUG == 1
  size_t i = y * get_global_size(1) + x;
#else
  size_t i = y * get_global_size(0) + x;
#endif
  pixel[i] = (uchar4)(255) - pixel[i]; // expect 1: race on 'pixel'
}
