// An array is written through a pointer that went through a struct, a
// conversion to a number or an object that stands for an element, and read
// by its name.  Both reads are of one cell, and the value decides about a
// barrier, so it has to be the same for all threads.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    divergent  written through a struct that a function returns
// bug 2:    divergent  ... through what operator[] returns
// bug 3:    divergent  ... through an iterator
// bug 4:    divergent  ... through a number that is multiplied by 1
// bug 5:    divergent  ... through a number in a vector
// bug 6:    divergent  ... through a number with bits that are flipped twice
// bug 7:    divergent  ... through a reference that a lambda returns
// bug 8:    divergent  ... by an atomic through a slice of a slice

struct View {
  int *data;
  int size;
  __device__ View slice(int from) const {
    return View{data + from, size - from};
  }
};

struct Element {
  int *at;
  __device__ Element &operator=(int value) {
    *at = value;
    return *this;
  }
};

struct Proxy {
  int *data;
  __device__ Element operator[](int i) const { return Element{data + i}; }
};

struct Iterator {
  int *at;
  __device__ Iterator operator+(int i) const { return Iterator{at + i}; }
  __device__ int &operator*() const { return *at; }
};

__device__ void write(View v) {
#if BUG == 1
  v.slice(0).data[0] = 1;
#elif BUG == 2
  Proxy{v.data}[0] = 1;
#elif BUG == 3
  *(Iterator{v.data} + 0) = 1;
#elif BUG == 4
  *(int *)((unsigned long)v.data * 1) = 1;
#elif BUG == 5
  ulonglong2 pair = make_ulonglong2((unsigned long)v.data, 0);
  *(int *)pair.x = 1;
#elif BUG == 6
  *(int *)((unsigned long)v.data ^ 0) = 1;
#elif BUG == 7
  auto first = [=]() -> int & { return *v.slice(0).data; };
  first() = 1;
#elif BUG == 8
  atomicAdd(v.slice(4).slice(-4).data, 1);
#endif
}

__global__ void decide(View v) {
  int found = 0;
  if (threadIdx.x < 32)
    found = v.data[0];
  __syncthreads();
  if (threadIdx.x == 0)
    write(v);
  __syncthreads();
  if (threadIdx.x >= 32)
    found = v.data[0];
  if (found)
    __syncthreads(); // expect 1,2,3,4,5,6,7,8: barrier divergence
}
