// A queue in the shared memory of the first block of a cluster: all blocks draw
// tickets there and put what they have at their place.
//
// args:     --check=assert -arch=sm_90
// verdict:  passed
// bug 1:    assertion   tickets are drawn with a read and a write
// bug 2:    assertion   no barrier of the cluster before what was put is read

#include <assert.h>
#include <cooperative_groups.h>

__global__ void tickets() {
  __shared__ int next, queue[4];
  cooperative_groups::cluster_group cluster =
      cooperative_groups::this_cluster();
  next = 0;
  for (int i = 0; i < 4; i++)
    queue[i] = -1;
  cluster.sync();
  volatile int *counter = cluster.map_shared_rank(&next, 0);
  volatile int *places = cluster.map_shared_rank(queue, 0);
#if BUG == 1
  int mine = *counter;
  *counter = mine + 1;
#else
  int mine = atomicAdd((int *)counter, 1);
#endif
  places[mine] = cluster.block_rank();
#if BUG == 2
  cluster.barrier_arrive();
#else
  cluster.sync();
#endif
  int sum = 0;
  for (unsigned i = 0; i < cluster.num_blocks(); i++)
    sum += places[i];
  assert(sum == (int)(cluster.num_blocks() * (cluster.num_blocks() - 1) / 2));
#if BUG == 2
  cluster.barrier_wait();
#endif
  cluster.sync();
}
