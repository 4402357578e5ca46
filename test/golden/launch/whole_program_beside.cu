// Two launches that one fact is about: of one of them it is certain, of the
// other one so only if the file is the whole program.
//
// args:     --ladder=whole-program
// verdict:  verified
// assumes:  thread-count, launch-limits, whole-program
// bug 1:    racy     the fact of the second launch is another one
// bug 2:    racy     .. of the first one

__global__ void rest(int *cells, unsigned parts) {
  if (blockIdx.x >= 4 * parts)
    cells[0] = (int)threadIdx.x; // expect 1,2: race on 'cells'
}

static void run_four(int *cells, unsigned parts) {
  rest<<<parts * (BUG == 2 ? 5 : 4), 32>>>(cells, parts);
}

void run(int *cells, unsigned parts, unsigned each) {
  rest<<<parts * each, 32>>>(cells, parts);
}

int main(int count, char **words) {
  run_four((int *)words, count);
  run((int *)words, count, BUG == 1 ? 5 : 4);
}
