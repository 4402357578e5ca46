// ldmatrix and mma in assembly, with addresses of shared memory in 32 bits.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       rows are read while they are written
// bug 2:    racy       rows are written again while they are read
// bug 3:    racy       rows are stored to where the other warp's are

__device__ unsigned in_shared(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void multiply(const int4 *a, const unsigned *b, float *c) {
  __shared__ int4 tile[64];
  __shared__ int4 out[128];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  for (int k = 0; k < 4; k++) {
    unsigned r0, r1, r2, r3;
    tile[t] = a[k * 64 + t]; // expect 1,2: race on 'tile'
#if BUG != 1
    __syncthreads();
#endif
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4+16];"
                 : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
                 : "r"(in_shared(tile) + (unsigned)(lane + warp * 31) * 16u));
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
        "{%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
        : "r"(r0), "r"(r1), "r"(r2), "r"(r3), "r"(b[t]), "r"(b[t + 64]));
#if BUG != 2
    asm volatile("bar.sync 0;" ::: "memory");
#endif
  }
#if BUG == 3
  int row = lane;
#else
  int row = t;
#endif
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%1,%1,%1};" // expect 3: race on 'out'
               ::"r"(in_shared(out + row)), "r"(__float_as_int(d0))
               : "memory");
  __syncthreads();
  c[t] = __int_as_float(out[t ^ 1].x) + d1 + d2 + d3;
}
