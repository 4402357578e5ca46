// Insertion into a hash table with open addressing: a key is there once.
//
// args:     --check=assert,final-state --observe=found --canonical=look_up
// verdict:  passed
// bug 1:    schedule-dependent  a place is looked at, then written
// bug 2:    schedule-dependent  the value is counted before the key is there

enum { PLACES = 4, KEYS = 2 };

__device__ int claim(int *keys, int place, int key) {
#if BUG == 1
  int old = atomicAdd(&keys[place], 0);
  if (!old)
    atomicExch(&keys[place], key);
  return old;
#else
  return atomicCAS(&keys[place], 0, key);
#endif
}

__device__ void insert(int *keys, int *counts, int key) {
  for (int place = key % PLACES;; place = (place + 1) % PLACES) {
#if BUG == 2
    atomicAdd(&counts[place], 1);
#endif
    int old = claim(keys, place, key);
    if (!old || old == key) {
#if BUG != 2
      atomicAdd(&counts[place], 1);
#endif
      return;
    }
  }
}

__global__ void hash_insert(int *keys, int *counts, int *found) {
  insert(keys, counts, 1);
  insert(keys, counts, 5 + 4 * (blockIdx.x % 2));
}

__device__ void look_up(int *keys, int *counts, int *found) {
  for (int i = 0; i < PLACES; i++)
    found[i] = 0;
  for (int i = 0; i < PLACES; i++)
    if (keys[i])
      found[keys[i] / PLACES] = 10 * found[keys[i] / PLACES] + counts[i];
}
