// A message behind a flag: what orders it, by what the flag's operations say.
//
// bug 1: race  the flag is stored without an order
// bug 2: race  ... and looked at without one
// bug 3: race  who counts in between passes nothing on, for another has stored
// bug 4: race  the fence that releases stands behind the flag
// bug 5: race  the fence that acquires stands before it
// bug 6: race  a fence is for the compiler alone
// bug 7: race  a counter that is relaxed says that the others have ended

#include <pthread.h>
#include <stdatomic.h>

#define RELAXED memory_order_relaxed
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire

static _Atomic int flag, fence_flag, left = 2;
static int message, fenced, sum[2], total;

// Behind what it has released a thread's own stores go on with that.
static void *send(void *unused) {
  message = 42;
  atomic_store_explicit(&flag, 1, BUG == 1 ? RELAXED : RELEASE);
  if (BUG != 1)
    atomic_store_explicit(&flag, 2, RELAXED);
  fenced = 43;
  if (BUG != 4 && BUG != 6)
    atomic_thread_fence(RELEASE);
  if (BUG == 6)
    atomic_signal_fence(memory_order_seq_cst);
  atomic_store_explicit(&fence_flag, 1, RELAXED);
  if (BUG == 4)
    atomic_thread_fence(RELEASE);
  return unused;
}

// An operation that reads and writes is a link of the chain, a store is none.
static void *count(void *unused) {
  if (BUG == 3 && atomic_load_explicit(&flag, RELAXED))
    atomic_store_explicit(&flag, 3, RELAXED);
  else
    atomic_fetch_add_explicit(&flag, 4, RELAXED);
  return unused;
}

static void *receive(void *unused) {
  int seen = atomic_load_explicit(&flag, BUG == 2 ? RELAXED : ACQUIRE) & 3;
  if (BUG == 3 ? seen == 3 : seen)
    total += message;
  if (BUG == 5)
    atomic_thread_fence(ACQUIRE);
  if (!atomic_load_explicit(&fence_flag, RELAXED))
    return unused;
  if (BUG != 5)
    atomic_thread_fence(ACQUIRE);
  total += fenced;
  return unused;
}

static void *add(void *own) {
  *(int *)own = 1;
  if (atomic_fetch_sub_explicit(&left, 1,
                                BUG == 7 ? RELAXED : memory_order_acq_rel) == 1)
    total += sum[0] + sum[1];
  return own;
}

static void run(void *(*const *bodies)(void *), int many, int *own) {
  pthread_t threads[3];
  for (int i = 0; i < many; i++)
    pthread_create(&threads[i], NULL, bodies[i], own ? &own[i] : NULL);
  for (int i = 0; i < many; i++)
    pthread_join(threads[i], NULL);
}

int main(void) {
  void *(*const messages[])(void *) = {send, count, receive};
  void *(*const adders[])(void *) = {add, add};
  run(messages, 3, NULL);
  run(adders, 2, sum);
  return total < 2;
}
