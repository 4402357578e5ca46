// What the rows of docs/RACES.md are written with.

#define WORDS 4

#define NAMES(space, words)                                                    \
  space uint *p = (space uint *)(words);                                       \
  volatile space uint *v = p;                                                  \
  volatile space atomic_uint *a = (volatile space atomic_uint *)p;             \
  uint x = 0;

#define BLOCK(name, space, memory, start, one, two)                            \
  kernel void name(global ulong *all, global uint *out) {                      \
    memory NAMES(space, words) start if (get_global_id(0) == 0) { one; }       \
    else if (get_global_id(0) == 32) {                                         \
      two;                                                                     \
    }                                                                          \
    out[get_global_id(0)] = x;                                                 \
  }

#define ROW(name, one, two)                                                    \
  BLOCK(name##_global, global, global ulong *words = all;, , one, two)         \
  BLOCK(name##_shared, local, local ulong words[WORDS];                        \
        , if (get_local_id(0) < WORDS) words[get_local_id(0)] = 0;             \
        barrier(CLK_LOCAL_MEM_FENCE);, one, two)                               \
  kernel void name##_blocks(global ulong *words, global uint *out) {           \
    NAMES(global, words)                                                       \
    if (get_group_id(0) == 0 && get_local_id(0) == 0) {                        \
      one;                                                                     \
    } else if (get_group_id(0) == 1 && get_local_id(0) == 0) {                 \
      two;                                                                     \
    }                                                                          \
    out[get_global_id(0)] = x;                                                 \
  }
