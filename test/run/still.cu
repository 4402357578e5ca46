// Shared memory that is only read between two barriers, beside mistakes where
// it is not.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 407 415 423
// bug 1:    racy           one thread writes meanwhile
// bug 2:    racy           one thread writes behind a branch that all take
// bug 3:    racy           one thread writes before a branch that all take
// bug 4:    racy           a function that is called writes
// bug 5:    racy           what writes has its pointer from memory
// bug 6:    out-of-bounds  behind the end of the array
// bug 7:    out-of-bounds  behind the end of an array that the launch sizes
// bug 8:    racy           an atomic changes what others read
// bug 9:    divergent      threads that do not leave write meanwhile

enum { SIZE = 64 };

struct alignas(16) Four {
  int x, y, z, w;
};

extern __shared__ int given[];

__device__ __attribute__((noinline)) void put(int *at) {
  *at = 7; // says 4: race
}

__device__ int sum_of(const int *cells, const Four *fours, int from) {
  int sum = 0;
  for (int k = 0; k < 4; k++)
    sum += cells[(from + k) % SIZE]; // says 3,5: race
  const Four &four = fours[from / 4];
  return sum + four.x + four.y + four.z + four.w;
}

__global__ void still(int *out, int **places, int n) {
  __shared__ Four fours[SIZE / 4];
  __shared__ int cells[SIZE];
  __shared__ char letters[SIZE];
  int t = (int)threadIdx.x, sum = 0;
  cells[t] = t;
  given[t] = t;
  letters[t] = (char)t;
  ((int *)fours)[t] = t;
  if (t == 0)
    places[0] = &cells[3];
  __syncthreads();
#if BUG == 3
  if (t == 5)
    cells[1] = 7;
#endif
  if (n == SIZE) {
    sum = sum_of(cells, fours, 0) + sum_of(cells, fours, 40);
#if BUG == 6
    sum += cells[n + (t == 9)]; // says 6: the array has 256 bytes
#endif
    sum += given[n - 1];
    for (int k = 0; k < 4; k++)
      sum += given[(t + k) % n] - letters[(t + k) % n];
#if BUG == 7
    sum += given[n + t]; // says 7: the array has 256 bytes
#endif
#if BUG == 1
    if (t == 5)
      cells[1] = 7; // says 1: race
#elif BUG == 4
    if (t == 5)
      put(&cells[1]);
#elif BUG == 5
    if (t == 0)
      *places[0] = 7;
#elif BUG == 8
    if (t == 5)
      atomicAdd(&cells[2], 1); // says 8: race
#elif BUG == 9
    if (t < 32)
      return;
    cells[t - 32] = 1; // says 9: race
#endif
    __syncthreads();
  }
#if BUG == 2
  sum += sum_of(cells, fours, 0);
  if (n == SIZE) {
    if (t == 5)
      cells[1] = 7; // says 2: race
    __syncthreads();
  }
#endif
  out[t] = sum + 8 * t;
}
