// A pointer by its distance from another one: what is found in memory may
// point anywhere, however it is come to.
//
// args:     --strict
// verdict:  verified
// bug 1:    unknown    to where a pointer points that was found
// bug 2:    unknown    the same, by its number
// bug 3:    unknown    .. or by a number that was found

__global__ void anywhere(char *here, char *there, char **found) {
  char *at = here;
#if BUG == 1
  at = here + (found[0] - here);
#elif BUG == 3
  at = here + (((unsigned long *)found)[0] - (unsigned long)here);
#elif BUG == 2
  at = here + ((unsigned long)found[0] - (unsigned long)here);
#else
  at = here + (-(unsigned long)here & 15);
#endif
  if (threadIdx.x == 0 && blockIdx.x == 0)
    at[0] = 1;
  if (threadIdx.x == 1 && blockIdx.x == 0)
    there[0] = 2;
}
