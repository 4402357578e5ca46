// Threads of even number write one field, the others another field of the same
// element.
//
// args:     --blockDim=64 --gridDim=1
// verdict:  verified
// bug 1:    racy       both write the whole element

struct Particle {
  float x, y;
  int id;
};

__global__ void update(Particle *p) {
  int t = threadIdx.x;
  Particle *mine = &p[t / 2];
#if BUG == 1
  *mine = Particle{(float)t, 0, t}; // expect 1: write-write race on 'p'
#else
  if (t % 2)
    mine->id = t;
  else
    mine->x = t;
#endif
}
