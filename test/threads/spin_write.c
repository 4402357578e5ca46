// A thread looks so often that others are let go on twice, and then writes; the
// other one reads that in two parts.
//
// args:     -DN=780
// bug 1:    assertion   the second part is read without asking again

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int looked, turn, first, second;

static void *write_both(void *arg) {
  for (int i = 0; i < N; i++)
    if (atomic_load(&looked))
      return arg;
  atomic_store(&first, 1);
  atomic_store(&second, 1);
  return arg;
}

static void *read_both(void *arg) {
  int one = atomic_load(&first);
  int other = atomic_load(&second);
#if BUG == 1
  assert(one == other);
#else
  assert(one <= other || one == 1);
#endif
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, write_both, NULL);
  pthread_create(&threads[1], NULL, read_both, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
