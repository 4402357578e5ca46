// What lies between the fence and the barrier is not released by the fence, and
// neither is what lies between the barrier and the other fence acquired by it.
//
// args:     --blockDim=64
// verdict:  verified
// bug 1:    racy       a store behind the fence
// bug 2:    racy       a load before the other fence
// bug 3:    racy       only some threads come to the fence

__global__ void turn(int *out, int n) {
  __shared__ int t[64];
  int k = threadIdx.x, v = 0;
  if (BUG != 1)
    t[k] = k; // allow 2,3: race
  if (BUG != 3 || n > k)
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  if (BUG == 1)
    t[k] = k; // allow 1: race
  __builtin_amdgcn_s_barrier();
  if (BUG == 2)
    v = t[63 - k]; // expect 2: read-write race on 't'
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  if (BUG != 2)
    v = t[63 - k]; // expect 1,3: read-write race on 't'
  out[blockIdx.x * 64 + k] = v;
}
