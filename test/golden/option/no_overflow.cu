// What the language leaves undefined does not happen: a sum of ints that is
// below its parts.
//
// args:     --blockDim=64 --gridDim=1 --no-overflow --strict
// verdict:  verified
// bug 1:    racy       a sum of unsigned numbers may wrap

#if BUG == 1
typedef unsigned Number;
#else
typedef int Number;
#endif

__global__ void store(int *out, Number n) {
  Number t = threadIdx.x;
  if (n + t < n)
    out[0] = t; // expect 1: write-write race on 'out'
}
