// What only an annotation knows is for annotations: an ordinary compilation has
// another value there, or none.
//
// args:     --blockDim=64 --gridDim=2
// verdict:  verified
// bug 1:    unknown    as an index
// bug 2:    unknown    whether a sum fits
// bug 3:    unknown    what an annotation chooses
// bug 4:    unknown    who is there
// bug 5:    unknown    a variable keeps it
// bug 6:    unknown    .. that another one is made of
// bug 7:    unknown    .. which the kernel goes on with in another place
// bug 8:    unknown    a function gives it
// bug 9:    unknown    .. by way of another function
// bug 10:   unknown    a function that is called through a pointer
// bug 11:   unknown    a member is made of it
// bug 12:   unknown    it decides whether a variable is assigned
// bug 13:   unknown    an assignment is no statement

__device__ bool is_other(int t) { return __other_int(t) != t; }
__device__ bool is_first(int t) { return !is_other(t); }

typedef bool (*Test)(int);

struct Place {
#if BUG == 11
  unsigned at = __write_offset_bytes(this); // expect 11: an annotation
#endif
};

__global__ void fill(int *out, int n) {
  int t = threadIdx.x;
  unsigned place = __write_offset_bytes(out + t), from = place / 4;
  bool is_told;
  is_told = is_other(t);
  __assert(__write_implies(out, from < 1u << 30) | is_told);
  int i = blockIdx.x * 64 + t;
#if BUG == 1
  i = __ptr_offset_bytes(out + i);
#elif BUG == 2
  if (__add_noovfl(0xffffffffu, n)) // expect 2: knows
    i = 0;
#elif BUG == 3
  i = __ite(n > 0, i, 0);
#elif BUG == 4
  if (!__enabled()) // expect 4: knows
    i = 0;
#elif BUG == 5
  i += place / 1024; // expect 5: knows
#elif BUG == 6
  if (from > 7) // expect 6: knows
    i = 0;
#elif BUG == 7
  for (int k = 0; k < n; k++) {
    i += is_told; // expect 7: knows
    is_told = __same_group;
  }
#elif BUG == 8
  i = is_other(t) ? i : 0;
#elif BUG == 9
  i = is_first(t) ? 0 : i;
#elif BUG == 10
  Test test = is_other;
  i = test(t) ? i : 0;
#elif BUG == 11
  i = Place().at ? 0 : i;
#elif BUG == 12
  bool is_set = __same_group && (i = 0); // expect 12: changes what
#elif BUG == 13
  if ((is_told = __same_group)) // expect 13: knows
    i = 0;
#endif
  out[i] = t; // expect 1,3,8,9,10: knows
}
