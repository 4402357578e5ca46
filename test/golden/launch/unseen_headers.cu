// What a header of the system's before the user's code does with the user's
// kernel, and what of the user's it has around it.
//
// args:     --strict
// verdict:  verified
// bug 1:    racy     it launches the kernel that it declares
// bug 2:    racy     it launches the user's specialisation
// bug 3:    racy     it launches a member of what it is made for
// bug 4:    racy     .. of what the user specialised
// bug 5:    racy     it sets a variable that is the user's
// bug 6:    racy     a block of it is around the user's code
// bug 7:    racy     the variable is in a section that has a name
// bug 8:    racy     a friend of what it is made for sets the variable
// bug 9:    racy     it declares the kernel where it launches it
// bug 10:   racy     it sets what is specialised in part
// bug 11:   racy     it is made for a class within another
// bug 12:   racy     it is made for a function that it makes itself
// bug 13:   racy     a variable of it begins with what sets the user's
# 20 "test/golden/launch/unseen_headers.cu" 1 3
#if BUG == 1
__global__ void fill(int *out);
inline void go(int *out) { fill<<<1, 64>>>(out); }
#elif BUG == 2
template <typename T> __global__ void fill(T *out);
template <typename T> void go(T *out) { fill<T><<<1, 64>>>(out); }
#elif BUG == 3
template <typename T> struct Go {
  static void go(int *out) { T::fill<<<1, 64>>>(out); }
};
#elif BUG == 4
template <typename T> struct With {};
template <typename T> void go(T *out) { With<T>::fill<<<1, 64>>>(out); }
#elif BUG == 5
template <typename T> void set() { T::count = 64; }
#elif BUG == 6
extern "C" {
#elif BUG == 8
template <typename T> struct Sets {
  friend void set(Sets) { T::count = 64; }
};
#elif BUG == 13
template <typename T> int first = T::count = 64;
#elif BUG == 9
inline void go(int *out) {
  __global__ void fill(int *);
  fill<<<1, 64>>>(out);
}
#elif BUG == 10
namespace {
template <typename T> struct Part;
}
template <typename T> void set() { Part<T *>::count = 64; }
#elif BUG == 11
template <typename T> struct Outer {
  struct Inner {
    typedef T Type;
  };
};
template <typename T> void set(T) { T::Type::count = 64; }
#elif BUG == 12
template <typename T> auto maker() {
  return [] { return T(); };
}
template <typename T> void set(T make) { make().count = 64; }
#endif
# 67 "test/golden/launch/unseen_headers.cu" 2
#if BUG == 7
#pragma clang section data = "counts"
#endif
namespace {
struct Counts {
  static int count;
};
int Counts::count = 32;
#if BUG == 10
template <typename T> struct Part<T *> {
  static inline int count = 32;
};
#endif
} // namespace
static int number = 32;
#if BUG == 6
void more() { number = 64; }
# 85 "test/golden/launch/unseen_headers.cu" 1 3
}
# 87 "test/golden/launch/unseen_headers.cu" 2
#endif

#if BUG == 2
template <> __global__ void fill<int>(int *out) {
#elif BUG == 3 || BUG == 4
#if BUG == 3
struct Fill {
#else
template <> struct With<int> {
#endif
static __global__ void fill(int *out) {
#else
__global__ void fill(int *out) {
#endif
  out[threadIdx.x % 32] = threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13: race on 'out'
}
#if BUG == 3 || BUG == 4
};
#endif

#if BUG == 7
extern "C" int __start_counts[];
#endif

void launch(int *out) {
#if BUG == 3
  Fill::fill<<<1, 32>>>(out);
  Go<Fill>::go(out);
#elif BUG == 4
  With<int>::fill<<<1, 32>>>(out);
  go(out);
#else
#if BUG == 1 || BUG == 2 || BUG == 9
  go(out);
#elif BUG == 5
  set<Counts>();
#elif BUG == 7
  __start_counts[1] = 64;
#elif BUG == 8
  set(Sets<Counts>());
#elif BUG == 10
  set<int>();
  fill<<<1, Part<int *>::count>>>(out);
#elif BUG == 13
  first<Counts> = 1;
#elif BUG == 11
  set(Outer<Counts>::Inner());
#elif BUG == 12
  set(maker<Counts>());
#endif
  fill<<<1, Counts::count>>>(out);
  fill<<<1, number>>>(out);
#endif
}
