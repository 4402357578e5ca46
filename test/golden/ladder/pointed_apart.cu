// An array of pointers that nobody writes: what they point to is memory of its
// own, and a pointer that is found at one place is one.
//
// args:     --ladder=pointed-apart
// verdict:  verified, verified, verified, verified, verified
// assumes:  pointed-apart, thread-count, unused-dimensions, launch-limits, no-alias
// bug 1:    racy, verified, verified, verified, verified    all blocks take one row
// bug 2:    racy, verified, verified, verified, verified    it reaches into the next element
// bug 3:    racy, verified, verified, verified, verified    two blocks meet in some rows
// bug 4:    unknown, verified, verified, verified, verified  the kernel writes the array
// bug 5:    unknown, verified, verified, verified, verified  what is behind are pointers
// bug 6:    unknown, verified, verified, verified, verified  the host may change the array
// bug 7:    racy, verified, verified, verified, verified    one of two rows, of which one is all's
// bug 8:    verified, racy, verified, verified, verified    from some round on the row is another one
// bug 9:    verified, racy, verified, verified, verified    ... by way of an argument
// bug 10:   verified, verified, divergent, verified, verified  each thread asks for its own
// bug 11:   verified, verified, racy, verified, verified    one may end where another one begins
// bug 12:   verified, verified, racy, verified, verified    its number is data
// bug 13:   verified, verified, racy, verified, verified    where it points to is another value
// bug 14:   verified, verified, verified, racy, verified    two members lie at one place
// bug 15:   verified, verified, verified, verified, racy    nobody else has read what is written
// bug 16:   verified, verified, racy, verified, verified    a null pointer may be the other's, too

struct Job {
  int count;
  float *to;
  const float *from;
};

__global__ void rows(float **row, float ***more) {
  float *own = row[blockIdx.x];
#if BUG == 1
  own = row[gridDim.x];
#elif BUG == 3
  own = row[blockIdx.x / 2];
#elif BUG == 4
  row[blockIdx.x + gridDim.x] = own;
#elif BUG == 5
  own = more[blockIdx.x][0];
#elif BUG == 6
  own = *(float *volatile *)&row[blockIdx.x];
#elif BUG == 7
  if (blockIdx.x == 7)
    own = row[0];
#endif
#if BUG >= 4 && BUG <= 6
  own[threadIdx.x] = blockIdx.x; // expect 4,5,6: a pointer
#else
  own[threadIdx.x] = blockIdx.x; // expect 1,2,3,7: race on 'row[..]'
#endif
#if BUG == 2
  own[threadIdx.x + 1] = 0; // expect 2: race on 'row[..]'
#endif
}

__global__ void walk(float **row, float *other, unsigned long n) {
  float *to = row[blockIdx.x] + threadIdx.x;
  for (unsigned long i = threadIdx.x; i < n; i += blockDim.x, to += blockDim.x) {
    *to = i;
  }
#if BUG == 8
  to = row[blockIdx.x];
  for (unsigned long i = threadIdx.x; i < n; i += blockDim.x) {
    to[i] = threadIdx.x; // expect 8: race on 'row[..]'
    if (i == 5)
      to = row[1];
  }
#endif
#if BUG == 9
  to = row[blockIdx.x] + threadIdx.x;
  for (int k = 0; k < 2; k++, to = other)
    *to = threadIdx.x; // expect 9: race on 'other'
#endif
}

__global__ void ask(float **row, float **slot, float *cell) {
#if BUG == 10
  if (!row[threadIdx.x])
#else
  if (!row[blockIdx.x])
#endif
    return;
  __syncthreads(); // expect 10: barrier
#if BUG == 11
  if (row[2 * threadIdx.x] + 1 == row[2 * threadIdx.x + 1])
    cell[0] = threadIdx.x; // expect 11: race on 'cell'
#elif BUG == 12
  cell[(unsigned long)row[threadIdx.x] & 0xffff] = threadIdx.x; // expect 12: race on 'cell'
#elif BUG == 13
  slot[0] = row[threadIdx.x]; // expect 13: race on 'slot'
#elif BUG == 16
  if (!row[threadIdx.x])
    cell[0] = threadIdx.x; // expect 16: race on 'cell'
#endif
}

__global__ void jobs(const Job *job) {
  float *to = job[blockIdx.x].to;
  const float *from = job[blockIdx.x].from;
#if BUG == 14
  to[threadIdx.x] = job[blockIdx.x].to[threadIdx.x + 1]; // expect 14: race on 'job[..]'
#else
  to[threadIdx.x] = from[threadIdx.x + 1];
#endif
}

// What lies there is the same for all who look, and nobody writes.
__global__ void look(int **row, int **index, int *out) {
  int at = index[blockIdx.x][0];
#if BUG == 15
  index[blockIdx.x][0] = at + threadIdx.x; // expect 15: race on 'index[..]'
#endif
  if (threadIdx.x == 0)
    row[blockIdx.x][at] = row[blockIdx.x][at + 1];
}
