// The lesser of two numbers: whoever reads it leaves both as they are.
//
// verdict:  verified, verified
// bug 1:    racy       the greater
// bug 2:    racy       who gets the result by reference changes it
// bug 3:    racy       a function of the user's has that name
// bug 4:    racy       the user has specialised the library's
// bug 5:    racy       one of the two is assigned to
// bug 6:    racy       who gets one of the two by reference changes it
// bug 7:    racy       the condition is another one
// bug 8:    racy       the greater of the library's
// bug 9:    racy       the library's name is the user's
// bug 10:   racy       the greater of signed numbers
// bug 11:   racy       the lesser by an order of the user's
// bug 12:   racy       an order of the user's that changes what it compares

#if BUG == 3 || BUG == 4
# 1 "system.h" 1 3
namespace own {
template <class T> const T &min(const T &a, const T &b) {
  const_cast<T &>(a) = 1;
  return b;
}
} // namespace own
namespace std {
template <class T> const T &min(T &a, const T &b) { return b < a ? b : a; }
} // namespace std
# 29 "lesser.cu" 2
#else
#include <algorithm>
#endif

#if BUG == 4
template <> const unsigned &std::min<unsigned>(unsigned &a, const unsigned &b) {
  a = 1;
  return b;
}
#elif BUG == 9
namespace std {
template <class T> const T &min(T &a, const T &b) {
  a = 1;
  return b;
}
} // namespace std
#endif

__global__ void number_row(int *out, unsigned length) {
  out[(size_t)blockIdx.x * length + threadIdx.x] = blockIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12: race on 'out'
}

#if BUG == 0
__global__ void number_signed(int *out, int length) {
  out[(long long)blockIdx.x * length + threadIdx.x] = blockIdx.x;
}
#endif

static unsigned lesser(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static void shrink(const unsigned &size) {
  const_cast<unsigned &>(size) = 1;
}

enum Length : unsigned {};

inline bool operator<(Length a, Length b) {
  return (unsigned)a > (unsigned)b;
}

struct Pair {
  unsigned first, second;
};

inline bool operator<(const Pair &a, const Pair &b) {
  const_cast<Pair &>(b).first = 1024;
  return a.second < b.second;
}

void launch(int *out, unsigned length, unsigned rows, unsigned most) {
#if BUG == 1
  unsigned block = std::max(length, 64u);
#elif BUG == 2
  unsigned block = length;
  shrink(std::min(length, most));
#elif BUG == 3
  unsigned block = length;
  rows = own::min(length, most);
#elif BUG == 4 || BUG == 9
  unsigned block = length;
  rows = std::min(length, most);
#elif BUG == 5
  unsigned block = length;
  (length < most ? length : most) = 1;
#elif BUG == 6
  unsigned block = length;
  shrink(length < most ? length : most);
#elif BUG == 7
  unsigned block = most < length ? length : most;
#elif BUG == 8
  unsigned block = std::max(std::min(length, 256u), most);
#elif BUG == 10
  int block = std::max((int)most, -1);
#elif BUG == 11
  Length one = (Length)length, other = (Length)most;
  unsigned block = std::min(one, other);
#elif BUG == 12
  Pair one = {length, 2}, other = {most, 3};
  rows = std::min(other, one).second;
  unsigned block = one.first;
#else
  unsigned same = length;
  number_row<<<rows, same>>>(out, length);
  number_row<<<rows, lesser(length, most)>>>(out, length);
  number_row<<<rows, length < most ? length : most>>>(out, length);
  number_row<<<rows, min(length, most)>>>(out, length);
  unsigned block = std::min(std::min(length, 256u), std::max(rows, most));
#endif
  number_row<<<rows, block>>>(out, length);
#if BUG == 0
  int signed_length = length;
  number_signed<<<rows, std::min(signed_length, 256)>>>(out, signed_length);
#endif
}
