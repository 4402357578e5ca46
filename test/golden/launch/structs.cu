// Members of a struct that is an argument, as the host assigns them.
//
// verdict:  verified
// bug 1:    racy       a member is assigned on one way alone
// bug 2:    racy       somebody has the struct's address
// bug 3:    racy       ... or a reference to it, in a function of its own
// bug 4:    racy       ... or a member's address
// bug 5:    racy       an element that is not known is assigned to
// bug 6:    racy       a union has the member by another name
// bug 7:    racy       another whole is assigned behind
// bug 8:    racy       a lambda has it
// bug 9:    racy       a function that makes it may know it
// bug 10:   racy       a constructor tells of it
// bug 11:   racy       an initialiser of a member tells of it
// bug 12:   racy       an operator assigns it
// bug 13:   racy       the number does not fit into the member
// bug 14:   racy       a pointer to a member assigns it
// bug 15:   racy       it is not the loop's first time
// bug 16:   racy       the member is of an object that is one of two
// bug 17:   racy       one of two launches has another number
// bug 18:   racy       the kernel reads two members at once

struct Rows {
  int *first;
  short pitch;
};

struct View {
  int *out;
  Rows rows;
  dim3 sizes;
#if BUG == 6
  union {
    int scale[2];
    short half[4];
  };
#else
  int scale[2];
#endif
#if BUG == 10
  View();
#elif BUG == 11
  View *self = keep(this);
  static View *keep(View *);
#elif BUG == 12
  View &operator=(int scale);
#endif
};

__global__ void fill(View view, int column) {
  int cell = threadIdx.y * view.rows.pitch + threadIdx.x;
#if BUG == 18
  long long both = *(const long long *)&view.sizes.y;
  cell = both == 64 ? cell : 0;
#endif
  view.out[(blockIdx.x * view.sizes.y + cell) * view.scale[1] + column] = threadIdx.x + threadIdx.y; // expect 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18: race on 'view.out'
}

#if BUG == 10
View *made;
View::View() { made = this; }
#elif BUG == 9
View make();
#endif
void know(View *);
void refer(View &);
void point(int *);

void launch(int *out, int n, bool some) {
#if BUG == 9
  View view = make();
#else
  View view;
#endif
#if BUG == 1
  if (some)
#endif
    view.rows.pitch = 16;
#if BUG == 13
  view.rows.pitch = 65536 + n * 65536;
#endif
  view.out = out;
  view.sizes = dim3(n, 64);
  view.scale[1] = 2;
#if BUG == 2
  know(&view);
#elif BUG == 3
  refer(view);
#elif BUG == 4
  point(&view.scale[1]);
#elif BUG == 5
  view.scale[1] = 1;
  view.scale[n] = 2;
#elif BUG == 6
  view.half[2] = n;
#elif BUG == 7
  View other = {};
  view = other;
#elif BUG == 8
  auto change = [&] { view.scale[1] = 1; };
  change();
#elif BUG == 12
  view = 1;
#elif BUG == 14
  short Rows::*member = &Rows::pitch;
  view.rows.*member = 1;
#elif BUG == 16
  View other;
  (some ? view : other).rows.pitch = 1;
#endif
#if BUG == 15
  for (int i = 0; i < 2; i++) {
    fill<<<n, dim3(16, 4)>>>(view, 0);
    view.rows.pitch = i;
  }
#else
  fill<<<n, dim3(16, 4)>>>(view, 0);
#endif
#if BUG == 17
  view.scale[1] = 0;
  fill<<<n, dim3(16, 4)>>>(view, 0);
#endif
}
