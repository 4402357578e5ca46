// A union of four bytes and a word: bytes are apart, the word overlaps all.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       thread 4k writes the word

union Word {
  unsigned char byte[4];
  unsigned all;
};

__global__ void fill(Word *word) {
  int t = threadIdx.x;
#if BUG == 1
  if (t % 4 == 0)
    word[t / 4].all = t; // expect 1: write-write race on 'word'
  else
#endif
    word[t / 4].byte[t % 4] = t;
}
