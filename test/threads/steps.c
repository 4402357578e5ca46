// What is no plain access, and a step all the same: a function of the library,
// a struct that is copied, a function that is said to leave memory alone.
//
// bug 1: use-after-free  a block is freed while its middle is read
// bug 2: assertion       a mutex is let go of by a wait for a condition
// bug 3: assertion       snprintf reads a text that is changed
// bug 4: assertion       a struct is passed by value while it is changed
// bug 5: assertion       a pure function is asked twice
// bug 6: assertion       an address is left in a struct, by variable arguments
// bug 7: race            memset and a write

#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Pair {
  int *one, *two;
} Pair;
typedef struct Large {
  long first, more[3];
} Large;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int *block, is_open, is_held;
#if BUG == 3 || BUG == 7
static char text[8] = "ok";
#endif
static Pair pair;

#if BUG == 4
static Large large;
static long first_of(Large all) { return all.first; }
#endif
#if BUG == 5
static _Atomic int flag;
__attribute__((pure)) static int look(void) { return flag; }
#endif
static void keep(int count, ...) {
  va_list list;
  va_start(list, count);
  pair = va_arg(list, Pair);
  va_end(list);
}

static void *other(void *unused) {
#if BUG == 1
  free(block);
#elif BUG == 2
  pthread_mutex_lock(&lock);
  while (!is_open)
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
#elif BUG == 3
  text[0] = 'n';
  text[0] = 'o';
#elif BUG == 4
  large.first = 1;
  large.first = 0;
#elif BUG == 5
  flag = 1;
#elif BUG == 6
  *pair.two = 1;
  *pair.two = 0;
#elif BUG == 7
  memset(text, 'o', 2);
#endif
  return unused;
}

static void *try(void *unused) {
  is_held = pthread_mutex_trylock(&lock);
  if (!is_held)
    pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  is_open = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread, trier;
  int own = 0;
  char copy[8] = "ok";
  block = calloc(8, sizeof *block);
  if (BUG == 6)
    keep(1, (Pair){&own, &own});
  pthread_create(&thread, NULL, other, NULL);
  if (BUG == 2) {
    pthread_create(&trier, NULL, try, NULL);
    pthread_join(trier, NULL);
    pthread_join(thread, NULL);
    assert(!is_held);
    free(block);
    return 0;
  }
#if BUG == 1
  own = block[5];
#elif BUG == 3
  snprintf(copy, sizeof copy, "%s", text);
#elif BUG == 4
  own = (int)first_of(large);
#elif BUG == 5
  own = look() != look();
#elif BUG == 7
  text[1] = 'k';
#endif
  int seen = own;
  assert(!seen && copy[0] == 'o');
  pthread_join(thread, NULL);
  if (BUG != 1)
    free(block);
  return 0;
}
