// A small class whose methods index shared memory.
//
// args:     --blockDim=[16,4] --gridDim=1
// verdict:  verified
// bug 1:    racy       the pitch is smaller than a row

class Tile {
public:
  __device__ Tile(float *at, int pitch) : at(at), pitch(pitch) {}
  __device__ float &operator()(int y, int x) { return at[y * pitch + x]; }

private:
  float *at;
  int pitch;
};

__global__ void flip(const float *in, float *out) {
  __shared__ float memory[64];
#if BUG == 1
  Tile tile(memory, 15);
#else
  Tile tile(memory, 16);
#endif
  int x = threadIdx.x, y = threadIdx.y;
  tile(y, x) = in[y * 16 + x]; // expect 1: write-write race on 'memory'
  __syncthreads();
  out[y * 16 + x] = tile(3 - y, 15 - x);
}
