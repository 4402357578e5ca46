// A loop puts pointers into a variable of the thread's own, and others follow
// them: constants say how often, so each element is a pointer that is known.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified, verified, verified
// bug 1:    racy, verified, verified       one element is the neighbour's
// bug 2:    assertion, verified, verified  nobody has set one element, which moves on by one
// bug 3:    racy, verified, verified       a row is the other one's from some round on
// bug 4:    racy, verified, verified       a loop in the loop goes one too far
// bug 5:    unknown, verified, verified    an argument says how often
// bug 6:    unknown, verified, verified    the loop may be left early
// bug 7:    racy, verified, verified       nobody waits for the counters
// bug 8:    unknown, verified, verified    there are too many rounds
// bug 9:    racy, verified, verified       what is behind the loop counts on from its end
// bug 10:   verified, verified, racy       both rows are the first one

#define ITEMS 4

__global__ void count(const int *digit, int *out, int n) {
  __shared__ int counter[16][64];
  __shared__ int spare[2][128];
  int t = threadIdx.x;
  int *own[ITEMS + 1];
  int before[ITEMS];
  for (int i = 0; i < 16; i++)
    counter[i][t] = 0;
#if BUG == 5
  for (int i = 0; i < n; i++)
#elif BUG == 8
  for (int k = 0, i = 0; k < 100; k++, i = k % ITEMS)
#else
  for (int i = 0; i < ITEMS; i++)
#endif
  {
    int who = t;
#if BUG == 1
    if (i == 2)
      who = t ^ 1;
#endif
    own[i] = &counter[digit[ITEMS * t + i] & 15][who];
#if BUG == 6
    if (digit[ITEMS * t + i] > n)
      break;
#endif
    before[i] = *own[i];     // expect 1: race on 'counter'
    *own[i] = before[i] + 1; // expect 1: race on 'counter'
  }
#if BUG != 7
  __syncthreads();
#endif
  for (int i = 0; i < ITEMS; i++)
    out[ITEMS * t + i] = before[i] + *own[i]; // expect 5,6,8: a pointer
#if BUG == 7
  counter[0][t ^ 1] = 0; // expect 7: race on 'counter'
#endif

  // Two rows, taken in turn; the last pointer says where the next one begins.
  int *row[2][ITEMS];
  for (int r = 0; r < 2; r++)
    for (int i = 0; i < ITEMS / 2; i++)
      row[r][i] = &spare[r][(ITEMS / 2) * t + i];
  int k;
  for (k = 0; k < ITEMS / 2; k++) {
#if BUG == 2
    row[0][k] = row[0][k + 1];
#elif BUG == 3
    if (k == 1)
      row[1][k] = row[0][1] + 1;
#endif
    *row[0][k] = t; // expect 2: null pointer
    *row[1][k] = t; // expect 3: race on 'spare'
  }
#if BUG == 4
  for (int r = 0; r < 2; r++)
    for (int i = 0; i <= ITEMS / 2; i++)
      row[r][0][i] = t; // expect 4: race on 'spare'
#elif BUG == 9
  spare[0][(ITEMS / 2) * t + k] = t; // expect 9: race on 'spare'
#else
  spare[0][(ITEMS / 2) * t + k - 1] = t;
#endif
}

// What is said of a loop is about the loop.
__global__ void said(int *out) {
  int t = threadIdx.x;
  int *own[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    __invariant(i <= ITEMS);
    own[i] = &out[ITEMS * t + i];
    *own[i] = i;
  }
}

struct Row {
  int length;
  int *at;
};

// Structs that are copied have pointers in them.
__global__ void copied(int *first, int *second) {
  Row given[2] = {{64, first}, {64, second}};
  Row own[2];
  for (int i = 0; i < 2; i++)
    own[i] = given[BUG == 10 ? 0 : i];
  for (int i = 0; i < 2; i++)
    own[i].at[threadIdx.x + i] = i; // expect 10: race on 'first'
}
