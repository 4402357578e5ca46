// A variable is one number, whatever function of the library has counted it.
//
// verdict: verified
// bug 1:   racy  it is changed between
// bug 2:   racy  a block more
// bug 3:   racy  counted twice, it may be two numbers
// bug 4:   racy  which element it is the compiler decides
// bug 5:   racy  .. of those that are given a value

typedef __SIZE_TYPE__ size_t;

__global__ void number(int *out, int length) {
  int block = blockIdx.x;
  out[block < length ? block : 0] = block; // expect 1,2,3,4,5: write-write race on 'out'
}

struct Text {
  int length;
};

void use(char *);
constexpr int which(int n) { return __builtin_constant_p(n); }

void launch(int *out, char *text, struct Text *kept) {
  int length = kept->length = __builtin_strlen(text);
  dim3 grid(length);
#if BUG == 1
  length = length / 2;
#elif BUG == 2
  grid.x = length + 1;
#elif BUG == 3
  use(text);
  grid.x = __builtin_strlen(text);
#elif BUG == 4
  const int one = __builtin_constant_p(text);
  int lengths[] = {length, 2 * length};
  grid.x = lengths[one];
#elif BUG == 5
  int lengths[] = {2 * length, 2 * length};
  lengths[which(3)] = length;
  grid.x = lengths[1];
#endif
  number<<<grid, 1>>>(out, length);
}
