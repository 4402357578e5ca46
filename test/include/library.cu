// The C++ library after gpuverify.h: no word of ours may be one of its own.

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cmath>
#include <complex>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <locale>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

__global__ void cube(float *p) {
  assert(p != nullptr);
  p[threadIdx.x] = std::pow(std::fabs(p[0]), 3.0f) + std::min(p[0], p[1]);
}

int main() {
  cube<<<1, 64>>>(nullptr);
  std::cout << std::setw(3) << max(1, 2) << std::endl;
  return write(1, "", 0) + read(0, nullptr, 0) != 0;
}
