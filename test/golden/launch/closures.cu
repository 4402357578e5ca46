// Launches and calls in a closure whose lambda is in a type.
//
// args:     --clang-arg=-std=c++20
// verdict:  verified
// bug 1:    racy      a launch in the instance of an alias template
// bug 2:    racy      .. a call
// bug 3:    racy      .. that is a member of a class template
// bug 4:    racy      .. that is another one's argument
// bug 5:    racy      .. in a lambda that is generic
// bug 6:    racy      .. in one within another
// bug 7:    verified  it launches what the others do

__global__ void fill(int *out, int n) {
  out[threadIdx.x % n] = threadIdx.x; // expect 1,2,3,4,5,6: race on 'out'
}

static void run(int *out, int threads) { fill<<<1, threads>>>(out, 64); }

template <class F> void call(int *out) { F{}(out); }

template <int threads>
using Launch = decltype([](int *out) { fill<<<1, threads>>>(out, 64); });
template <int threads>
using Call = decltype([](int *out) { run(out, threads); });
template <int threads> struct Class {
  template <class T>
  using Member = decltype([](T *out) { fill<<<1, threads>>>(out, 64); });
};
template <int threads>
using Generic = decltype([](auto *out) { fill<<<1, threads>>>(out, 64); });
template <int threads> using Nested = decltype([](int *out) {
  [&] { fill<<<1, threads>>>(out, 64); }();
});

void launch(int *out) {
  run(out, 64);
#if BUG == 1
  Launch<128>{}(out);
#elif BUG == 2
  Call<128>{}(out);
#elif BUG == 3
  Class<128>::Member<int>{}(out);
#elif BUG == 4
  call<Launch<128>>(out);
#elif BUG == 5
  Generic<128>{}(out);
#elif BUG == 6
  Nested<128>{}(out);
#elif BUG == 7
  Launch<64>{}(out);
#endif
}
