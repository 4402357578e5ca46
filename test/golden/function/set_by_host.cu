// Functions in variables of the device: what the host's code does with the
// variable, besides looking, may set it.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified, verified, verified
// assumes:  no-alias, launch-limits
// bug 1:    racy, verified, verified  the host copies to the table
// bug 2:    racy, verified, verified  the host asks where the table is
// bug 3:    verified, racy, verified  the host assigns to it
// bug 4:    verified, verified, racy  a template of the host's copies to it
// bug 5:    verified, racy, verified  a lambda of the host's does

typedef int (*Function)(int);

__device__ int same(int i) { return i; }
__device__ int half_of(int i) { return i / 2; }

__device__ Function table[2] = {same, same};
__managed__ Function chosen = same;
__device__ Function other = same;

__global__ void from_table(int *out, int how) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[table[how & 1] == half_of ? i / 2 : i] = i; // expect 1,2: write-write race on 'out'
}

__global__ void from_chosen(int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  auto there = [=] { return chosen == half_of ? i / 2 : i; };
  out[there()] = i; // expect 3,5: write-write race on 'out'
}

__global__ void from_other(int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[other == half_of ? i / 2 : i] = i; // expect 4: write-write race on 'out'
}

template <typename T> void set(const T &value) {
#if BUG == 4
  cudaMemcpyToSymbol(other, &value, sizeof value);
#else
  cudaMemcpyFromSymbol((void *)&value, other, sizeof value);
#endif
}

void host(Function function) {
  Function now[2];
  cudaMemcpyFromSymbol(now, table, sizeof table);
  cudaMemcpyFromSymbolAsync(now, &table, sizeof(table[0]), 0,
                            cudaMemcpyDeviceToHost);
#if BUG == 1
  cudaMemcpyToSymbol(table, &function, sizeof function);
#elif BUG == 2
  void *where;
  cudaGetSymbolAddress(&where, table);
#elif BUG == 3
  chosen = function;
#elif BUG == 5
  auto set_chosen = [&] { cudaMemcpyToSymbol(chosen, now, sizeof chosen); };
  set_chosen();
#endif
  set(function);
}
