// Where programs expect the CUDA SDK's asynchronous copies of a group.
//
//   memcpy_async(group, to, from, bytes)   cp.async of words, by turns, and a
//                                          group of them; the rest as one byte
//                                          each, at once
//   wait(group), wait_prior<n>(group)      for all of them, or all but the last
//                                          n, and for each other

#ifndef GPUVERIFY_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define GPUVERIFY_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

namespace cooperative_groups {

template <class Group, class T>
static __device__ __forceinline__ void
memcpy_async(const Group &group, T *to, const T *from, size_t bytes) {
  const size_t word = 4;
  bool is_aligned = ((size_t)to | (size_t)from) % word == 0;
  size_t words = is_aligned ? bytes / word : 0, step = group.num_threads();
  for (size_t i = group.thread_rank(); i < words; i += step)
    __pipeline_memcpy_async((char *)to + i * word,
                            (const char *)from + i * word, word);
  for (size_t i = words * word + group.thread_rank(); i < bytes; i += step)
    ((char *)to)[i] = ((const char *)from)[i];
  __pipeline_commit();
}

template <unsigned last, class Group>
static __device__ __forceinline__ void wait_prior(const Group &group) {
  __pipeline_wait_prior(last);
  group.sync();
}

template <class Group>
static __device__ __forceinline__ void wait(const Group &group) {
  wait_prior<0>(group);
}

} // namespace cooperative_groups

#endif
