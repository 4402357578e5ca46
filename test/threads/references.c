// Two owners of one object; the last one frees it.
//
// bug 1: double-free     the count is looked at again after it was changed
// bug 2: use-after-free  it is used after it was given back

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Object {
  atomic_int owners, value;
} Object;

static atomic_int owners; // of the object, if it is told apart

static void give_back(Object *object) {
#if BUG == 1
  atomic_fetch_sub(&owners, 1);
  if (atomic_load(&owners) == 0)
    free(object);
#else
  if (atomic_fetch_sub(&object->owners, 1) == 1)
    free(object);
#endif
}

static void *own(void *shared) {
  Object *object = shared;
  atomic_fetch_add(&object->value, 1);
  give_back(object);
#if BUG == 2
  atomic_fetch_add(&object->value, 1);
#endif
  return NULL;
}

int main(void) {
  pthread_t one, two;
  Object *object = malloc(sizeof *object);
  atomic_init(&object->owners, 2);
  atomic_init(&object->value, 0);
  atomic_init(&owners, 2);
  pthread_create(&one, NULL, own, object);
  pthread_create(&two, NULL, own, object);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
