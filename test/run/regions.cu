// Regions that are executed twice: what a thread keeps from one to the next,
// and how a race in each kind of access is seen.
//
// args:     --detect=values --prove=0
// verdict:  passed
// prints:   sums = 2016 64 1 1
// prints:   out = 0 3 6 9
// prints:   pairs = 63 0
// bug 1:    racy       no barrier before what the others wrote is read
// bug 2:    racy       two threads write a byte
// bug 3:    racy       a structure is copied while it is written
// bug 4:    racy       in a loop, from the second time round on
// bug 5:    racy       a vector is read while a part of it is written
// bug 6:    racy       what is read is thrown away
// bug 7:    racy       what was there before is written
// bug 8:    racy       in a function, which is called twice
// bug 9:    divergent  some threads leave before a barrier
// bug 10:   divergent  threads are at two barriers

struct Pair {
  int a;
  char b[8];
};

__device__ int neighbour(const int *tile, int by) {
  int t = (threadIdx.x + by) % 64;
  return tile[t]; // says 1,8: read-write race on 'tile'
}

__device__ int sum(int *tile) {
  for (int s = 32; s > 0; s /= 2) {
#if BUG == 4
    if (s == 32)
#endif
      __syncthreads();
    if (threadIdx.x < s)
      tile[threadIdx.x] += tile[threadIdx.x + s]; // says 4: read-write race on 'tile'
  }
  __syncthreads();
  return tile[0];
}

__device__ void meet() { __syncthreads(); }

__global__ void regions(int *sums, int *out, Pair *pairs, char *bytes,
                        int4 *vectors) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  int kept[4] = {t, 2 * t, 3 * t, 4 * t};
  tile[t] = t;
#if BUG != 1
  __syncthreads();
#endif
  int next = neighbour(tile, 1);
#if BUG == 8
  tile[t] = t;
#endif
  __syncthreads();
  int total = sum(tile);
  int all = __syncthreads_and(next >= 0), any = __syncthreads_or(next == 5);
  int count = __syncthreads_count(next < 64);
  out[t] = kept[next ? 2 : 2 + (next > 64)];
  bytes[t] = (char)t;
#if BUG == 2
  bytes[t / 2] = 7; // says 2: write-write race on 'bytes'
#endif
#if BUG != 3
  pairs[t].a = next;
  __syncthreads();
#else
  pairs[t].a = 1;
#endif
  Pair copy = pairs[63 - t]; // says 3: read-write race on 'pairs'
  __syncthreads();
  copy.b[t % 8] = 1;
  if (t == 63)
    copy.a = 63;
  pairs[63 - t] = copy;
  vectors[t].y = t;
#if BUG == 5
  int4 v = vectors[t ^ 1]; // says 5: read-write race on 'vectors'
  vectors[t].x = v.w;
#elif BUG == 6
  int unused = vectors[t ^ 1].y; // says 6: read-write race on 'vectors'
  if (unused == -1)
    next = 0;
#endif
#if BUG == 7
  out[t ^ 1] = 3 * (t ^ 1);
  total += out[t] - 3 * t; // says 7: read-write race on 'out'
#endif
  if (t > 50)
    meet();
  else
    meet();
#if BUG == 9
  if (t > 40)
    return;
  __syncthreads();
#elif BUG == 10
  if (t > 40)
    __syncthreads();
  else
    __syncthreads();
#endif
  if (t == 0) {
    sums[0] = total;
    sums[1] = count;
    sums[2] = all;
    sums[3] = any;
  }
}
