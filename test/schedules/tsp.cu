// A short round trip: each thread improves a tour of its own by exchanges of
// two edges, and the best one is kept under a lock.
//
// The mistake: whether a tour is the best one is asked before the lock is
// taken, and not again inside.
//
// cells 2 pa:  TP TP TN TN
// cells 2 fc:  TP TP TN TN
// cells 3 pa:  TP TP TN TN
// cells 3 fc:  TP TP TN TN
// verdict:     passed
// bug 1:       assertion   the question is not asked again under the lock

#include <assert.h>

enum { CITIES = 5 };

__device__ int distance(const int *place, int a, int b) {
  int x = place[2 * a] - place[2 * b], y = place[2 * a + 1] - place[2 * b + 1];
  return (x < 0 ? -x : x) + (y < 0 ? -y : y);
}

__device__ int length_of(const int *place, const int *tour) {
  int sum = 0;
  for (int i = 0; i < CITIES; i++)
    sum += distance(place, tour[i], tour[(i + 1) % CITIES]);
  return sum;
}

// One exchange that makes it shorter; false if there is none.
__device__ bool improve(const int *place, int *tour, int *length) {
  for (int i = 1; i < CITIES - 1; i++)
    for (int j = i + 1; j < CITIES; j++) {
      int kept = tour[i];
      tour[i] = tour[j];
      tour[j] = kept;
      int now = length_of(place, tour);
      if (now < *length) {
        *length = now;
        return true;
      }
      tour[j] = tour[i];
      tour[i] = kept;
    }
  return false;
}

__device__ void keep(int *best, int *best_tour, const int *tour, int length) {
  *best = length;
  for (int i = 0; i < CITIES; i++)
    best_tour[i] = tour[i];
}

__global__ void tsp(int *best, int *best_tour, int *lock, int *next,
                    unsigned *done, int *lengths, const int *place,
                    int exchanges) {
  int tour[CITIES], start = atomicAdd(next, 1);
  for (int i = 0; i < CITIES; i++)
    tour[i] = (i * (start + 1)) % CITIES;
  int length = length_of(place, tour);
  for (int i = 0; i < exchanges && improve(place, tour, &length); i++) {
  }
  lengths[start] = length;
#if BUG == 1
  if (length < *(volatile int *)best) {
#endif
    while (atomicCAS(lock, 0, 1) != 0) { // says 1: waits before it updates
    }
#if BUG != 1
    if (length < *(volatile int *)best) {
#endif
      keep(best, best_tour, tour, length);
#if BUG != 1
    }
#endif
    __threadfence();
    atomicExch(lock, 0);
#if BUG == 1
  }
#endif
  __threadfence();
  if (atomicAdd(done, 1) != gridDim.x - 1)
    return;
  assert(*best == length_of(place, best_tour));
  for (int i = 0; i < gridDim.x; i++)
    assert(*best <= lengths[i]); // says 1: assertion failed
}
