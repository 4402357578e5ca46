// A precondition says that the regions are apart.
//
// args:     --blockDim=64 --gridDim=8
// verdict:  verified
// bug 1:    racy       no precondition
// bug 2:    racy       a precondition that does not suffice

__global__ void move(int *data, int distance) {
#if BUG == 2
  __requires(distance >= 511);
#elif BUG != 1
  __requires(distance >= 512);
#endif
  int i = blockIdx.x * 64 + threadIdx.x;
  data[i] = data[i + distance]; // expect 1,2: read-write race on 'data'
}
