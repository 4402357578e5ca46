// Two pointer arguments are two arrays, whatever the caller passes.  Where the
// kernel itself makes one pointer of the other, they are one.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       both names stand for one array

__global__ void swap(const int *in, int *out) {
#if BUG == 1
  in = out;
#endif
  out[threadIdx.x] = in[threadIdx.x ^ 1]; // expect 1: read-write race on 'out'
}
