// A worker that leaves early gives back what it has; who does not, nobody may
// miss it in this program.  A flag is taken for ever, main has its lock when it
// returns, and the lock of a box goes with the box.
//
// bug 1: still-locked   the early way out forgets the mutex
// bug 2: still-locked   ... the lock to write
// bug 3: still-locked   ... the lock to read
// bug 4: still-locked   ... the spin lock
// bug 5: still-locked   ... a mutex of a block that others can reach
// bug 6: still-locked   the mutex of main's own
// bug 7: still-locked   main is the thread that leaves

#include <pthread.h>
#include <stdlib.h>

typedef struct Box {
  pthread_mutex_t mutex;
  int value;
} Box;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t flag = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t again = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static Box *shared;

static Box *new_box(void) {
  Box *box = malloc(sizeof *box);
  pthread_mutex_init(&box->mutex, NULL);
  box->value = 0;
  return box;
}

static void *work(void *own) {
  Box *box = new_box();
  pthread_mutex_lock(&box->mutex);
  free(box);
  pthread_mutex_trylock(&flag);
  pthread_mutex_lock(&again);
  pthread_mutex_init(&again, NULL);

  pthread_mutex_lock(&mutex);
  if (BUG != 1)
    pthread_mutex_unlock(&mutex);
  pthread_rwlock_wrlock(&lock);
  if (BUG == 2)
    return NULL;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_rdlock(&lock);
  if (BUG != 3)
    pthread_rwlock_unlock(&lock);
  pthread_spin_lock(&spin);
  if (BUG != 4)
    pthread_spin_unlock(&spin);
  pthread_mutex_lock(&shared->mutex);
  if (BUG != 5)
    pthread_mutex_unlock(&shared->mutex);
  pthread_mutex_lock(own);
  if (BUG == 6)
    pthread_exit(NULL);
  pthread_mutex_unlock(own);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  shared = new_box();
  pthread_create(&thread, NULL, work, &own);
  pthread_join(thread, NULL);
  pthread_mutex_lock(&again);
  if (BUG == 7)
    pthread_exit(NULL);
  return 0;
}
