// A number of blocks that is rounded up covers all: in the host's arithmetic.
//
// verdict:  verified
// bug 1:    racy       rounded down
// bug 2:    racy       the sum wraps, and one block is left
// bug 3:    racy       a signed sum overflows, and nothing is known
// bug 4:    racy       divided by what may be zero
// bug 5:    racy       cut off to fewer bits

typedef unsigned long long Wide;

__global__ void cover(int *out, unsigned length) {
  if ((Wide)gridDim.x * blockDim.x < length)
    out[0] = threadIdx.x; // expect 1,2,3,4,5: write-write race on 'out'
}

void launch(int *out, unsigned length) {
#if BUG == 1
  cover<<<length / 256, 256>>>(out, length);
#elif BUG == 2
  cover<<<(length + 511) / 256, 256>>>(out, length);
#elif BUG == 3
  cover<<<((int)(length / 2) + 511) / 256 * 2, 256>>>(out, length);
#elif BUG == 4
  cover<<<(length + 255) / 256 / (length != 1000), 256>>>(out, length);
#elif BUG == 5
  unsigned short blocks = (length + 255) / 256;
  cover<<<blocks, 256>>>(out, length);
#else
  cover<<<(length + 255) / 256, 256>>>(out, length);
#endif
}
