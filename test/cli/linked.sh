# Several files: what one defines for the device and another calls.
# shellcheck shell=sh

cat >kernel.cu <<'END'
__device__ int place(int i, int n);
__global__ void fill(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[place(i, n)] = i;
}
END
cat >apart.cu <<'END'
static __device__ int last(int n) { return n - 1; }
__device__ int place(int i, int n) { return last(n) - i; }
END
cat >one.cu <<'END'
__device__ int place(int i, int n) { return i / 2; }
END
cat >weak.cu <<'END'
__attribute__((weak)) __device__ int place(int i, int n) { return i; }
END
cat >own.cu <<'END'
static __device__ int place(int i, int n) { return i; }
__global__ void other(int *out) { out[place(threadIdx.x, 1)] = 0; }
END

gives 4 "a call of 'place'" kernel.cu
gives 0 "kernel 'fill': no data races" kernel.cu apart.cu
says_not 'there is no kernel in this file'
gives 0 "kernel 'fill': no data races" apart.cu kernel.cu
gives 0 "kernel 'fill': no data races" -j2 apart.cu kernel.cu
gives 1 "race on 'out'" kernel.cu one.cu
tells 'kernel.cu:5:'

# The files may be of two programs, and what is weak another one may replace.
gives 2 "a call of 'place'" kernel.cu one.cu apart.cu
gives 2 "a call of 'place'" kernel.cu weak.cu
gives 4 "a call of 'place'" kernel.cu own.cu

# What it needs may be in a third file, or in the first one.
cat >third.cu <<'END'
__device__ int half(int i);
__device__ int step = 3;
__device__ int place(int i, int n) { return half(i) + step; }
END
cat >half.cu <<'END'
__device__ int back(int i);
__device__ int half(int i) { return back(i) / 2; }
END
cat >back.cu <<'END'
#include "kernel.cu"
__device__ int back(int i) { return 2 * i; }
END
cat >less.cu <<'END'
#include "kernel.cu"
__device__ int back(int i) { return i; }
END
gives 0 "kernel 'fill': no data races" --assume=no-signed-overflow \
  back.cu half.cu third.cu
gives 1 "race on 'out'" --assume=no-signed-overflow third.cu half.cu less.cu
gives 4 "a call of 'half'" back.cu third.cu

# A variable of all is one array, whoever names it.
cat >variable.cu <<'END'
__device__ int log_of_all[64];
__device__ void note(int i) { log_of_all[i] = i; }
__global__ void nothing(int *out) {}
END
cat >notes.cu <<'END'
extern __device__ int log_of_all[64];
__device__ void note(int i);
__global__ void twice() {
  note(threadIdx.x);
  log_of_all[(threadIdx.x + 1) % 64] = 0;
}
END
gives 1 "race on 'log_of_all'" --blockDim=64 --gridDim=1 -rdc=true \
  variable.cu notes.cu
gives 4 "a call of 'note'" --blockDim=64 --gridDim=1 -rdc=true notes.cu
