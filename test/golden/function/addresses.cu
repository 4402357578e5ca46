// Where functions are, and whether those of this file are the ones that run.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified, verified, verified, verified
// bug 1:    racy, verified, verified, verified     some bytes behind one function
//           is where the other one may begin
// bug 2:    verified, racy, verified, verified     a function that need not be
//           there has no address if it is not
// bug 3:    verified, verified, unknown, verified  another file may have a
//           definition that takes the place of this one
// bug 4:    verified, verified, verified, unknown  ... also of a table
// bug 5:    verified, verified, unknown, verified  ... also of another name

typedef int (*Function)(int);

__device__ int same(int i) { return i; }
__device__ int next(int i) { return i + 1; }

__global__ void apart(int *out, long n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  char *one = (char *)same, *other = (char *)next;
  if (one + (BUG == 1 ? n : 0) == other)
    out[0] = i; // expect 1: race on 'out'
  else
    out[i] = i; // allow 1: race on 'out'
}

extern __device__ __attribute__((weak)) void hook(int);
__device__ void no_hook(int) {}

__global__ void there(int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  void (*function)(int) = BUG == 2 ? hook : no_hook;
  out[function ? i : 0] = i; // expect 2: write-write race on 'out'
}

#if BUG == 3
__attribute__((weak))
#endif
__device__ int place(int i) {
  return i;
}

extern "C" __device__ int place_of_thread(int i) { return i; }
#if BUG == 5
extern "C" __device__ int other_place(int)
    __attribute__((weak, alias("place_of_thread")));
#else
extern "C" __device__ int other_place(int)
    __attribute__((alias("place_of_thread")));
#endif

__global__ void called(int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[place(i)] = i; // expect 3: which another file may replace
  out[128 + other_place(i)] = i; // expect 5: which function is called is not known
}

#if BUG == 4
__attribute__((weak))
#endif
__device__ Function table[2] = {same, next};

__global__ void from_table(int *out, int how) {
  int i = blockIdx.x * 64 + threadIdx.x;
  out[table[how & 1](i)] = i; // expect 4: which function is called is not known
}
