// Pointers in bytes that the kernel does not write: behind an argument, behind
// such a pointer, in a copy of the struct, in an array of pointers; beside bytes
// that it writes.
//
// args:     --ladder=pointers-apart
// verdict:  verified
// assumes:  thread-count, unused-dimensions, launch-limits, no-alias, pointers-apart
// bug 1:    racy      the neighbour's cell of one array
// bug 2:    unknown   the kernel sets a pointer
// bug 3:    unknown   .. or half of it
// bug 4:    unknown   .. by an atomic
// bug 5:    unknown   a thread waits for the pointer
// bug 6:    unknown   each block has another pointer
// bug 7:    racy      the neighbour's cell behind two pointers
// bug 8:    racy      .. of an array of pointers
// bug 9:    racy      .. of the copy
// bug 10:   racy      there may be no array
// bug 11:   racy      two pointers may be equal
// bug 12:   unknown   another function sets the pointer
// bug 13:   racy      it is set by way of another pointer
// bug 14:   unknown   one of several pointers is set
// bug 15:   unknown   bytes are copied over it

struct Grid {
  float *cells, *next;
  int width;
};

struct State {
  float *old, *now;
  Grid *grid;
  float *levels[4];
  int first, changes;
};

#if BUG == 12
__device__ __noinline__ void turn(State *state) { state->now = state->old; }
#endif

__global__ void step(State *state, State *other, float **rows, int *flags) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  State copy = *other;
  if (i == 0)
    state->first = 1;
#if BUG == 5
  float *now = *(float *volatile *)&state->now;
#else
  float *now = state->now;
#endif
#if BUG == 1
  now[i] = now[i + 1] + i; // expect 1: read-write race on 'state->now'
#else
  now[i] = state->old[i + 1];
#endif
#if BUG == 2
  if (i == 0)
    state->now = state->old;
#elif BUG == 3
  if (i == 0)
    ((int *)&state->now)[1] = 1;
#elif BUG == 4
  atomicExch((unsigned long long *)&state->now, 0);
#elif BUG == 14
  if (i < 4)
    state->levels[i] = now;
#elif BUG == 15
  if (i == 0)
    __builtin_memcpy(&state->grid, &other->grid, 8 * 3);
#elif BUG == 12
  if (i == 0)
    turn(state);
#elif BUG == 13
  if (i == 0)
    state->grid->next = now;
  state->grid->next[i] = i; // expect 13: race on 'state->grid'
#endif
  state->grid->cells[i] = i;
#if BUG == 7
  state->grid->cells[i + 1] = i; // expect 7: race on '*state->grid'
#endif
  state->levels[2][i] = state->levels[3][i + 1];
#if BUG == 8
  rows[1][i] = rows[1][i + 1] + i; // expect 8: race on 'rows[1]'
#elif BUG == 6
  rows[blockIdx.x][threadIdx.x] = i;
#else
  rows[1][i] = rows[0][i + 1];
#endif
#if BUG == 9
  copy.now[i / 2] = i; // expect 9: write-write race on 'other->now'
#else
  copy.now[i] = copy.old[i + 1];
#endif
#if BUG == 10
  if (!state->now)
    flags[0] = i; // expect 10: write-write race on 'flags'
#elif BUG == 11
  if (state->now == state->old)
    flags[0] = i; // expect 11: write-write race on 'flags'
#else
  flags[i] = atomicAdd(&state->changes, 1);
#endif
}
