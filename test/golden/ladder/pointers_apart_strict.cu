// Two pointers in memory may be into one array, with --strict.
//
// args:     --strict
// verdict:  unknown
// bug 1:    racy      one array is enough for a race
// bug 2:    verified  no access goes through them

struct State {
  float *old, *now;
  int count;
};

__global__ void step(State *state, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  state->now[i] = state->now[i + 1] + i; // expect 1: read-write race
#elif BUG == 2
  out[i] = state->count;
#else
  state->now[i] = state->old[i + 1];
#endif
}
