// Two threads meet at objects of the library, in memory that has to be there.
//
// bug 1: use-after-free  the semaphore was a variable of a thread that ended
// bug 2: use-after-free  a condition variable is destroyed behind its free
// bug 3: out-of-bounds   room for a pointer to a lock, not for the lock
// bug 4: crash           nobody has said where the condition variable is
// bug 5: misuse          the barrier was never initialised
// bug 6: misuse          the barrier was destroyed
// bug 7: crash           what is cleared is not as large as that

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

typedef struct Meeting {
  sem_t *semaphore;
  pthread_cond_t *condition;
  pthread_rwlock_t *lock;
} Meeting;

static Meeting meeting;
static pthread_barrier_t barrier;
static char text[8];
static volatile size_t bytes = sizeof text;

static void *arrive(void *arg) {
  static sem_t kept;
  sem_t own;
  meeting.semaphore = BUG == 1 ? &own : &kept;
  sem_init(meeting.semaphore, 0, 0);
  bytes = BUG == 7 ? (size_t)1 << 40 : sizeof text;
  pthread_barrier_wait(&barrier);
  return arg;
}

static void take(void) {
  pthread_rwlock_t *lock = meeting.lock =
      malloc(BUG == 3 ? sizeof lock : sizeof *lock);
  meeting.condition = malloc(sizeof *meeting.condition);
  pthread_rwlock_init(meeting.lock, NULL);
  pthread_cond_init(meeting.condition, NULL);
}

static void give_back(void) {
  if (BUG != 2)
    pthread_cond_destroy(meeting.condition);
  free(meeting.condition);
  if (BUG == 2)
    pthread_cond_destroy(meeting.condition);
  pthread_rwlock_destroy(meeting.lock);
  free(meeting.lock);
}

int main(void) {
  pthread_t thread;
  take();
  if (BUG != 5)
    pthread_barrier_init(&barrier, NULL, 2);
  if (BUG == 6)
    pthread_barrier_destroy(&barrier);
  pthread_create(&thread, NULL, arrive, NULL);
  pthread_barrier_wait(&barrier);
  pthread_join(thread, NULL);
  memset(text, 0, bytes);
  sem_post(meeting.semaphore);
  pthread_cond_signal(BUG == 4 ? NULL : meeting.condition);
  give_back();
  return 0;
}
