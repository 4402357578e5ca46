// An element's number is taken apart by numbers, and put together with others:
// records of 3 * 4 * 5 parts that have room for 64, and a table of two parts of
// which each begins a line.
//
// args:
// verdict:  verified, verified
// bug 1:    racy, verified   a record has less room than parts
// bug 2:    racy, verified   rows of 5 begin at every fourth part
// bug 3:    verified, racy   a line is shorter than a part

__global__ void fill(int *records, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int record = i / 60;
  if (record >= count)
    return;
  int plane = i % 60 / 20, row = i % 20 / 5, column = i % 5;
#if BUG == 1
  records[record * 50 + plane * 20 + row * 5 + column] = i; // expect 1: race on 'records'
#elif BUG == 2
  records[record * 64 + plane * 20 + row * 4 + column] = i; // expect 2: race on 'records'
#else
  records[record * 64 + plane * 20 + row * 5 + column] = i;
#endif
}

__global__ void lines(long long *table, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    table[i / 24 * 100LL + i % 24 / 12 * (BUG == 3 ? 6 : 50) + i % 12] = i; // expect 3: race on 'table'
}
