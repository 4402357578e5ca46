// cp.async: bytes that come when their thread waits for them.
//
// args:     --detect=races
// verdict:  passed
// prints:   out = 97 97 97 97
// bug 1:    racy        its own thread does not wait
// bug 2:    racy        another thread reads before the barrier
// bug 3:    racy        the wait is for the wrong group
// bug 4:    racy        the wait comes behind the barrier
// bug 5:    racy        what is copied is written in between
// bug 6:    racy        two copies to one place
// bug 7:    out-of-bounds  behind the end
// bug 8:    crash       an address that is no multiple of 16
// bug 9:    racy        it is overwritten before it comes

#define COPY(to, from)                                                         \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(               \
                   (unsigned)__cvta_generic_to_shared(to)),                    \
               "l"(from)                                                       \
               : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")

__global__ void async_copies(int *in, int *out) {
  __shared__ __align__(16) int tile[2][64];
  __shared__ __align__(16) int wide[64];
  int i = threadIdx.x;
  COPY(&tile[0][i], in + i + (BUG == 7 && i == 63 ? 128 : 0)); // says 7: outside
  COMMIT;
  COPY(&tile[BUG != 6][i], in + 64 + i); // says 6: write-write race on 'tile'
  COMMIT;
  if (BUG == 5)
    in[i] = i; // says 5: race on 'in': the copy is asynchronous
  if (BUG == 9)
    tile[0][i] = 5; // says 9: write-write race on 'tile'
  if (BUG == 3)
    asm volatile("cp.async.wait_group 2;" ::: "memory");
  else if (BUG != 1 && BUG != 4)
    asm volatile("cp.async.wait_group 1;" ::: "memory");
  int own = tile[0][i]; // says 1,3: read-write race on 'tile': the copy is
  if (BUG != 2)
    __syncthreads();
  int other = tile[0][63 - i]; // says 2,4: reads tile
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  if (i % 4 == 0)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" // says 8: 16
                 ::"r"((unsigned)__cvta_generic_to_shared(wide + i)),
                 "l"(in + i + (BUG == 8)), "r"(i < 32 ? 16 : 4)
                 : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[i] = own + other + tile[1][i] % 2 * 0 + wide[i] * (i >= 32) + 34;
}
