// What the rows of docs/RACES.md are written with.

typedef unsigned Vector __attribute__((ext_vector_type(4)));
struct __attribute__((packed)) Packed {
  char c;
  int i;
};

#define ld(how, p)                                                             \
  ({                                                                           \
    unsigned value;                                                            \
    asm volatile("ld." #how ".u32 %0, [%1];"                                   \
                 : "=r"(value)                                                 \
                 : "l"(p)                                                      \
                 : "memory");                                                  \
    value;                                                                     \
  })
#define ld_v2(how, p)                                                          \
  ({                                                                           \
    unsigned one, two;                                                         \
    asm volatile("ld." #how ".v2.u32 {%0, %1}, [%2];"                          \
                 : "=r"(one), "=r"(two)                                        \
                 : "l"(p)                                                      \
                 : "memory");                                                  \
    x = one + two;                                                             \
  })
#define st(how, p, value)                                                      \
  asm volatile("st." #how ".u32 [%0], %1;" ::"l"(p), "r"(value) : "memory")
#define red(how, p, value)                                                     \
  asm volatile("red." #how ".add.u32 [%0], %1;" ::"l"(p), "r"(value)           \
               : "memory")

#define NAMES(words)                                                           \
  unsigned *p = (unsigned *)(words);                                           \
  volatile unsigned *v = p;                                                    \
  unsigned short *h = (unsigned short *)p;                                     \
  volatile unsigned short *vh = h;                                             \
  unsigned long long *l = words;                                               \
  volatile unsigned long long *vl = l;                                         \
  volatile __int128 *vi128 = (volatile __int128 *)p;                           \
  volatile Vector *vector = (volatile Vector *)p;                              \
  volatile Packed *packed = (volatile Packed *)p;                              \
  unsigned x = 0;

#define WORDS 4
#define SHARED __shared__ __attribute__((aligned(16))) unsigned long long

#define BLOCK(name, memory, start, one, two)                                   \
  __global__ void name(unsigned long long *global, unsigned *out) {            \
    memory NAMES(words) start if (blockIdx.x == 0 && threadIdx.x == 0) {       \
      one;                                                                     \
    }                                                                          \
    else if (blockIdx.x == 0 && threadIdx.x == 32) {                           \
      two;                                                                     \
    }                                                                          \
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;                            \
  }

#define ROW(name, one, two)                                                    \
  BLOCK(name##_global, unsigned long long *words = global;, , one, two)        \
  BLOCK(name##_shared, SHARED words[WORDS];                                    \
        , if (threadIdx.x < WORDS) words[threadIdx.x] = 0; __syncthreads();    \
        , one, two)                                                            \
  __global__ void name##_blocks(unsigned long long *words, unsigned *out) {    \
    NAMES(words)                                                               \
    if (blockIdx.x == 0 && threadIdx.x == 0) {                                 \
      one;                                                                     \
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {                          \
      two;                                                                     \
    }                                                                          \
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;                            \
  }
