// What C++ and CUDA let kernels do without saying so: new and delete without a
// header, virtual functions, variables that host and device share, lanes that
// come together, output of every kind.
//
// args:     -w
// verdict:  passed
// prints:   before: 5 4 0
// prints:   after: 13 100 8 10
// prints:   areas: 9 48, 12 were made
// prints:   32 lanes, 11 of them, 21 others
// prints:   [     5] [1.23] [ab      ] [3.5e+00] 100%
// prints:   [     5] [1.23] [%n] [%q]
// prints:   5 arguments
// prints:   last of 2000: x

#include <math.h>
#include <stdio.h>

__device__ __managed__ int count = 5;
__managed__ float factors[4] = {1, 2, 3, 4};
static __device__ __managed__ double unset;
__device__ int made;

__global__ void change() {
  atomicAdd(&count, 2);
  factors[threadIdx.x] *= 2;
  if (threadIdx.x == 1)
    unset = isnan(nan("")) ? 10 : 0;
}

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() { atomicSub(&made, 1); }
};
struct Square : Shape {
  float side;
  __device__ Square(float side) : side(side) { atomicAdd(&made, 1); }
  __device__ float area() const override { return side * side; }
};
struct Disc : Shape {
  float radius;
  __device__ Disc(float radius) : radius(radius) { atomicAdd(&made, 2); }
  __device__ float area() const override { return 3 * radius * radius; }
};

__global__ void make(Shape **shapes) {
  if (threadIdx.x % 2)
    shapes[threadIdx.x] = new Square(threadIdx.x);
  else
    shapes[threadIdx.x] = new Disc(threadIdx.x);
}
__global__ void measure(Shape **shapes, float *areas) {
  areas[threadIdx.x] = shapes[threadIdx.x]->area();
  int *some = new int[5];
  some[4] = 1;
  delete[] some;
}
__global__ void destroy(Shape **shapes) { delete shapes[threadIdx.x]; }

__global__ void lanes(int *active) {
  unsigned all = __activemask(), some;
  if (threadIdx.x % 3 == 0) {
    some = __activemask();
    if (threadIdx.x == 0)
      active[1] = __popc(some);
  } else {
    some = __activemask();
    if (threadIdx.x == 1)
      active[2] = __popc(some);
  }
  if (threadIdx.x == 0)
    active[0] = __popc(all);
}

__global__ void say(const char *line) {
  int arguments = printf("[%6d] [%.2f] [%-8s] [%.1e] %d%%\n", 5, 1.23456, "ab",
                         3.5, 100);
#ifdef __clang__ // a device's own printf then prints nothing
  printf("[%*d] [%.*f] [%n] [%q]\n", 6, 5, 2, 1.23456);
#endif
  printf("%d arguments\n", arguments);
  printf("%s\n", line);
}

int main() {
  Shape **shapes;
  float *areas;
  int *active;
  char *line;
  printf("before: %d %g %g\n", count, factors[3], unset);
  factors[0] = 50;
  change<<<1, 4>>>();
  cudaDeviceSynchronize();
  printf("after: %d %g %g %g\n", count, factors[0], factors[3], unset);
  cudaMalloc(&shapes, 8 * sizeof *shapes);
  cudaMallocManaged(&areas, 8 * sizeof *areas);
  make<<<1, 8>>>(shapes);
  measure<<<1, 8>>>(shapes, areas);
  int number = 0;
  cudaMemcpyFromSymbol(&number, made, sizeof number);
  destroy<<<1, 8>>>(shapes);
  cudaDeviceSynchronize();
  printf("areas: %g %g, %d were made\n", areas[3], areas[4], number);
  cudaMallocManaged(&active, 3 * sizeof *active);
  lanes<<<1, 32>>>(active);
  cudaDeviceSynchronize();
  printf("%d lanes, %d of them, %d others\n", active[0], active[1], active[2]);
  cudaMallocManaged(&line, 2001);
  for (int i = 0; i < 2000; i++)
    line[i] = 'a' + i % 26;
  say<<<1, 1>>>(line);
  cudaDeviceSynchronize();
  printf("last of 2000: %c\n", line[1999]);
}
