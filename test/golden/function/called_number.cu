// A number is no function, nor is a place inside of one.
//
// args:     --blockDim=32 --gridDim=1
// verdict:  verified
// bug 1:    assertion    a number is called
// bug 2:    assertion    a place behind the beginning
// bug 3:    assertion    the same, of an argument

typedef void Step(int *);

__device__ void one(int *a) { a[threadIdx.x] = 1; }
__device__ void two(int *a) { a[threadIdx.x] = 2; }

__global__ void k(int *a, Step *given, int n) {
  __requires(given == one | given == two);
  Step *step = n == 5 ? one : given;
  if (BUG == 1)
    step = (Step *)5;
  if (BUG == 2)
    step = (Step *)((char *)one + 16);
  if (BUG == 3 && n == 4)
    step = (Step *)((char *)given + 16);
  step(a); // expect 1,2,3: called
}
