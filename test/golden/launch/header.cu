// A header of the system that is read behind the user's code can name what is
// in it.
//
// verdict: verified
// bug 1:   racy  it assigns the variable
// bug 2:   racy  it calls the function
// bug 3:   racy  it launches the kernel

__global__ void fill(int *cell) {
  cell[threadIdx.x % 64] = (int)threadIdx.x; // expect 1,2,3: write-write race on 'cell'
}

static int size = 64;
static void launch(int *cells, int n) {
  fill<<<1, n>>>(cells);
  fill<<<1, size>>>(cells);
}
void start(int *cells) { launch(cells, 64); }

# 1 "library.h" 3
inline void library(int *cells) {
#if BUG == 1
  size = 128;
#elif BUG == 2
  launch(cells, 128);
#elif BUG == 3
  fill<<<1, 128>>>(cells);
#else
  launch(cells, size);
#endif
}
