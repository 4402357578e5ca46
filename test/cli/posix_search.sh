# gpuverify threads: arrays, lists, trees and hash tables of <search.h>.
# shellcheck shell=sh

cat >search.c <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
  struct item *next, *previous;
};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *root;
static int numbers[100], seen, destroyed, deepest;
static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
static void look(const void *node, VISIT order, int depth) {
  deepest = depth > deepest ? depth : deepest;
  if (order == postorder || order == leaf)
    assert(**(int *const *)node == 2 * seen++);
}
static void count(const void *node, VISIT order, void *total) {
  if (order == postorder || order == leaf)
    *(int *)total += **(int *const *)node;
}
static void destroy(void *key) { destroyed += *(int *)key >= 0; }
static void *add(void *from) {
  for (int i = *(int *)from; i < 100; i += 2) {
    if (WRONG != 1)
      pthread_mutex_lock(&mutex);
    int **node = tsearch(&numbers[i], &root, compare);
    assert(*node == &numbers[i]);
    if (WRONG != 1)
      pthread_mutex_unlock(&mutex);
  }
  return NULL;
}
static void trees(void) {
  pthread_t thread;
  int zero = 0, one = 1, total = 0, absent = 7;
  for (int i = 0; i < 100; i++)
    numbers[i] = 2 * i;
  pthread_create(&thread, NULL, add, &one);
  add(&zero);
  pthread_join(thread, NULL);
  assert(!tfind(&absent, &root, compare) && !tfind(&absent, NULL, compare));
  assert(**(int **)tfind(&(int){66}, &root, compare) == 66);
  twalk(root, look);
  assert(seen == 100 && deepest > 5 && deepest < 30);
  for (int i = 50; i < 100; i++) {
    int **node = tfind(&numbers[i], &root, compare);
    assert(tdelete(&numbers[i], &root, compare));
    if (WRONG == 2)
      assert(**node);
    assert(!tfind(&numbers[i], &root, compare));
    assert(!tdelete(&numbers[i], &root, compare));
  }
  twalk_r(root, count, &total);
  assert(total == 49 * 50);
  if (WRONG != 3)
    tdestroy(root, destroy);
  assert(destroyed == 50 || WRONG == 3);
  root = NULL;
}
static void arrays(void) {
  int values[4] = {5, 3, 9};
  size_t used = 3;
  assert(lfind(&(int){9}, values, &used, sizeof *values, compare) == values + 2);
  assert(!lfind(&(int){4}, values, &used, sizeof *values, compare) && used == 3);
  assert(lsearch(&(int){3}, values, &used, sizeof *values, compare) ==
         values + 1);
  assert(lsearch(&(int){4}, values, &used, sizeof *values, compare) ==
         values + 3);
  assert(used == 4 && values[3] == 4);
  struct item a, b, c;
  insque(&a, NULL);
  insque(&c, &a);
  insque(&b, &a);
  assert(!a.previous && a.next == &b && b.next == &c && c.previous == &b);
  remque(&b);
  assert(a.next == &c && c.previous == &a && !c.next);
}
static void tables(void) {
  static char names[6][8];
  struct hsearch_data own = {0};
  ENTRY *found;
  if (WRONG != 4)
    assert(hcreate(4) && !hcreate(4));
  for (int i = 0; i < 6; i++) {
    sprintf(names[i], "name%d", i);
    found = hsearch((ENTRY){names[i], names[i] + 4}, ENTER);
    assert(!found == (i == 5) && (found || errno == ENOMEM));
  }
  found = hsearch((ENTRY){"name3", "other"}, ENTER);
  assert(found->key == names[3] && !strcmp(found->data, "3"));
  errno = 0;
  assert(!hsearch((ENTRY){"name7", NULL}, FIND) && errno == ESRCH);
  assert(hcreate_r(1, &own) && !hcreate_r(1, &own));
  assert(!hsearch_r((ENTRY){"name3", NULL}, FIND, &found, &own) && !found);
  assert(hsearch_r((ENTRY){"name3", NULL}, ENTER, &found, &own) && found);
  if (WRONG != 5)
    hdestroy_r(&own);
  hdestroy();
  assert(hcreate(1));
  hdestroy();
}
int main(void) {
  arrays();
  tables();
  trees();
  return 0;
}
END
right() { gives 0 'verdict: passed' threads search.c -DWRONG=0 "$@"; }
right --schedules=300
right --schedules=100 --scheduler=random
wrong() {
  gives 1 "$2" threads search.c "-DWRONG=$1" --output=s --schedules=64 \
    --scheduler=random
}
wrong 1 'search.c:21:5: assertion'
tells 'racy, too: search.c:32:18, nothing orders this'
tells "write (search.c:32:18)"
wrong 2 'search.c:55:15: use-after-free'
wrong 3 'search.c:32:18: leak'
wrong 4 'search.c:92:13: crash'
wrong 5 'search.c:99:10: leak'

# The same as the C library says.
cat >says.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  for (int number = -1; number < 70; number++)
    printf("%s;", strsignal(number));
  char *unknown = strsignal(99), *error = strerror(9999);
  printf("%s %s %s %s", unknown, error, sigabbrev_np(SIGHUP),
         sigdescr_np(SIGHUP));
  return strcmp(unknown, "Unknown signal 99") ||
         strcmp(strsignal(SIGSEGV), "Segmentation fault") ||
         strcmp(strsignal(SIGRTMIN + 2), "Real-time signal 2") ||
         strcmp(error, "Unknown error 9999");
}
END
gives 0 '"status":0,' threads says.c --schedules=2 --json

# A sorted array is written at the call, and not where elements are compared,
# and a tree where it is changed.
cat >sorts.c <<'END'
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
static int numbers[] = {3, 2, 1, 0}, lowest;
static void *root;
static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
static void *look(void *unused) {
#if WRONG == 1
  lowest = numbers[0];
#else
  lowest = tfind(&numbers[1], &root, compare) != NULL;
#endif
  return unused;
}
int main(void) {
  pthread_t thread;
  tsearch(&numbers[0], &root, compare);
  tsearch(&numbers[1], &root, compare);
  pthread_create(&thread, NULL, look, NULL);
#if WRONG == 1
  qsort(numbers, 4, sizeof *numbers, compare);
#else
  tdelete(&numbers[0], &root, compare);
#endif
  pthread_join(thread, NULL);
  return 0;
}
END
sorts() {
  gives 1 "verdict: racy" threads sorts.c "-DWRONG=$1" --output=s \
    --schedules=1 --lots=1
  tells "this read and thread 0's write (sorts.c:$2)"
}
sorts 1 23:3
sorts 2 25:3
