// A library of the system's launches its kernels through one class, whose
// objects hold the sizes.  They are read if nobody else has a pointer of the
// kernel's type; else the kernel is launched with anything.
//
// args:     --ladder=all --clang-arg=-std=c++20
// verdict:  verified, verified
// assumes:  launch-limits
// bug 1:    racy     the grid is twice as large
// bug 2:    racy     .. by another policy
// bug 3:    racy     the user has the kernel's address
// bug 4:    racy     .. gets it from the library, and launches it
// bug 5:    racy     the library casts it, and gives it away
// bug 6:    racy     .. launches it itself
// bug 7:    racy     the object was made elsewhere
// bug 8:    racy     what makes the object changes the sizes
// bug 9:    racy     the library hands the pointer to the user's code
// bug 10:   racy     .. to a function behind a pointer
// bug 11:   racy     .. to the runtime
// bug 12:   racy, verified  a pointer to another kernel has this type
// bug 13:   racy     a class of the user's has the same name
// bug 14:   racy     code that is no template's launches it
// bug 15:   racy     what makes the object is the user's
// bug 16:   racy     .. and he has a struct with the pointer
// bug 17:   racy     .. or a pointer to it
// bug 18:   racy     the library makes an object of the user's of it
// bug 19:   racy     the user has the address in a lambda in a type
// bug 20:   racy     the library launches it itself, by its name
# 29 "test/golden/launch/library_launches.cu"
#if BUG == 18
struct Other {
  Other(void (*kernel)(int *, int)); // another file may launch it
};
#endif
# 35 "test/golden/launch/library_launches.cu" 3
#if BUG != 13
namespace cuda_cub {
#else
# 39 "test/golden/launch/library_launches.cu"
namespace cuda_cub {
#endif
struct triple_chevron {
  dim3 const grid;
  dim3 const block;
  size_t const shared;
  triple_chevron(dim3 grid_, dim3 block_, size_t shared_ = 0)
      : grid(BUG == 13 ? 2 : grid_.x), block(block_), shared(shared_) {}
  template <class K, class... A> void doit_host(K k, const A &...a) const {
    k<<<grid, block, shared>>>(a...);
  }
  template <class K, class... A> void doit(K k, const A &...a) const {
    doit_host(k, a...);
  }
};
# 55 "test/golden/launch/library_launches.cu" 3
} // namespace cuda_cub

namespace cub {
using cuda_cub::triple_chevron;

struct Factory {
  triple_chevron operator()(dim3 grid, dim3 block, size_t shared) const {
#if BUG == 8
    return triple_chevron(dim3(2 * grid.x), block, shared);
#else
    return triple_chevron(grid, block, shared);
#endif
  }
};

template <class P> struct Wrapper : P {
  Wrapper(P policy) : P(policy) {}
  static constexpr int threads() { return P::THREADS; }
  static constexpr Wrapper<typename P::Single> single() {
    return Wrapper<typename P::Single>{{}};
  }
};

template <class T> struct Holder {
  T kernel;
};

// Two blocks write the same, as do threads of more than one dimension.
template <class T> __global__ void fill(T *out, T value) {
  out[threadIdx.x] = value + threadIdx.x + blockIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20: race on 'out'
}

template <class T> __global__ void refill(T *out, T value) {
  out[blockIdx.x * 64 + threadIdx.x % 64] = value + threadIdx.x;
}

void keep(const void *kernel);
#if BUG == 9
# 94 "test/golden/launch/library_launches.cu"
void take(void (*kernel)(int *, int));
# 96 "test/golden/launch/library_launches.cu" 3
#elif BUG == 10
extern void (*taker)(void (*)(int *, int));
#endif

template <class T, class F> struct Dispatch {
  T *out;
  F factory;

  auto kernel() const { return fill<T>; }
  Holder<void (*)(T *, T)> held() const { return {fill<T>}; }
  void (**place() const)(T *, T);

  template <class K, class P> void single(K k, P policy) {
    (void)k; // nobody gets it by that
#if BUG == 7
    triple_chevron launcher = factory(1, policy.single().threads(), 0);
    launcher.doit(k, out, 1);
#elif BUG == 1
    factory(2, policy.single().threads(), 0).doit(k, out, 1);
#else
    factory(1, policy.single().threads(), 0).doit(k, out, 1);
#endif
#if BUG == 5
    keep((const void *)k);
#elif BUG == 6
    k<<<2, 64>>>(out, 1);
#elif BUG == 9
    take(k);
#elif BUG == 10
    taker(k);
#elif BUG == 11
    void *arguments[] = {&out, out};
    cudaLaunchKernel((const void *)k, dim3(2), dim3(64), arguments, 0, 0);
#elif BUG == 12
    auto other = refill<T>;
    triple_chevron(2, 64, 0).doit(other, out, 1);
#elif BUG == 18
    Other other(k);
#elif !BUG
    triple_chevron(2, 64, 0).doit(refill<T>, out, 1);
#endif
  }

  void run() {
    struct Single {
      enum { THREADS = 64 };
    };
    struct Policy {
      using Single = Single;
      enum { THREADS = 64 };
    };
    single(kernel(), Wrapper<Policy>(Policy()));
#if BUG == 2
    factory(blocks(), 64, 0).doit(kernel(), out, 1);
#endif
  }

#if BUG == 2
  int blocks() const { return 2; }
#endif
};

#if BUG == 14
inline void beside(int *out) {
  triple_chevron(2, 64, 0).doit(fill<int>, out, 1);
}
#elif BUG == 20
inline void beside(int *out) { fill<int><<<2, 64>>>(out, 1); }
#endif

template <class F = Factory, class T> void run(T *out) {
  Dispatch<T, F>{out}.run();
}
} // namespace cub
# 170 "test/golden/launch/library_launches.cu"
#if BUG == 15
struct Mine {
  virtual cub::triple_chevron operator()(dim3 grid, dim3 block,
                                         size_t shared) const {
    return cub::triple_chevron(grid, block, shared);
  }
};
#endif

#if BUG == 19
template <class L = decltype([](int *out) {
            cub::keep((const void *)cub::fill<int>);
          })>
void through(int *out) {
  L()(out);
}
#endif

static_assert(sizeof(int) == 4, "a text that has no type");

void launch(int *out) {
#if BUG == 15
  cub::run<Mine>(out);
#else
  cub::run(out);
#endif
#if BUG == 3
  cub::keep((const void *)cub::fill<int>);
#elif BUG == 4
  cub::Dispatch<int, cub::Factory>{out}.kernel()<<<2, 64>>>(out, 1);
#elif BUG == 14 || BUG == 20
  cub::beside(out);
#elif BUG == 16
  auto held = cub::Dispatch<int, cub::Factory>{out}.held();
  void *bytes;
  memcpy(&bytes, &held, sizeof bytes);
  cub::keep(bytes);
#elif BUG == 17
  auto place = cub::Dispatch<int, cub::Factory>{out}.place();
  cub::keep(place);
#elif BUG == 19
  through(out);
#endif
}
