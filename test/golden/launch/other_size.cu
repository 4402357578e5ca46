// A number that is made of the layout of something is what it is for the host.
// A long double has 16 bytes there, and 8 for the device.
//
// args:    --clang-arg=-Wno-everything
// verdict: verified
// bug 1:   racy  as many as an array is declared with
// bug 2:   racy  .. by another name
// bug 3:   racy  .. to which there is a reference
// bug 4:   racy  .. that is a member
// bug 5:   racy  an alignment
// bug 6:   racy  .. of a member
// bug 7:   racy  what is before a member
// bug 8:   racy  what is behind a pointer
// bug 9:   racy  an argument of a template
// bug 10:  racy  a field of bits
// bug 11:  racy  a vector
// bug 12:  racy  the alignment of a variable

enum { WARP = 32 };

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4,5,6,7,8,9,10,11,12: write-write race on 'cell'
}

template <int N> struct List {
  char at[N];
};

struct Plain {
  alignas(8) int first[WARP / 16][4];
  List<1> *next;
  int rest : 5;
};

enum { OTHER = sizeof(long double) * 8 };
typedef char Named[OTHER];
struct Member {
  char at[sizeof(long double) * 8];
};
struct alignas(sizeof(long double)) Aligned {
  char at;
};
struct AlignedMember {
  alignas(sizeof(long double)) char at;
};
struct Behind {
  long double before;
  int at;
};
struct Bits {
  int at : sizeof(long double) * 2;
  char more;
};
typedef char Vector __attribute__((vector_size(sizeof(long double))));

using Listed = List<sizeof(long double) * 8>;

#if BUG == 3
static void launch(char (&list)[OTHER], int *cell) {
  fill<<<1, sizeof list>>>(cell);
}
#endif

void run(int *cell) {
#if BUG == 1
  char list[sizeof(long double) * 8];
  fill<<<1, sizeof(list) / sizeof(list[0])>>>(cell);
#elif BUG == 2
  Named list;
  fill<<<1, sizeof list>>>(cell);
#elif BUG == 3
  char list[OTHER];
  launch(list, cell);
#elif BUG == 4
  fill<<<1, sizeof(Member)>>>(cell);
#elif BUG == 5
  fill<<<1, 8 * sizeof(Aligned)>>>(cell);
#elif BUG == 6
  fill<<<1, 8 * sizeof(AlignedMember)>>>(cell);
#elif BUG == 7
  fill<<<1, 8 * __builtin_offsetof(Behind, at)>>>(cell);
#elif BUG == 8
  static long double list[8];
  fill<<<1, __builtin_object_size(list, 0)>>>(cell);
#elif BUG == 9
  fill<<<1, sizeof(Listed)>>>(cell);
#elif BUG == 10
  fill<<<1, 16 * sizeof(Bits)>>>(cell);
#elif BUG == 11
  fill<<<1, 8 * sizeof(Vector)>>>(cell);
#elif BUG == 12
  alignas(8 * sizeof(long double)) static char aligned;
  fill<<<1, __alignof__(aligned)>>>(cell);
#else
  int list[WARP * 2];
  fill<<<1, sizeof(list) / sizeof(list[0])>>>(cell);
  fill<<<1, sizeof(Plain)>>>(cell);
#endif
}
