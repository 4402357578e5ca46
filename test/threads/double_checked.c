// An object that is made when it is first wanted.
//
// bug 1:   assertion  the pointer is set before the object is filled
// bug 2:   leak       it is not looked again in the lock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Thing {
  atomic_int value;
} Thing;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Thing *_Atomic thing;

static Thing *get(void) {
  Thing *found = thing;
  if (found)
    return found;
  pthread_mutex_lock(&lock);
  if (BUG == 2 || !thing) {
    Thing *made = calloc(1, sizeof *made);
#if BUG == 1
    thing = made;
    made->value = 1;
#else
    made->value = 1;
    thing = made;
#endif
  }
  pthread_mutex_unlock(&lock);
  return thing;
}

static void *use(void *arg) {
  assert(get()->value == 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, use, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(thing);
  return 0;
}
