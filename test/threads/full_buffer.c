// A ring with semaphores for what is free and what is used, and one for both
// ends.
//
// bug 1: assertion  one place too many is free
// bug 2: deadlock   the ring is locked before a place is waited for

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { SIZE = 2, ITEMS = 3 };

static sem_t is_free, is_used, lock;
static int ring[SIZE], in, out;

static void *produce(void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
#if BUG == 2
    sem_wait(&lock);
    sem_wait(&is_free);
#else
    sem_wait(&is_free);
    sem_wait(&lock);
#endif
    assert(ring[in] == 0);
    ring[in] = i;
    in = (in + 1) % SIZE;
    sem_post(&lock);
    sem_post(&is_used);
  }
  return unused;
}

static void *consume(void *unused) {
  for (int i = 1; i <= ITEMS; i++) {
    sem_wait(&is_used);
    sem_wait(&lock);
    assert(ring[out] == i);
    ring[out] = 0;
    out = (out + 1) % SIZE;
    sem_post(&lock);
    sem_post(&is_free);
  }
  return unused;
}

int main(void) {
  pthread_t producer, consumer;
  sem_init(&is_free, 0, SIZE + (BUG == 1));
  sem_init(&is_used, 0, 0);
  sem_init(&lock, 0, 1);
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
  return 0;
}
