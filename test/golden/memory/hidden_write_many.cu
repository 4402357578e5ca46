// More ways to write an array that is read by its name, as hidden_write.cu.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  the second of a pair that a function returns
// bug 2:    divergent  a struct that is one of two
// bug 3:    divergent  a table of pointers in a struct that a function returns
// bug 4:    divergent  a reference in a struct
// bug 5:    divergent  by assembly
// bug 6:    divergent  by an atomic in assembly
// bug 7:    divergent  an iterator that a loop moves
// bug 8:    divergent  as a number that is inverted twice
// bug 9:    divergent  through a pointer to const
// bug 10:   divergent  a range of which a loop takes the first
// bug 11:   unknown    as two halves
// bug 12:   divergent  through a variable of the device
// bug 13:   divergent  by a copy of bytes
// bug 14:   divergent  by an exchange of structs in a loop

template <class A, class B> struct Pair {
  A first;
  B second;
  __device__ Pair<B, A> swapped() const { return {second, first}; }
};

template <class A, class B> __device__ Pair<A, B> make_pair(A a, B b) {
  return {a, b};
}

struct Table {
  int *row[3];
};

__device__ Table make_table(int *a, int *b) { return Table{{b, a, b}}; }

struct Reference {
  int &to;
};

__device__ Reference reference(int *to) { return Reference{*to}; }

struct Iterator {
  int *at;
  __device__ Iterator operator++(int) {
    Iterator old = *this;
    at++;
    return old;
  }
  __device__ int &operator*() const { return *at; }
};

template <class T> struct Range {
  T *from, *to;
  __device__ T *begin() const { return from; }
  __device__ T *end() const { return to; }
  __device__ Range first(int n) const { return {from, from + n}; }
};

__device__ int *kept;

__device__ void write(int *data, int *other) {
#if BUG == 1
  *make_pair(other, data).second = 1;
#elif BUG == 2
  auto pair = blockIdx.x ? make_pair(data, 1) : make_pair(data, 2);
  *pair.first = 1;
#elif BUG == 3
  make_table(data, other).row[1][0] = 1;
#elif BUG == 4
  reference(data).to = 1;
#elif BUG == 5
  asm volatile("st.global.u32 [%0], %1;" ::"l"(make_pair(data, 1).first), "r"(1));
#elif BUG == 6
  asm volatile("red.global.add.u32 [%0], %1;" ::"l"(make_pair(data, 1).first), "r"(1));
#elif BUG == 7
  Iterator next{data};
  for (int i = 0; i < 4; i++)
    *next++ = 1;
#elif BUG == 8
  *(int *)~~(size_t)data = 1;
#elif BUG == 9
  const int *fixed = make_pair(data, 1).first;
  *const_cast<int *>(fixed) = 1;
#elif BUG == 10
  for (int &cell : Range<int>{data, data + 64}.first(1))
    cell = 1;
#elif BUG == 11
  unsigned low = (size_t)data, high = (size_t)data >> 32;
  *(int *)((size_t)high << 32 | low) = 1; // expect 11: pointer
#elif BUG == 12
  kept = data;
  *kept = 1;
#elif BUG == 13
  int one = 1;
  __builtin_memcpy(make_pair(data, 1).first, &one, sizeof one);
#elif BUG == 14
  auto pair = make_pair(other, data);
  for (int i = 0; i < 2; i++)
    pair = pair.swapped();
  *pair.second = 1;
#endif
}

__global__ void decide(int *data, int *other) {
  int found = 0;
  if (threadIdx.x < 32)
    found = data[0];
  __syncthreads();
  if (threadIdx.x == 0)
    write(data, other);
  __syncthreads();
  if (threadIdx.x >= 32)
    found = data[0];
  if (found)
    __syncthreads(); // expect 1,2,3,4,5,6,7,8,9,10,12,13,14: barrier divergence
}
