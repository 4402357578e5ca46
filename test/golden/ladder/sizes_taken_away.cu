// Edges that are taken away from a size may have any width: what is said of the
// rows that are left says nothing of it.
//
// args:     --ladder=all --no-confirm
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, sizes-fit
// bug 1:    racy     two columns are one where the edge is two cells wide
// bug 2:    racy     ... of what a guard takes away
// bug 3:    racy     ... of both edges
// bug 4:    racy     ... of a half of what is left
// bug 5:    racy     a hash of the edge is no size

#if BUG == 2
#define PITCH columns
#define ROWS (rows - edge)
#elif BUG == 3
#define PITCH (columns - 2 * edge)
#define ROWS rows
#elif BUG == 4
#define PITCH ((columns - edge) / 2)
#define ROWS rows
#elif BUG == 5
#define PITCH (columns + edge * 0x9e3779b1u)
#define ROWS rows
#else
#define PITCH (columns - edge)
#define ROWS rows
#endif

__global__ void copy(float *out, const float *in, unsigned columns,
                     unsigned rows, unsigned edge) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned cells = BUG && BUG != 5 && edge >= 2 ? 2 : 1;
  if (x < PITCH && y < ROWS)
    out[y * PITCH + x / cells] = in[7 * x + y]; // expect 1,2,3,4,5: race on 'out'
}
