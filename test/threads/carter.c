// Two threads use two locks, and a flag says whether the second is needed.
//
// bug 1: deadlock  the one that needs both takes them the other way round

#include <pthread.h>

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t flag_lock = PTHREAD_MUTEX_INITIALIZER;
static int is_needed, data;

static void *announce(void *unused) {
  pthread_mutex_lock(&flag_lock);
  is_needed = 1;
  pthread_mutex_lock(&data_lock);
  data++;
  pthread_mutex_unlock(&data_lock);
  pthread_mutex_unlock(&flag_lock);
  return unused;
}

static void *work(void *unused) {
#if BUG == 1
  pthread_mutex_lock(&data_lock);
  pthread_mutex_lock(&flag_lock);
#else
  pthread_mutex_lock(&flag_lock);
  pthread_mutex_lock(&data_lock);
#endif
  if (is_needed)
    data += 2;
  pthread_mutex_unlock(&data_lock);
  pthread_mutex_unlock(&flag_lock);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, announce, NULL);
  pthread_create(&two, NULL, work, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
