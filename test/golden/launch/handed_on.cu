// A kernel's address is followed through what hands it on, and no further.
//
// args:    --clang-arg=-Wno-everything
// verdict: verified, verified
// bug 1:   racy, verified  a pointer to it is one of another type
// bug 2:   racy, verified  .. a parameter
// bug 3:   racy, verified  .. one of two
// bug 4:   racy, verified  .. a reference
// bug 5:   racy, verified  the function that gets it is virtual
// bug 6:   racy, verified  the object is the first argument of a call
// bug 7:   racy, verified  .. of a lambda
// bug 8:   racy, verified  one instance of a template hands it on, and another does not
// bug 9:   racy, verified  the only instance does, and nobody is its pattern
// bug 10:  racy, verified  a type that nobody writes down has it
// bug 11:  racy, verified  the host has a function of its own by that name
// bug 12:  racy, verified  .. a template

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12: write-write race on 'cell'
}

__global__ void count(int *cell) { cell[threadIdx.x] = 1; }

void elsewhere(void (*kernel)(int *), int *cell);

static void here(void (*kernel)(int *), int *cell) {
  kernel<<<1, 64>>>(cell);
}

#if BUG == 2
static void retyped(void (*kernel)(int *), long *cell) {
  auto other = (void (*)(long *))kernel;
  other<<<1, 128>>>(cell);
}
#endif

struct Launcher {
  virtual void launch(void (*kernel)(int *), int *cell) {
    here(kernel, cell);
  }
  void operator()(void (*kernel)(int *), void (*other)(int *), int *cell) {
    here(other, cell);
#if BUG == 6
    elsewhere(kernel, cell);
#endif
  }
};

struct Other : Launcher {
  void launch(void (*kernel)(int *), int *cell) override {
    elsewhere(kernel, cell);
  }
};

template <int N> static void launch(int *cell) {
  void (*kernel)(int *) = fill;
  if constexpr (N == 128)
    elsewhere(kernel, cell);
  else
    here(kernel, cell);
}

template <void (*KERNEL)(int *)> struct Holder {
  static void run(int *cell);
};

template <void (*KERNEL)(int *), class T = Holder<KERNEL>>
static void hold(int *cell) {
  T::run(cell);
}

__host__ void twin(void (*kernel)(int *), int *cell) {
  elsewhere(kernel, cell);
}
__device__ void twin(void (*)(int *), int *) {}
template <void (*KERNEL)(int *)> __host__ void named_twin(int *cell) {
  elsewhere(KERNEL, cell);
}
template <void (*KERNEL)(int *)> __device__ void named_twin(int *) {}
#if BUG == 12
__host__ __device__ void of_named_twin(int *cell) {
  named_twin<fill>(cell);
}
#endif
__host__ __device__ void of_twin(void (*kernel)(int *), int *cell) {
  twin(kernel, cell);
}

void run(Launcher &launcher, int *cell, bool is_first) {
  fill<<<1, 64>>>(cell);
  count<<<1, 64>>>(cell);
  launcher(fill, count, cell);
  auto pass = [](void (*kernel)(int *), void (*other)(int *), int *all) {
    here(other, all);
#if BUG == 7
    elsewhere(kernel, all);
#endif
  };
  pass(fill, count, cell);
#if BUG != 9
  launch<64>(cell);
#endif
#if BUG == 1
  void (*pointer)(int *) = fill;
  auto other = (void (*)(long *))pointer;
  other<<<1, 128>>>((long *)cell);
#elif BUG == 2
  retyped(fill, (long *)cell);
#elif BUG == 3
  auto other = (void (*)(long *))(is_first ? fill : count);
  other<<<1, 128>>>((long *)cell);
#elif BUG == 4
  auto &other = reinterpret_cast<void (&)(long *)>(fill);
  other<<<1, 128>>>((long *)cell);
#elif BUG == 5
  launcher.launch(fill, cell);
#elif BUG == 8 || BUG == 9
  launch<128>(cell);
#elif BUG == 10
  hold<fill>(cell);
#elif BUG == 11
  of_twin(fill, cell);
#endif
}
