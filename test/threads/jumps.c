// Each thread gives up a task that fails, which jumps back out of the depths to
// where tasks begin, with what was counted up to there, and tries another one.
//
// bug 1: deadlock   a task jumps while it holds the lock
// bug 2: misuse     the task jumps to a function that has returned
// bug 3: misuse     both threads use one buffer, and one jumps to the other

#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

enum { TASKS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static jmp_buf shared;

static void finish(int task, jmp_buf back, int depth) {
  if (depth) {
    finish(task, back, depth - 1);
    return;
  }
#if BUG == 1
  pthread_mutex_lock(&lock);
  if (task == 1)
    longjmp(back, task + 1);
#else
  if (task == 1)
    longjmp(back, task + 1);
  pthread_mutex_lock(&lock);
#endif
  done++;
  pthread_mutex_unlock(&lock);
}

#if BUG == 2
static int begin(jmp_buf back) { return setjmp(back); }
#endif

static void *work(void *failed) {
#if BUG == 3
  jmp_buf *back = &shared;
#else
  jmp_buf own, *back = &own;
#endif
  int next = 0, tried = 0; // not volatile: kept in memory none the less
#if BUG == 2
  int result = begin(*back);
#else
  int result = setjmp(*back);
#endif
  if (result) {
    assert(result == 2 && next == 2 && tried == 2);
    ++*(int *)failed;
  }
  while (next < TASKS) {
    tried++;
    finish(next++, *back, 3);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int failed[2] = {0, 0};
  sigjmp_buf mine;
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, &failed[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(done == 4 && failed[0] == 1 && failed[1] == 1);
  int value = sigsetjmp(mine, 1);
  if (value < 3)
    siglongjmp(mine, value ? value + 1 : 0);
  printf("%d %d\n", done, value);
  return 0;
}
