// What a texture holds may be anything, and reading it races with nobody: no
// kernel can write there while it is bound as a texture.
//
// args:     --blockDim=64 --gridDim=4
// verdict:  verified
// bug 1:    racy       two threads for each place

__global__ void look(cudaTextureObject_t image, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float pixel = tex2D<float>(image, i, 0);
#if BUG == 1
  i /= 2;
#endif
  out[i] = pixel; // expect 1: write-write race on 'out'
}
