// A library of the system's launches its kernels through one class, whose
// objects hold the sizes.  They are read if nobody else has a pointer of the
// kernel's type; else the kernel is launched with anything.
//
// args:     --ladder=all
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
# 23 "test/golden/launch/library_launches.cu" 1 3
#if BUG != 13
struct triple_chevron {
  dim3 const grid;
  dim3 const block;
  size_t const shared;
  triple_chevron(dim3 grid_, dim3 block_, size_t shared_ = 0)
      : grid(grid_), block(block_), shared(shared_) {}
  template <class K, class... A> void doit_host(K k, const A &...a) const {
    k<<<grid, block, shared>>>(a...);
  }
  template <class K, class... A> void doit(K k, const A &...a) const {
    doit_host(k, a...);
  }
};
#else
# 39 "test/golden/launch/library_launches.cu" 2
struct triple_chevron {
  dim3 grid, block;
  triple_chevron(dim3 grid_, dim3 block_, size_t = 0)
      : grid(grid_), block(block_) { grid.x = 2; }
  template <class K, class... A> void doit(K k, const A &...a) const {
    k<<<grid, block>>>(a...);
  }
};
# 48 "test/golden/launch/library_launches.cu" 1 3
#endif

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

// Two blocks write the same, as do threads of more than one dimension.
template <class T> __global__ void fill(T *out, T value) {
  out[threadIdx.x] = value + threadIdx.x + blockIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14: race on 'out'
}

void keep(const void *kernel);
#if BUG == 10
extern void (*taker)(void (*)(int *, int));
#endif
#if BUG == 9
# 79 "test/golden/launch/library_launches.cu" 2
void take(void (*kernel)(int *, int));
# 81 "test/golden/launch/library_launches.cu" 1 3
#endif
#if BUG == 12 || !BUG
template <class T> __global__ void refill(T *out, T value) {
  out[blockIdx.x * 64 + threadIdx.x % 64] = value + threadIdx.x;
}
#endif

template <class T> struct Dispatch {
  T *out;
  Factory factory;

  auto kernel() const { return fill<T>; }

  template <class K, class P> void single(K k, P policy) {
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
#elif !BUG
    triple_chevron(2, 64, 0).doit(refill<T>, out, 1);
#endif
  }

  void run() {
    struct Single { enum { THREADS = 64 }; };
    struct Other { enum { THREADS = 64 }; };
    struct Policy { using Single = Single; enum { THREADS = 64 }; };
    single(kernel(), Wrapper<Policy>(Policy()));
#if BUG == 2
    factory(blockIdx_of(), 64, 0).doit(kernel(), out, 1);
#endif
  }

#if BUG == 2
  int blockIdx_of() const { return 2; }
#endif
};

#if BUG == 14
inline void beside(int *out) {
  triple_chevron(2, 64, 0).doit(fill<int>, out, 1);
}
#endif

template <class T> void run(T *out) { Dispatch<T>{out}.run(); }
# 145 "test/golden/launch/library_launches.cu" 2
void launch(int *out) {
  run(out);
#if BUG == 3
  keep((const void *)fill<int>);
#elif BUG == 4
  Dispatch<int>{out}.kernel()<<<2, 64>>>(out, 1);
#elif BUG == 14
  beside(out);
#endif
}
