// Three stages hand numbers on through channels that can be closed.
//
// bug 1:    deadlock   a stage that ends does not close its channel
// bug 2:    deadlock   closing wakes only one of those that take
// bug 3:    assertion  a channel that is closed has nothing more to give
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { ROOM = 2, ITEMS = 2 };

typedef struct Channel {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int items[ROOM], count, first, is_closed;
} Channel;

#define CHANNEL {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER}
static Channel raw = CHANNEL, squared = CHANNEL;
static int sum;

static void put(Channel *to, int item) {
  pthread_mutex_lock(&to->mutex);
  while (to->count == ROOM)
    pthread_cond_wait(&to->changed, &to->mutex);
  to->items[(to->first + to->count++) % ROOM] = item;
  pthread_cond_broadcast(&to->changed);
  pthread_mutex_unlock(&to->mutex);
}

static void close_channel(Channel *channel) {
  pthread_mutex_lock(&channel->mutex);
  channel->is_closed = 1;
#if BUG == 2
  pthread_cond_signal(&channel->changed);
#else
  pthread_cond_broadcast(&channel->changed);
#endif
  pthread_mutex_unlock(&channel->mutex);
}

static int take(Channel *from, int *item) {
  pthread_mutex_lock(&from->mutex);
  while (!from->count && !from->is_closed)
    pthread_cond_wait(&from->changed, &from->mutex);
  int is_there = from->count > 0;
#if BUG == 3
  is_there = !from->is_closed;
#endif
  if (is_there) {
    *item = from->items[from->first];
    from->first = (from->first + 1) % ROOM;
    from->count--;
    pthread_cond_broadcast(&from->changed);
  }
  pthread_mutex_unlock(&from->mutex);
  return is_there;
}

static void *square(void *arg) {
  for (int item; take(&raw, &item);)
    put(&squared, item * item);
  return arg;
}

static void *add(void *arg) {
  for (int item; take(&squared, &item);)
    sum += item;
  return arg;
}

int main(void) {
  pthread_t squarers[2], adder;
  for (int i = 0; i < 2; i++)
    pthread_create(&squarers[i], NULL, square, NULL);
  pthread_create(&adder, NULL, add, NULL);
  for (int i = 1; i <= ITEMS; i++)
    put(&raw, i);
  close_channel(&raw);
  for (int i = 0; i < 2; i++)
    pthread_join(squarers[i], NULL);
  if (BUG != 1)
    close_channel(&squared);
  pthread_join(adder, NULL);
  assert(sum == 5);
  return 0;
}
