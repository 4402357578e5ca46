// One step of a bitonic network, in blocks of any size.
//
// verdict:  verified
// bug 1:    racy     both partners exchange
// bug 2:    racy     partners are a number of elements apart, not a bit
// bug 3:    racy     two threads have one partner

__global__ void step(int *data, unsigned distance, unsigned length) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 3
  data[i / 2 ^ distance] = i; // expect 3: write-write race on 'data'
  return;
#endif
#if BUG == 2
  unsigned partner = i + distance;
#else
  unsigned partner = i ^ distance;
#endif
#if BUG == 1
  if (partner == i)
#else
  if (partner <= i)
#endif
    return;
  int mine = data[i], other = data[partner]; // expect 1,2: race on 'data'
  if ((i & length) == 0 ? mine > other : mine < other) {
    data[i] = other;      // allow 1,2: race on 'data'
    data[partner] = mine; // allow 1,2: race on 'data'
  }
}
