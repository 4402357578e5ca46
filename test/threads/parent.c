// A thread starts another one and gives it a variable of its own.
//
// bug 1:    use-after-free  the first one may have ended before it is read
// bug 2:    use-after-free  the second one returns the address of a variable
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t second;
static int seen;

static void *read_it(void *arg) {
  static int kept;
  int own = *(int *)arg;
  kept = own;
  return BUG == 2 ? &own : &kept;
}

static void *start(void *arg) {
  int number = 5;
  void *result;
  pthread_create(&second, NULL, read_it, &number);
  if (BUG == 1)
    return arg;
  pthread_join(second, &result);
  seen = *(int *)result;
  return arg;
}

int main(void) {
  pthread_t first;
  pthread_create(&first, NULL, start, NULL);
  pthread_join(first, NULL);
  if (BUG == 1)
    pthread_join(second, NULL);
  else
    assert(seen == 5);
  return 0;
}
