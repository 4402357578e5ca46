// The lane that gives the address of a row is the one that loads it: its own
// store before needs no barrier, another lane's does.
//
// args:     --blockDim=32 --gridDim=1
// verdict:  verified
// bug 1:    racy       each lane fills the next one's row

__global__ void load(const int4 *a, unsigned *out) {
  __shared__ int4 tile[32];
  int t = threadIdx.x;
  unsigned r0, r1, r2, r3;
  tile[BUG == 1 ? t ^ 1 : t] = a[t]; // expect 1: race on 'tile'
  unsigned row = (unsigned)__cvta_generic_to_shared(tile + t);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
               : "r"(row)
               : "memory");
  out[t] = r0 + r1 + r2 + r3;
}
