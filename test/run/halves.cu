// Atomics of halves: order, scope, and that two of them are two; and what
// assembly accesses as a vector lies at a multiple of all of it.
//
// args:     --detect=races
// verdict:  passed
// prints:   sum = 1073758208
// bug 1:    racy        for the block, and there are two
// bug 2:    racy        with an atomic of the whole word
// bug 3:    racy        the flag does not acquire
// bug 4:    misaligned  two halves at an odd one
// bug 5:    misaligned  a vector of two words at an odd one
// bug 6:    misaligned  a vector of four words at an even one, read
// bug 7:    misaligned  an atomic of a word at an odd half
// bug 8:    misaligned  a volatile vector

#define ADD(words, at)                                                         \
  asm volatile("red." words ".add.noftz.f16x2 [%0], %1;" ::"l"(at), "r"(one)   \
               : "memory")

__global__ void halves(unsigned *sum, unsigned *data, int *out) {
  unsigned one = 0x3c003c00, old;
#if BUG == 1
  ADD("relaxed.cta.global", sum); // says 1: atomic-atomic race on 'sum'
#elif BUG == 4
  ADD("global", (char *)sum + 2); // says 4: no multiple of 4
#else
  ADD("global", sum); // says 2: atomic-atomic race on 'sum'
#endif
#if BUG == 2
  atomicAdd(sum, 0u);
#elif BUG == 5
  asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(data + 1), "r"(one)); // says 5: no multiple of 8
#elif BUG == 6
  unsigned parts[4];
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" // says 6: no multiple of 16
               : "=r"(parts[0]), "=r"(parts[1]), "=r"(parts[2]), "=r"(parts[3])
               : "l"(data + 2));
  out[blockIdx.x] = parts[0];
#elif BUG == 7
  atomicAdd((unsigned *)((char *)data + 2), 1u); // says 7: no multiple of 4
#elif BUG == 8
  asm volatile("ld.volatile.global.v2.u32 {%0, %0}, [%1];" // says 8: no multiple of 8
               : "=r"(old) : "l"(data + 1));
#endif
  if (blockIdx.x == 0) {
    data[0] = 7;
    asm volatile("red.release.gpu.global.add.noftz.f16x2 [%0], %1;" ::"l"(data + 1), "r"(one) : "memory");
  } else {
    do
#if BUG == 3
      asm volatile("atom.relaxed.gpu.global.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(data + 1), "r"(0) : "memory");
#else
      asm volatile("atom.acquire.gpu.global.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(data + 1), "r"(0) : "memory");
#endif
    while (old != one);
    out[0] = data[0]; // says 3: read-write race on 'data'
  }
}
