// As many blocks as fit into a row, whose length is an argument.
//
// verdict:  verified
// bug 1:    racy       a block more, for the rest
// bug 2:    racy       the length is changed between
// bug 3:    racy       the length is changed by who gets its address
// bug 4:    racy       the argument is another one's length
// bug 5:    racy       a second launch without this relation
// bug 6:    racy       changed in the launch itself
// bug 7:    racy       the loop has changed it since
// bug 8:    racy       narrower: what is cut off is missing

#if BUG == 8
typedef unsigned char Length;
#else
typedef int Length;
#endif

__global__ void number_row(int *out, Length length) {
  size_t x = blockIdx.x * 128 + threadIdx.x;
  if (length > 0)
    out[(size_t)blockIdx.y * length + x] = blockIdx.y; // expect 1,2,3,4,5,6,7,8: write-write race on 'out'
}

int get();
void use(int *);

void launch(int *out, int length, int rows) {
#if BUG == 1
  dim3 grid((length + 127) / 128, rows);
#else
  dim3 grid(length / 128, rows);
#endif
#if BUG == 2
  length = length - 1;
#elif BUG == 3
  use(&length);
#elif BUG == 4
  length = rows;
#elif BUG == 5
  number_row<<<dim3(length, rows), 128>>>(out, length);
#endif
#if BUG == 6
  number_row<<<grid, 128>>>(out, length--);
#elif BUG == 7
  for (int i = 0; i < rows; i++) {
    number_row<<<grid, 128>>>(out, length);
    if (i == 7)
      length -= get();
  }
#else
  number_row<<<grid, 128>>>(out, length);
#endif
}
