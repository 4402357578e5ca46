// A thread that waits for work, or for a permit, or sleeps, is cancelled: its
// handlers give back what it has, and whoever it is woken by is not missed.
//
// bug 1: deadlock   nobody gives back the lock that the thread waits with
// bug 2: leak       nobody frees what the thread has taken
// bug 3: deadlock   the thread that is cancelled has taken the only signal
// bug 4: assertion  the thread may be cancelled before it has written all
// bug 5: misuse     a thread is cancelled that was joined

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static sem_t permits, done;
static int items, taken, written, ended;

static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }
static void nothing(void *unused) { (void)unused; }

static void *take(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(BUG == 1 ? nothing : unlock, &lock);
  while (!items)
    pthread_cond_wait(&filled, &lock);
#if BUG == 3
  items--;
#endif
  sem_wait(&permits); // one that nobody gives
  items--;
  taken++;
  pthread_cleanup_pop(1);
  return unused;
}

static void note(void *block) {
#if BUG != 2
  free(block);
#endif
  sleep(1); // where it is not cancelled once more
  ended++;
}

static void *write_all(void *unused) {
  int *block = malloc(sizeof *block), state;
  pthread_cleanup_push(note, block);
#if BUG != 4
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
#endif
  written++;
  sleep(1);
  written++;
  sem_post(&done);
#if BUG != 4
  pthread_setcancelstate(state, NULL);
#else
  (void)state;
#endif
  pthread_testcancel();
  sem_wait(&permits);
  pthread_cleanup_pop(0);
  return unused;
}

static void *join(void *thread) {
  pthread_join(*(pthread_t *)thread, NULL);
  return NULL;
}

int main(void) {
  pthread_t taker, writer, joiner;
  void *result;
  sem_init(&permits, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&taker, NULL, take, NULL);
  pthread_create(&writer, NULL, write_all, NULL);
  pthread_create(&joiner, NULL, join, &writer);
  pthread_mutex_lock(&lock);
  items++;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
  pthread_cancel(taker);
  pthread_join(taker, &result);
  assert(result == PTHREAD_CANCELED && !taken);
  pthread_mutex_lock(&lock);
  if (BUG == 3 && !items)
    pthread_cond_wait(&filled, &lock);
  assert(items == 1);
  pthread_mutex_unlock(&lock);
  pthread_cancel(joiner); // before the writer has ended: the join is main's
  pthread_join(joiner, &result);
  assert(result == PTHREAD_CANCELED);
  pthread_cancel(writer);
  pthread_join(writer, &result);
  assert(result == PTHREAD_CANCELED && written == 2 && ended == 1);
#if BUG == 5
  pthread_cancel(writer);
#endif
  return 0;
}
