// A number or a function of the host has another name, or another type.
//
// args:    --clang-arg=-Wno-everything
// verdict: verified
// bug 1:   racy  an object names the member that all objects share
// bug 2:   racy  a label of the assembler names the function
// bug 3:   racy  ... or the variable
// bug 4:   racy  ... as a pragma does
// bug 5:   racy  assembly of another function names the variable
// bug 6:   racy  a number is changed as one of another type

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3,4,5,6: write-write race on 'cell'
}

int *cells;

namespace {
struct Sizes {
  static int block;
};
int Sizes::block = 64;
} // namespace
static int size = 64;

static void launch(int n) { fill<<<1, n>>>(cells); }
void start() {
  launch(64);
  fill<<<1, Sizes::block>>>(cells);
  fill<<<1, size>>>(cells);
  signed char small = -128;
#if BUG == 6
  (unsigned char &)small >>= 1;
#else
  small >>= 1;
#endif
  fill<<<1, small == 64 ? 128 : 64>>>(cells);
}

#if BUG == 1
void grow(Sizes sizes) { sizes.block = 128; }
#elif BUG == 2
void other(int) __asm__("_ZL6launchi");
void start_other() { other(128); }
#elif BUG == 3
extern int other __asm__("_ZL4size");
void grow() { other = 128; }
#elif BUG == 4
#pragma redefine_extname other _ZL4size
extern "C" int other;
void grow() { other = 128; }
#elif BUG == 5
void grow() { asm volatile("movl $128, _ZL4size(%%rip)" ::: "memory"); }
#else
void grow(Sizes sizes) {}
#endif
