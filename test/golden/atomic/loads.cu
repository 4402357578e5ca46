// An atomic load writes nothing, so plain reads beside it are no race.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    racy       a plain write beside it
// bug 2:    racy       an atomic that does write

__global__ void look(int *word, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2)
    out[i] = __atomic_load_n(word, __ATOMIC_RELAXED); // allow 1: race on 'word'
#if BUG == 1
  else
    word[0] = i; // expect 1: race on 'word'
#elif BUG == 2
  else
    atomicAdd(word, 1); // expect 2: race on 'word'
#endif
  if (i % 4 == 0)
    out[i] = word[0]; // allow 1,2: race on 'word'
}
