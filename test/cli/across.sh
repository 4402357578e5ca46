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

# What does not compile may launch anything.
gives 3 'broken.cu: does not compile' broken.cu kernel.cu host.cu
tells 'verdict: racy'
