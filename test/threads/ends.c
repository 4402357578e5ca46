// What happens where no line of the program stands: a key's destructor, a
// thread that is a function of the library, a handler at exit, a lock that is
// gone when a thread comes to it, and a thread that gives way among others that
// only look.
//
// bug 1: use-after-free  a destructor frees what main reads
// bug 2: use-after-free  a thread that frees
// bug 3: use-after-free  a condition is signalled that its waiter has freed
// bug 4: use-after-free  a semaphore is posted that its waiter has freed
// bug 5: assertion       a thread looks while the last handler has ended
// bug 6: assertion       a thread yields and writes while main reads a table
// bug 7: assertion       a semaphore's value is read where others write it
// bug 8: assertion       a thread reads a table, yields and writes

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>

typedef struct Gate {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  sem_t counted;
  int is_open;
} Gate;

static pthread_key_t key;
static int *block;
static Gate *gate;
static sem_t count;
#if BUG == 1 || BUG == 2 || BUG == 7
static int value;
#endif
static _Atomic int state;
#if BUG == 6 || BUG == 8
static int table[80];
static _Atomic int last;
#endif

static void end(void) { state = BUG == 5; }

#if BUG != 2
static void *work(void *unused) {
#if BUG == 1
  pthread_setspecific(key, block);
#elif BUG == 3
  pthread_mutex_lock(&gate->lock);
  gate->is_open = 1;
  pthread_mutex_unlock(&gate->lock);
  pthread_cond_signal(&gate->opened);
#elif BUG == 4
  pthread_mutex_lock(&gate->lock);
  gate->is_open = 1;
  pthread_mutex_unlock(&gate->lock);
  sem_post(&gate->counted);
#elif BUG == 5
  assert(!state);
#elif BUG == 6 || BUG == 8
  int sum = 0;
  for (int i = 0; BUG == 8 && i < 80; i++)
    sum += table[i];
  sched_yield();
  last = 1 + sum;
#elif BUG == 7
  sem_getvalue(&count, &value);
#else
  pthread_mutex_lock(&gate->lock);
  gate->is_open = 1;
  pthread_cond_signal(&gate->opened);
  pthread_mutex_unlock(&gate->lock);
#endif
  return unused;
}
#endif

#if BUG == 3 || BUG == 4
static void wait_and_free(void) {
  pthread_mutex_lock(&gate->lock);
  while (BUG != 4 && !gate->is_open)
    pthread_cond_wait(&gate->opened, &gate->lock);
  int is_open = gate->is_open;
  pthread_mutex_unlock(&gate->lock);
  if (is_open)
    free(gate);
}
#endif

int main(void) {
  pthread_t thread;
  block = calloc(8, sizeof *block);
  gate = calloc(1, sizeof *gate);
  pthread_mutex_init(&gate->lock, NULL);
  pthread_cond_init(&gate->opened, NULL);
  sem_init(&gate->counted, 0, 0);
  sem_init(&count, 0, 3);
  pthread_key_create(&key, free);
  atexit(end);
#if BUG == 2
  pthread_create(&thread, NULL, (void *(*)(void *))free, block);
#else
  pthread_create(&thread, NULL, work, NULL);
#endif
#if BUG == 1 || BUG == 2
  value = block[5];
#elif BUG == 3 || BUG == 4
  wait_and_free();
#elif BUG == 5
  return 0;
#elif BUG == 8
  int seen = last;
  assert(last == seen);
#elif BUG == 6
  int sum = 0;
  for (int i = 0; i < 80; i++)
    sum += table[i];
  assert(!sum && !last);
#elif BUG == 7
  value = 1;
  value = 0;
  assert(!value);
#endif
  pthread_join(thread, NULL);
  if (BUG != 1 && BUG != 2)
    free(block);
  if (BUG != 3 && BUG != 4)
    free(gate);
  return 0;
}
