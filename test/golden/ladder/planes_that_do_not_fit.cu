// Products of sizes that are too large, or are no place: none is meant to fit.
//
// args:     --assume=sizes-fit --gridDim=[1048576,6144] --blockDim=32
// verdict:  verified
// assumes:  launch-limits, sizes-fit
// bug 1:    racy       every second plane is at one place
// bug 2:    racy       the same, which is no place of the access

__global__ void planes(float *out, unsigned kind, unsigned rows,
                       unsigned columns) {
  unsigned t = threadIdx.x;
  if (blockIdx.x || blockIdx.y || columns < 1)
    return;
#if BUG == 1
  out[kind ? t * gridDim.x * gridDim.y : t] = t; // expect 1: write-write race
#elif BUG == 2
  unsigned hash = t * gridDim.x * gridDim.x;
  if (hash == 0)
    out[kind == 7 ? 0 : t] = t; // expect 2: write-write race
#else
  if (t < rows)
    out[t * columns] = t;
#endif
}
