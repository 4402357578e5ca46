# Several files: who launches whose kernels, and how that is told.
# shellcheck shell=sh

cat >kernel.cu <<'END'
__global__ void cover(int *out, unsigned length) {
  if (gridDim.x * 1ULL * blockDim.x < length)
    out[0] = threadIdx.x;
}
END
cat >host.cu <<'END'
__global__ void cover(int *out, unsigned length);
void launch(int *out, unsigned length) {
  cover<<<(length + 255ULL) / 256, 256>>>(out, length);
}
END
cat >again.cu <<'END'
__global__ void cover(int *out, unsigned length);
void launch_once(int *out) { cover<<<2, 64>>>(out, 128); }
END
cat >broken.cu <<'END'
void launch(int *out) { return out; }
END
cat >none.cu <<'END'
void launch(int *out, unsigned length) {}
END

gives 1 'verdict: racy' kernel.cu
gives 2 'host.cu: there is no kernel in this file' host.cu
gives 0 'as launched at host.cu:3:' kernel.cu host.cu
tells "where gridDim.x == (length + 255) / 256, host.cu:3:"
says_not 'there is no kernel'
gives 0 'as launched at host.cu:3:' -j2 host.cu kernel.cu
gives 0 'for each of the 2 launches in the files given' host.cu kernel.cu again.cu
gives 2 'none.cu: there is no kernel in this file' host.cu none.cu kernel.cu
tells 'as launched at host.cu:3:'

# Who calls a function of a file with main is another given file, perhaps.
cat >whole.cu <<'END'
__global__ void rows(int *out, int pitch) {
  out[blockIdx.x * pitch + threadIdx.x] = (int)blockIdx.x;
}
void run(int *out, int pitch) { rows<<<64, 32>>>(out, pitch); }
int main(int count, char **words) { run((int *)words, 32); }
END
cat >caller.cu <<'END'
void run(int *out, int pitch);
void later(int *out) { run(out, 31); }
END
gives 0 'assuming launch-limits, whole-program' whole.cu
tells 'where pitch == 32, whole.cu:4:'
gives 2 'launch-limits, whole-program' whole.cu again.cu
gives 2 'verdict: racy' whole.cu caller.cu
gives 2 'verdict: racy' -j2 whole.cu caller.cu
gives 1 'verdict: racy' --strict whole.cu

# What does not compile may launch anything.
gives 3 'broken.cu: does not compile' broken.cu kernel.cu host.cu
tells 'verdict: racy'

# A file may define it and launch another's: what a template makes, and what is
# weak, is one kernel in all of them.
cat >cover.h <<'END'
template <class T> inline __global__ void paint(T *out, unsigned length) {
  if (gridDim.x * 1ULL * blockDim.x < length)
    out[0] = threadIdx.x;
}
extern template __global__ void paint<int>(int *, unsigned);
END
cat >made.cu <<'END'
template <class T> inline __global__ void paint(T *out, unsigned length);
#include "cover.h"
template __global__ void paint<int>(int *, unsigned);
END
for size in 64 32; do
  cat >two_$size.cu <<END
#include "cover.h"
void launch_$size(int *out) { paint<int><<<1, $size>>>(out, 64); }
__global__ void other_$size() {}
END
done
gives 0 'as launched at two_64.cu:2:' made.cu two_64.cu
gives 1 'verdict: racy' made.cu two_64.cu two_32.cu
cat >weak.cu <<'END'
__attribute__((weak)) __global__ void cover(int *out, unsigned length) {}
void launch_weak(int *out) { cover<<<1, 32>>>(out, 64); }
END
cat >strong.cu <<'END'
__global__ void cover(int *out, unsigned length) {
  if (gridDim.x * 1ULL * blockDim.x < length)
    out[0] = threadIdx.x;
}
void launch_strong(int *out) { cover<<<2, 32>>>(out, 64); }
END
gives 0 'verdict: verified' strong.cu
gives 1 'verdict: racy' strong.cu weak.cu
