// A tree of sums in LDS.  The barrier of HIP is one of AMD with fences around
// it, and without these it orders no memory.
//
// args:     --blockDim=256
// verdict:  verified
// bug 1:    racy       no barrier between two steps
// bug 2:    racy       s_barrier alone
// bug 3:    racy       nothing is acquired behind it
// bug 4:    racy       nothing is released before it
// bug 5:    racy       a store lies between the fence and the barrier
// bug 6:    racy       it is released to a wavefront alone
// bug 7:    racy       it is acquired from a wavefront alone

__device__ void wait_for_all(float *t) {
#if BUG == 0
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#elif BUG == 2
  __builtin_amdgcn_s_barrier();
#elif BUG == 3
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
#elif BUG == 4
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#elif BUG == 5
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  t[threadIdx.x] += 0; // allow 5: race
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#elif BUG == 6
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#elif BUG == 7
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
#endif
}

__global__ void reduce(float *out, const float *in) {
  __shared__ float t[256];
  unsigned k = threadIdx.x;
  t[k] = in[blockIdx.x * 256 + k]; // allow 1,2,3,4,5,6,7: race
  for (int s = 128; s > 0; s >>= 1) {
    wait_for_all(t);
    if (k < s)
      t[k] += t[k + s]; // expect 1,2,3,4,5,6,7: race on 't'
  }
  if (k == 0)
    out[blockIdx.x] = t[0];
}
