// The sizes are those of the launches in this file, as far as they are
// certain.  Who launches the kernel from elsewhere is on his own.
//
// verdict:  verified
// bug 1:    racy       the size is a variable that somebody may assign to

static int threads = 64;

#if BUG == 1
void set_threads(int number) { threads = number; }
#endif

__global__ void stamp() {
  __shared__ int cell[64];
  cell[threadIdx.x % 64] = threadIdx.x; // expect 1: race on 'cell'
}

void run() { stamp<<<4, threads>>>(); }
