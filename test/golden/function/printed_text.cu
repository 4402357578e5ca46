// printf reads the text that a %s stands for.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       other threads write the text meanwhile
// bug 2:    racy       ... where the text begins in its middle
// bug 3:    racy       ... of two texts, the first of which is stored twice
// bug 4:    unknown    an address that is stored as a number
// bug 5:    racy       other threads write the format meanwhile

#include <stdio.h>

extern "C" __device__ int vprintf(const char *, void *);

struct Arguments {
  const char *first, *second;
};

__global__ void tell(char *word, int *out) {
  int t = threadIdx.x;
  out[t] = t;
  printf("%s %d%% %p", "thread", t, out);
#if BUG == 0
  if (t == 0)
    word[0] = 0;
#elif BUG == 3
  word[t] = 'a'; // expect 3: race on 'word'
  Arguments all = {"even", word};
  if (t & 1)
    all.first = "odd";
  vprintf("%s %s", &all);
#elif BUG == 4
  word[t] = 'a';
  unsigned long long address = (unsigned long long)word;
  vprintf("%s", &address); // expect 4: what is printed
#elif BUG == 5
  word[t] = 'a'; // expect 5: race on 'word'
  vprintf(word, (void *)nullptr);
#else
  word[t] = 'a'; // expect 1,2: race on 'word'
#endif
  if (BUG < 3 && t == 0)
    printf("%5d: %-8.3s", t, BUG == 2 ? word + 7 : word);
}
