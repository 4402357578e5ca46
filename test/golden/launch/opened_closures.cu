// What a lambda has captured, and who may change the lambda's copy.
//
// args:     --clang-arg=-std=c++20
// verdict:  verified
// bug 1:    racy      by its address
// bug 2:    racy      .. that a function of the library gives
// bug 3:    racy      as a number
// bug 4:    racy      in a union
// bug 5:    racy      in an array
// bug 6:    racy      in what is derived from it
// bug 7:    racy      where it was allocated
// bug 8:    racy      what numbers become
// bug 9:    racy      the copy that another lambda has
// bug 10:   racy      in assembly
// bug 11:   racy      in an object of the library's
// bug 12:   racy      .. that does not name it
// bug 13:   racy      .. in one that does not name that either
// bug 14:   verified  nobody asks for its bytes

#if BUG == 8
#include <bit>
#elif BUG
#include <any>
#include <array>
#include <functional>
#include <memory>
#include <span>

static void clear(std::span<std::byte> bytes) { bytes[0] = {}; }
#endif

__global__ void fill(int *out, int stride) {
  out[threadIdx.x * stride] = threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13: race on 'out'
}

void launch(int *out) {
  int stride = 1;
  auto run = [stride](int *to) { fill<<<1, 64>>>(to, stride); };
#if BUG == 1
  __builtin_memset(&run, 0, sizeof run);
#elif BUG == 2
  clear(std::as_writable_bytes(std::span(std::addressof(run), 1)));
#elif BUG == 3
  reinterpret_cast<int &>(run) = 0;
#elif BUG == 4
  using Run = decltype(run);
  union Both {
    Run run;
    int number;
  } both = {run};
  both.number = 0;
  both.run(out);
#elif BUG == 5
  decltype(run) all[] = {run};
  clear(std::as_writable_bytes(std::span(all)));
  all[0](out);
#elif BUG == 6
  using Run = decltype(run);
  struct Derived : Run {
    void clear() { *(int *)this = 0; }
  } derived = {run};
  derived.clear();
  derived(out);
#elif BUG == 7
  auto *other = new auto(run);
  clear(std::as_writable_bytes(std::span(other, 1)));
  (*other)(out);
#elif BUG == 8
  auto other = std::bit_cast<decltype(run)>(0);
  other(out);
#elif BUG == 9
  auto around = [=](int *to) { run(to); };
  (int &)around = 0;
  around(out);
#elif BUG == 10
  asm("movl $0, %0" : "+m"(run));
#elif BUG == 11
  std::array<decltype(run), 1> all{run};
  (int &)all = 0;
  all[0](out);
#elif BUG == 12
  std::function<void(int *)> kept = run;
  *(int *)&kept = 0;
  kept(out);
#elif BUG == 13
  std::function<void(int *)> kept = run;
  std::any all = std::move(kept);
  (char &)all = 0;
  kept(out);
#elif BUG == 14
  std::function<void(int *)> kept = run;
  kept(out);
#endif
  run(out);
}
