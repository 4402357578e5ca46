// The kernels of this folder as plain C: a loop over blocks and threads.
//
// Included before a kernel that is compiled for the host (-DPLAIN).  The time
// is the shortest of several runs, in seconds.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#define __global__ static inline __attribute__((always_inline))
#define __shared__ static

struct Three {
  unsigned x, y, z;
};
static Three threadIdx, blockIdx, blockDim, gridDim;

static std::vector<float> iota(unsigned count) {
  std::vector<float> values(count);
  for (unsigned i = 0; i < count; i++)
    values[i] = (float)i;
  return values;
}

template <typename Work> static void for_each_block(Three grid, Work work) {
  gridDim = grid;
  for (blockIdx.y = 0; blockIdx.y < grid.y; blockIdx.y++)
    for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++)
      work();
}

template <typename Work> static void for_each_thread(Three block, Work work) {
  blockDim = block;
  for (threadIdx.y = 0; threadIdx.y < block.y; threadIdx.y++)
    for (threadIdx.x = 0; threadIdx.x < block.x; threadIdx.x++)
      work();
}

// `result` is what the work computes, and is looked at.
template <typename Work>
static void measure(std::vector<float> &result, Work work) {
  double best = 1e9;
  for (int i = 0; i < 5; i++) {
    auto start = std::chrono::steady_clock::now();
    work();
    __asm__ volatile("" : : "r"(result.data()) : "memory");
    std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - start;
    best = std::fmin(best, taken.count());
  }
  std::printf("%.6f\n", best);
}
