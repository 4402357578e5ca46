// Headers of the C++ library have a name of their own that is one of ours.
//
// args:     --clang-arg=-std=c++20
// verdict:  verified
// bug 1:    racy      ours has another side

#include <unordered_map>

struct Iterator {
  explicit Iterator(int at_) : at(at_) {}
  int at;
};

int erase(std::unordered_map<int, int> &map, int n) {
  Iterator __ite(n);
  return (int)map.erase(__ite.at);
}

__global__ void shift(int *a, int n) {
  __requires(__ite(n > 0, n, BUG ? 64 : 0) == 64);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 64)
    a[i + n] = a[i]; // expect 1: race on 'a'
}
