// A thread reads the environment, to which another one adds a name.
//
// args: -D_GNU_SOURCE
// bug 1: race  setenv
// bug 2: race  putenv
// bug 3: race  what putenv has made a part of it is changed
// bug 4: race  all is forgotten

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static char own[] = "OWN=1";

static void *work(void *unused) {
#if BUG == 1
  setenv("ADDED", "1", 1);
#elif BUG == 2
  putenv(own);
#elif BUG == 3
  own[2] = 'M';
#elif BUG == 4
  clearenv();
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
#if BUG != 2
  putenv(own);
#endif
#if BUG == 0
  setenv("ADDED", "2", 1);
#endif
  pthread_create(&thread, NULL, work, NULL);
  const char *found = getenv(BUG == 3 ? "OWN" : "UNKNOWN");
  pthread_join(thread, NULL);
  assert(BUG ||
         (!found && *getenv("ADDED") == '2' && getenv("OWN") == own + 4));
  return 0;
}
