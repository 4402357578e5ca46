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

#if BUG == 2 || BUG == 8
#include <bit>
#include <memory>
#endif

__global__ void fill(int *out, int stride) {
  out[threadIdx.x * stride] = threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10: race on 'out'
}

#if BUG == 4
template <class F> union Both {
  F run;
  int number;
  Both(F run_) : run(run_) {}
};
#elif BUG == 6
template <class F> struct Derived : F {
  Derived(F run) : F(run) {}
  void clear() { *(int *)this = 0; }
};
#endif

void launch(int *out) {
  int stride = 1;
  auto run = [stride](int *to) { fill<<<1, 64>>>(to, stride); };
#if BUG == 1
  __builtin_memset(&run, 0, sizeof run);
#elif BUG == 2
  *(int *)std::addressof(run) = 0;
#elif BUG == 3
  reinterpret_cast<int &>(run) = 0;
#elif BUG == 4
  Both both(run);
  both.number = 0;
  both.run(out);
#elif BUG == 5
  decltype(run) all[] = {run};
  __builtin_memset(all, 0, sizeof all);
  all[0](out);
#elif BUG == 6
  Derived derived(run);
  derived.clear();
  derived(out);
#elif BUG == 7
  auto *other = new auto(run);
  __builtin_memset(other, 0, sizeof *other);
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
#endif
  run(out);
}
