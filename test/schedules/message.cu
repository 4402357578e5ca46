// A message and the flag that says that it is there; who does not find it there
// goes away without.
//
// The first block comes first in the canonical schedule, and so its message is
// always there.  Only where it is delayed does the other branch run.
//
// args:     --check=assert,race
// verdict:  passed
// bug 1:    racy    the message is read although it is not there
// bug 2:    racy    it is cleared by whoever has not found it
// bug 3:    racy    no fence behind the flag, in the canonical schedule, too

__global__ void message(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *data = 42; // says 1,2: race on 'data'
    __threadfence();
    atomicExch(flag, 1);
    return;
  }
  if (atomicAdd(flag, 0) == 1) {
#if BUG != 3
    __threadfence();
#endif
    out[0] = *data; // says 3: read-write race
    return;
  }
#if BUG == 1
  out[0] = *data;
#elif BUG == 2
  *data = 0;
#endif
}
