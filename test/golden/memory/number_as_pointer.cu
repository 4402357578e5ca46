// Numbers that are handed on where a pointer may lie stay these numbers.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  not the number of the warp, but of half of it
// bug 2:    divergent  a mask of half of the lanes

struct Parts {
  unsigned mask;
  unsigned short size, rank;
};

struct Group {
  union {
    Parts parts;
    void *pointer;
  };
};

__device__ Group handed_on(const Group &group) {
  Group copy;
  copy.pointer = group.pointer;
  return copy;
}

__device__ Group own_group(int t) {
  Group group;
#if BUG == 2
  group.parts.mask = 0xffff;
#else
  group.parts.mask = 0xffffffff;
#endif
  group.parts.size = 32;
#if BUG == 1
  group.parts.rank = t / 16;
#else
  group.parts.rank = t / 32;
#endif
  return handed_on(group);
}

__global__ void sum_first(int *out) {
  int t = threadIdx.x, v = out[t];
  Group group = own_group(t);
  if (group.parts.rank == 0)
    v += __shfl_xor_sync(group.parts.mask, v, 1); // expect 1,2: warp divergence
  out[t] = v;
}
