// A comment with its reason makes of a race a known one: on its line, or on the
// next one if it stands alone.  All else has to be proved.
//
// verdict: suppressed
// bug 1: racy    the comment has no reason
// bug 2: racy    the comment is about another kind of finding
// bug 3: racy    another line races, too
// bug 4: racy    the comment is part of a literal
// bug 5: divergent  a barrier is another finding

__global__ void publish(int *any, int *other, int *own) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#if BUG == 1
  // gpuverify-suppress(race):
  any[0] = i; // expect 1: write-write race on 'any'
#elif BUG == 2
  // gpuverify-suppress(divergence): one of them is enough
  any[0] = i; // expect 2: write-write race on 'any'
#elif BUG == 4
  any[0] = i + sizeof "// gpuverify-suppress(race): one"; // expect 4: write
#else
  any[0] = i; // gpuverify-suppress(race): one of them is enough
#endif
  // gpuverify-suppress(race, out-of-bounds): as above,
  // and nobody reads it
  other[0] = i;
  own[BUG == 3 ? 0 : i] = i; // expect 3: write-write race on 'own'
#if BUG == 5
  if (i < 3)
    __syncthreads(); // expect 5: barrier divergence
#endif
}
