// A structure lies at a multiple of what its type says, whenever it is accessed
// and not only for the first time.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 0 0 0 0
// bug 1:    misaligned  lanes beside each other read, in the second round
// bug 2:    misaligned  they write
// bug 3:    misaligned  in shared memory
// bug 4:    misaligned  in shared memory that nobody writes at the time

struct __attribute__((aligned(16))) Four {
  int x, y, z, w;
};

__global__ void aligned(int *data, int *out) {
  __shared__ Four tile[4];
  int i = threadIdx.x, sum = 0;
  int *words = &tile[0].x;
  tile[i].x = 0;
  __syncthreads();
  for (int round = 0; round < 2; round++) {
#if BUG == 1
    sum += ((Four *)(data + round * i))->x; // says 1: no multiple of 16
#elif BUG == 2
    ((Four *)(data + (round ? i : 4 * i)))->x = 0; // says 2: no multiple of 16
#elif BUG == 3
    ((Four *)(words + (round ? i : 4 * i)))->x = 0; // says 3: no multiple of 16
#elif BUG == 4
    sum += ((Four *)(words + round * i))->x; // says 4: no multiple of 16
#endif
    sum += ((Four *)(data + 4 * round))->x;
  }
  __syncthreads();
  out[i] = sum + ((Four *)(words + 4 * i))->x;
}
