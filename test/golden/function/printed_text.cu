// printf reads the text that a %s stands for.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       other threads write the text meanwhile
// bug 2:    racy       ... where the text begins in its middle

#include <stdio.h>

__global__ void tell(char *word, int *out) {
  int t = threadIdx.x;
  out[t] = t;
  printf("%s %d%% %p", "thread", t, out);
#if BUG == 0
  if (t == 0)
    word[0] = 0;
#else
  word[t] = 'a'; // expect 1,2: race on 'word'
#endif
  if (t == 0)
    printf("%5d: %-8.3s", t, BUG == 2 ? word + 7 : word);
}
