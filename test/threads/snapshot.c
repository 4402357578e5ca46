// A list of settings that is replaced as a whole, and freed when nobody reads.
//
// bug 1:    use-after-free  a reader takes the pointer, then counts itself
// bug 2:    leak            the old one is freed only if nobody reads just now
// bug 3:    use-after-free  both the last reader and the writer free it
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct Settings {
  int readers, is_old, width, height;
} Settings;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Settings *current;

static Settings *make(int width, int height) {
  Settings *made = malloc(sizeof *made);
  *made = (Settings){.width = width, .height = height};
  return made;
}

static void *read_area(void *arg) {
#if BUG == 1
  Settings *own = __atomic_load_n(&current, __ATOMIC_SEQ_CST);
  pthread_mutex_lock(&mutex);
#else
  pthread_mutex_lock(&mutex);
  Settings *own = current;
#endif
  own->readers++;
  pthread_mutex_unlock(&mutex);
  assert(own->width * own->height == 12);
  pthread_mutex_lock(&mutex);
  int is_last = !--own->readers && own->is_old;
  pthread_mutex_unlock(&mutex);
  if (is_last && BUG != 2)
    free(own);
  return arg;
}

static void *replace(void *arg) {
  Settings *new = make(2, 6);
  pthread_mutex_lock(&mutex);
  Settings *old = current;
  __atomic_store_n(&current, new, __ATOMIC_SEQ_CST);
  old->is_old = 1;
  int is_unused = !old->readers;
  pthread_mutex_unlock(&mutex);
#if BUG == 3
  is_unused = 1;
#endif
  if (is_unused)
    free(old);
  return arg;
}

int main(void) {
  pthread_t reader, writer;
  current = make(3, 4);
  pthread_create(&reader, NULL, read_area, NULL);
  pthread_create(&writer, NULL, replace, NULL);
  pthread_join(reader, NULL);
  pthread_join(writer, NULL);
  free(current);
  return 0;
}
