// What is read in a table of constants, with an index that differs from round to
// round: in a variable of the thread, also through a pointer, in structs, and
// in constant memory.
//
// args: --blockDim=64 --gridDim=1
// verdict: verified, verified, verified, verified
// bug 1: racy, verified, verified, verified  two entries are closer than that
// bug 2: racy, verified, verified, verified  one more entry is read than it has
// bug 3: racy, verified, verified, verified  an entry is changed
// bug 4: verified, racy, verified, verified  the entries are of another width
// bug 5: verified, verified, racy, verified  another member
// bug 6: verified, verified, verified, racy  the host may write there
// bug 7: verified, verified, verified, racy  one more entry is read there

#if BUG == 1
#define THIRD 127
#else
#define THIRD 128
#endif

__global__ void local(int *out, int n) {
  int base[4] = {0, 64, THIRD, 192};
#if BUG == 3
  base[n & 3] = 65;
#endif
  for (int i = 0; i < 4 + (BUG == 2); i++)
    out[base[i] + threadIdx.x] = i; // expect 1,2,3: write-write race on 'out'
}

__device__ int entry(const int *table, int i) {
#if BUG == 4
  return ((const short *)table)[i];
#else
  return table[i];
#endif
}

__global__ void by_pointer(int *out) {
  const int base[] = {64, 0, 192, 128};
  for (int i = 0; i < 4; i++)
    out[entry(base, i) + threadIdx.x] = i; // expect 4: write-write race on 'out'
}

struct Part {
  int base, size;
};

__global__ void of_structs(int *out) {
  const struct Part parts[3] = {{0, 32}, {64, 16}, {128, 48}};
  for (int i = 0; i < 3; i++)
#if BUG == 5
    out[parts[i].size + threadIdx.x] = i; // expect 5: write-write race on 'out'
#else
    if (threadIdx.x < parts[i].size)
      out[parts[i].base + threadIdx.x] = i;
#endif
}

#if BUG == 6
__constant__ int given[3] = {0, 64, 128};
#else
__constant__ const int given[3] = {0, 64, 128};
#endif

__global__ void in_constant_memory(int *out) {
  for (int i = 0; i < 3 + (BUG == 7); i++)
    out[given[i] + threadIdx.x] = i; // expect 6,7: write-write race on 'out'
}
