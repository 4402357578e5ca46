// Shortest ways with a list of vertices to look at, which ends when it is empty
// and nobody works any more.
//
// Each block takes vertices from the list until there is nothing left to come.
//
// args:     --check=assert,final-state --observe=distance
// verdict:  passed
// bug 1:    schedule-dependent  a distance is compared, then written
// bug 2:    deadlock            a place that is not filled yet is passed over

enum { VERTICES = 4, EDGES = 5, FAR = 1000 };

__constant__ int from[EDGES] = {0, 0, 1, 2, 1}, to[EDGES] = {1, 2, 3, 1, 2},
                 length[EDGES] = {5, 1, 1, 1, 9};

__device__ bool relax(int *distance, int vertex, int now) {
#if BUG == 1
  int old = atomicAdd(&distance[vertex], 0); // says 1: updates atomically
  if (now < old)
    atomicExch(&distance[vertex], now);
  return now < old;
#else
  return atomicMin(&distance[vertex], now) > now;
#endif
}

__global__ void bellman_ford(int *distance, int *list, int *head, int *tail,
                             int *open) {
  for (;;) {
    int place = atomicAdd(head, 0);
    if (place >= atomicAdd(tail, 0)) {
      if (atomicAdd(open, 0) == 0)
        return;
      continue;
    }
    int vertex = atomicExch(&list[place], -1);
    if (vertex < 0) {
#if BUG == 2
      atomicAdd(head, 1);
#endif
      continue;
    }
    atomicAdd(head, 1);
    int start = atomicAdd(&distance[vertex], 0);
    for (int e = 0; e < EDGES; e++)
      if (from[e] == vertex && relax(distance, to[e], start + length[e])) {
        atomicAdd(open, 1);
        atomicExch(&list[atomicAdd(tail, 1)], to[e]);
      }
    atomicAdd(open, -1);
  }
}
