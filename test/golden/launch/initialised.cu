// Structs that lists and constructors make, and copies of them.
//
// verdict:  verified
// bug 1:    racy       the list leaves the member zero
// bug 2:    racy       the initialiser in the struct is another
// bug 3:    racy       a constructor gives it another argument
// bug 4:    racy       what is copied changes before
// bug 5:    racy       an initialiser in the struct counts
// bug 6:    racy       the constructor does more
// bug 7:    racy       a member is some value
// bug 8:    racy       an unnamed bit field is in no list
// bug 9:    racy       the members are initialised in their order
// bug 10:   racy       a variable changes behind the list
// bug 11:   racy       a zero is not what a member's own constructor leaves

int counter;

struct Size {
  int width = 8;
#if BUG == 2
  int height = 4;
#elif BUG == 5
  int height = counter++;
#else
  int height = 8;
#endif
};

struct Tile {
  int *out;
#if BUG == 8
  int : 16;
#endif
  int stride, depth;
  Size size;
};

struct Step {
  int by, last;
#if BUG == 3
  Step(int by, int last) : by(last), last(by) {}
#elif BUG == 6
  Step(int by, int last) : by(by), last(last) { this->by = counter; }
#else
  Step(int by, int last) : by(by), last(last) {}
#endif
};

__global__ void fill(Tile tile, Step step) {
  int row = threadIdx.y % tile.size.height;
  int cell = blockIdx.x * 64 + row * tile.stride + threadIdx.x;
  tile.out[cell * step.by] = threadIdx.y + step.last; // expect 1,2,3,4,5,6,7,8,9,10,11: race on 'tile.out'
}

void launch(int *out, int n) {
#if BUG == 1
  Tile tile = {out};
#elif BUG == 7
  Tile tile = {out, n++ & 8};
#elif BUG == 8
  Tile tile = {out, 4, 8, {}};
#elif BUG == 11
  Tile tile = Tile();
  int height = tile.size.width * 8;
  tile.size.height = height ? 1 : 8;
  tile.stride = 8;
  tile.out = out;
#elif BUG == 9
  Tile tile = {.out = out, .stride = n, .depth = 8, .size = {8, 8}};
#else
  Tile tile = {out, 8, 1, {}};
#endif
#if BUG == 4
  tile.stride = n;
#elif BUG == 10
  int length = 8;
  tile = {out, length, 8, {}};
  length = n;
  tile.stride = length;
#endif
  Tile copy;
  copy = tile;
  Tile second = copy;
  fill<<<n, dim3(8, 8)>>>(second, Step{1, n});
}
