// A function pointer that is loaded from memory.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  unknown

typedef int (*Operation)(int);

__global__ void apply(const Operation *table, int *out) {
  Operation operation = table[threadIdx.x % 4];
  out[threadIdx.x] = operation(threadIdx.x); // expect 0: call
}
