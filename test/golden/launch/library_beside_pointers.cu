// A kernel that only its library launches, in a file whose own launches are of
// pointers: none of them points to it unless it has its type, or the library
// makes another pointer of it.
//
// args:     --ladder=all
// verdict:  verified, verified
// assumes:  launch-limits
// bug 1:    verified, racy   the user's pointer has its type
// bug 2:    verified, racy   the library gives it away as another one
// bug 3:    verified, racy   a table of the library's has it
// bug 4:    verified, racy   a pointer to such a pointer is taken for another one
// bug 5:    verified, racy   .. or one to another for one to such
// bug 6:    verified, racy   a union has both
# 15 "test/golden/launch/library_beside_pointers.cu" 3
namespace cuda_cub {
struct triple_chevron {
  dim3 const grid, block;
  size_t const shared;
  triple_chevron(dim3 grid_, dim3 block_, size_t shared_)
      : grid(grid_), block(block_), shared(shared_) {}
  template <class K, class... A> void doit(K k, const A &...a) const {
    k<<<grid, block, shared>>>(a...);
  }
};
} // namespace cuda_cub

namespace cub {
template <class T> __global__ void fill(T *out, T value) {
  out[threadIdx.x] = value + threadIdx.x + blockIdx.x; // expect 1,2,3,4,5,6: race on 'out'
}

typedef void (*Other)(float *, int);
#if BUG == 2
inline Other other() { return reinterpret_cast<Other>(fill<int>); }
#elif BUG == 3
inline void *const table[] = {(void *)fill<int>};
#elif BUG == 4
inline Other other() {
  void (*own)(int *, int) = fill<int>;
  return *(Other *)&own;
}
#elif BUG == 5
inline void give(void *place) { *(void (**)(int *, int))place = fill<int>; }
inline Other other() {
  Other given;
  give(&given);
  return given;
}
#elif BUG == 6
union Both {
  void (*own)(int *, int);
  Other other;
};
inline Other other() {
  Both both;
  both.own = fill<int>;
  return both.other;
}
#endif

template <class T> void run(T *out) {
  cuda_cub::triple_chevron(1, 64, 0).doit(fill<T>, out, 1);
}
} // namespace cub
# 66 "test/golden/launch/library_beside_pointers.cu"
__global__ void scale(float *a, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n)
    a[i] *= 2;
}

template <class K, class... A> void launch(K kernel, A... a) {
  kernel<<<2, 32>>>(a...);
}

void both(float *a, int *out) {
  launch(scale, a, 64);
  cub::run(out);
#if BUG == 1
  void (*pointer)(int *, int) = nullptr;
  launch(pointer, out, 1);
#elif BUG == 2 || BUG > 3
  launch(cub::other(), a, 1);
#elif BUG == 3
  launch((cub::Other)cub::table[0], a, 1);
#endif
}
