// Variables of blocks are used as long as their blocks last.
//
// bug 1: use-after-free  a thread uses one of a block that has ended
// bug 2: use-after-free  the same thread does, by a pointer that was left
// bug 3: use-after-free  a thread uses one of a function that has returned
// bug 4: use-after-free  a mutex is one of a block that has ended
// bug 5: use-after-free  one of a loop, which each round has anew

#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static int *kept, sum;
static pthread_mutex_t *lock;
static jmp_buf back;

static void *add(void *at) {
  ++*(int *)at;
  return NULL;
}

static void *take(void *at) {
  pthread_mutex_lock(at);
  sum++;
  pthread_mutex_unlock(at);
  return NULL;
}

static void join(pthread_t thread) { pthread_join(thread, NULL); }

static void in_a_block(void) {
  pthread_t thread;
  {
    int number = 1;
    pthread_create(&thread, NULL, add, &number);
    if (BUG != 1)
      join(thread);
  }
  if (BUG == 1)
    join(thread);
}

static void after_it(void) {
  {
    int number = 3;
    kept = &number;
    sum += *kept;
  }
  if (BUG == 2)
    sum += *kept;
}

static pthread_t start(void) {
  int number = 5;
  pthread_t thread;
  pthread_create(&thread, NULL, add, &number);
  if (BUG != 3)
    join(thread);
  return thread;
}

static void with_a_mutex(void) {
  pthread_t thread;
  {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    lock = &mutex;
    pthread_create(&thread, NULL, take, lock);
    if (BUG != 4)
      join(thread);
  }
  if (BUG == 4)
    join(thread);
}

static void in_a_loop(void) {
  kept = NULL;
  for (int i = 0; i < 3; i++) {
    if (BUG == 5 && kept)
      sum += *kept;
    int number = i;
    kept = &number;
    sum += *kept;
  }
}

// Calls that have the places of others, by jumps and by ends.
static int deep(int depth) {
  int number = depth;
  kept = &number;
  {
    int other = depth;
    kept = &other;
    ++*kept;
  }
  int below = depth ? deep(depth - 1) : 0;
  kept = &number;
  return below + *kept;
}

static void leap(void) {
  {
    int numbers[64] = {1};
    kept = numbers;
  }
  longjmp(back, 1);
}

static int jumped(void) {
  if (!setjmp(back))
    leap();
  return deep(1);
}

// The mark of its beginning would be jumped over.
static int entered(int which) {
  switch (which) {
    int number;
  case 0:
    number = 1;
    kept = &number;
    return *kept;
  default:
    goto inside;
  }
  {
    int other;
  inside:
    other = 2;
    kept = &other;
    return *kept;
  }
}

int main(void) {
  in_a_block();
  after_it();
  pthread_t thread = start();
  if (BUG == 3)
    join(thread);
  with_a_mutex();
  in_a_loop();
  assert(sum == 7);
  assert(deep(3) == 6 && jumped() == 1 && deep(2) == 3);
  assert(entered(0) + entered(1) == 3);
  return 0;
}
