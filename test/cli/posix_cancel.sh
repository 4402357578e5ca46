# gpuverify threads: where a thread is cancelled, and where it is not.
# shellcheck shell=sh

# cancels STATUS TEXT: the program that follows.
cancels() {
  {
    printf '#include <%s.h>\n' assert errno fcntl pthread semaphore stdio stdlib \
      string threads time unistd
    cat
  } >cancels.c
  gives "$1" "$2" threads cancels.c --schedules=300 --output=s
}

# right: the same in a process of its own, if there is a compiler.
right() {
  cancels 0 'verdict: passed'
  if ${CC:-cc} -w -pthread -o native cancels.c 2>compiler.log; then
    check 'cancels.c is right' ./native
  fi
}

# Each of these is a cancellation point, though it would not wait.
right <<'END_OF_C'
static sem_t free_ones;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_t waiting;
static sem_t end;
static int handled;
static void handle(void *count) { ++*(int *)count; }
static void *wait(void *value) { sem_wait(&end); return value; }
static void point(long which) {
  struct timespec no_time = {0, 0}, past = {1, 0};
  char byte = 0;
  switch (which) {
  case 0: pthread_testcancel(); break;
  case 1: sem_wait(&free_ones); break;
  case 2: sem_timedwait(&free_ones, &past); break;
  case 3: pthread_cond_wait(&never, &lock); break;
  case 4: pthread_cond_timedwait(&never, &lock, &past); break;
  case 5: pthread_join(waiting, NULL); break;
  case 6: sleep(0); break;
  case 7: nanosleep(&no_time, NULL); break;
  case 8: usleep(1); break;
  case 9: clock_nanosleep(CLOCK_MONOTONIC, 0, &no_time, NULL); break;
  case 10: read(100, &byte, 0); break;
  case 11: write(2, &byte, 0); break;
  case 12: open("no/file", O_RDONLY); break;
  case 13: close(100); break;
  case 14: fsync(100); break;
  }
}
static void *work(void *which) {
  pthread_cleanup_push(handle, &handled);
  pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &lock);
  pthread_mutex_lock(&lock);
  pthread_cancel(pthread_self());
  pthread_mutex_unlock(&lock); // is none
  pthread_mutex_lock(&lock);
  free(malloc(3));
  int before;
  assert(!pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before));
  assert(before == PTHREAD_CANCEL_ENABLE);
  pthread_testcancel();
  sleep(0);
  assert(!pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &before));
  assert(before == PTHREAD_CANCEL_DISABLE);
  assert(pthread_setcancelstate(7, NULL) == EINVAL);
  point((long)which);
  abort();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}
int main(void) {
  sem_init(&free_ones, 0, 1);
  sem_init(&end, 0, 0);
  pthread_create(&waiting, NULL, wait, NULL);
  for (long which = 0; which < 15; which++) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, (void *)which);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED && handled == which + 1);
    assert(!pthread_mutex_trylock(&lock) && !pthread_mutex_unlock(&lock));
  }
  int value;
  sem_getvalue(&free_ones, &value);
  sem_post(&end);
  assert(value == 1 && !pthread_join(waiting, NULL));
  return 0;
}
END_OF_C
# Keys are destroyed behind the handlers, of main, too; the others go on.
right <<'END_OF_C'
static pthread_key_t key;
static int order;
static sem_t begun;
static void handle(void *at) { assert(at == &order && order++ == 0); }
static void destroy(void *at) { assert(at == &order && order++ == 1); }
static void *work(void *thread) {
  void *result;
  sem_wait(&begun);
  assert(!pthread_cancel(*(pthread_t *)thread));
  assert(!pthread_join(*(pthread_t *)thread, &result));
  assert(result == PTHREAD_CANCELED && order == 2);
  return NULL;
}
static pthread_t first;
int main(void) {
  pthread_t thread;
  sem_init(&begun, 0, 0);
  first = pthread_self();
  pthread_key_create(&key, destroy);
  pthread_setspecific(key, &order);
  pthread_create(&thread, NULL, work, &first);
  pthread_detach(thread);
  pthread_cleanup_push(handle, &order);
  sem_post(&begun);
  for (;;)
    sleep(1000);
  pthread_cleanup_pop(0);
  return 1;
}
END_OF_C
# A thread that has ended and was not joined may be cancelled.
right <<'END_OF_C'
static void *work(void *value) { return value; }
int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, work, &thread);
  sleep(1);
  assert(!pthread_cancel(thread) && !pthread_join(thread, &result));
  assert(result == &thread);
  return 0;
}
END_OF_C
cancels 4 'lets itself be cancelled anywhere' <<'END_OF_C'
static volatile int never;
static void *work(void *value) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  while (!never)
    ;
  return value;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  sched_yield();
  pthread_cancel(thread);
  return pthread_join(thread, NULL);
}
END_OF_C
cancels 1 'misuse, by thread 0: this is no thread' <<'END_OF_C'
int main(void) { return pthread_cancel(3); }
END_OF_C
# Who does not come to a cancellation point does not end.
cancels 1 'verdict: endless' <<'END_OF_C'
static volatile int never;
static void *work(void *value) {
  while (!never)
    ;
  return value;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_cancel(thread);
  return pthread_join(thread, NULL);
}
END_OF_C
cat >cancels.cpp <<'END_OF_C'
#include <pthread.h>
static void *work(void *value) { return value; }
int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, work, nullptr);
  pthread_cancel(thread);
  return pthread_join(thread, nullptr);
}
END_OF_C
gives 4 "cancels.cpp:6:3: 'pthread_cancel': in a program in C++ it runs destructors" \
  threads cancels.cpp
