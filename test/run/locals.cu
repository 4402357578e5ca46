// What is in local memory is the thread's own, and another thread that has its
// address finds nothing that is defined there.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 1 2 3 4
// bug 1:    out-of-bounds  it is read behind a barrier
// bug 2:    out-of-bounds  it is written, by a thread that comes later
// bug 3:    out-of-bounds  the address came in a structure
// bug 4:    out-of-bounds  the address came through a function

struct View {
  int *at;
  int count;
};

__device__ __noinline__ void show(int **slot, int *at) { *slot = at; }

__global__ void locals(int *out, View *views) {
  __shared__ int *shared;
  int own[4];
  int i = threadIdx.x;
  for (int k = 0; k < 4; k++)
    own[k] = i + k;
#if BUG == 0
  shared = out; // the address of what is everybody's
  View view = {own, 4};
  out[i] = view.at[i % view.count] + 1 - i % 4;
#elif BUG == 1
  if (i == 0)
    shared = own;
  __syncthreads();
  out[i] = shared[i]; // says 1: the local memory of another thread
#elif BUG == 2
  if (i == 0)
    shared = &own[2];
  else if (i == 2)
    *shared = 1; // says 2: the local memory of another thread
  out[i] = own[2];
#elif BUG == 3
  View view = {own, 4};
  if (i == 0)
    views[0] = view;
  __syncthreads();
  out[i] = views[0].at[i]; // says 3: the local memory of another thread
#elif BUG == 4
  if (i == 0)
    show(&shared, own);
  __syncthreads();
  out[i] = shared[i]; // says 4: the local memory of another thread
#endif
}
