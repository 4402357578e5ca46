// The other file of linked.cu; a program of its own it is not.
//
// also:     linked.cu
// args:     --detect=races
// prints:   linked: 0 wrong
// verdict:  passed

extern __device__ int count_here;
static __device__ int count;

static __device__ int next() { return ++count; }

__device__ int shared_count(int add) { return count_here += add; }
__device__ int own_count() { return next(); }
__device__ void write_cell(int *cell, int value) {
  *cell = value;
}

__global__ void use_other(int *out) {
  out[5] = own_count();
  out[6] = shared_count(5);
}

void launch_other(int *out) { use_other<<<1, 1>>>(out); }
