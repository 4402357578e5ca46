// Written to GPUVerify's own headers: operators over vectors, groups and random
// numbers without an #include.
//
// args:     -include gpuverify/compat.h --blockDim=32 --gridDim=2
// verdict:  verified, verified
// assumes:  launch-limits, no-alias
// bug 1:    racy, verified  each element is written by two threads
// bug 2:    verified, racy  no barrier between a read and a write
// bug 3:    verified, racy  all threads draw from one generator

using namespace cooperative_groups;

__global__ void move(float4 *place, const float4 *speed, float time) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 step = speed[i] * time - 2.0f * speed[i] / 3.0f;
  step += saturate(step.x);
  step *= -step + (float)(make_int3(1, 2, 3) + 4).z;
  place[BUG == 1 ? i / 2 : i] = step + lerp(time, 1, 0.5f); // expect 1: race on 'place'
}

__global__ void draw(unsigned *cells, curandState *states) {
  thread_block block = this_thread_block();
  unsigned i = blockIdx.x * blockDim.x;
  unsigned next = cells[i + (threadIdx.x + 1) % blockDim.x];
#if BUG != 2
  synchronize(block);
#endif
  curandState *state = states + (BUG == 3 ? blockIdx.x : i + threadIdx.x);
  unsigned most = curand(state); // expect 3: race on 'states'
  cells[i + threadIdx.x] = clamp(next, 0u, most); // expect 2: race on 'cells'
}
