// All threads that find something store the same value: a race if asked for.
//
// args:     --blockDim=64 --gridDim=4 --no-benign-tolerance
// verdict:  racy

__global__ void find(const int *in, int *found, int what) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (in[i] == what)
    found[0] = 1; // expect 0: write-write race on 'found'
}
