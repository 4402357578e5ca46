// Two threads write in turns, each woken by the other through a semaphore.
//
// bug 1:    deadlock   both begin by waiting
// bug 2:    assertion  the second one begins without waiting
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

static sem_t ping, pong;
static char text[16];
static size_t used;

static void say(char letter) {
  text[__atomic_fetch_add(&used, 1, __ATOMIC_SEQ_CST)] = letter;
}

static void *second(void *arg) {
  for (int i = 0; i < 2; i++) {
    if (BUG != 2 || i)
      sem_wait(&pong);
    say('o');
    sem_post(&ping);
  }
  return arg;
}

int main(void) {
  pthread_t thread;
  sem_init(&ping, 0, BUG == 1 ? 0 : 1);
  sem_init(&pong, 0, 0);
  pthread_create(&thread, NULL, second, NULL);
  for (int i = 0; i < 2; i++) {
    sem_wait(&ping);
    say('i');
    sem_post(&pong);
  }
  pthread_join(thread, NULL);
  puts(text);
  assert(!strcmp(text, "ioio"));
  sem_destroy(&ping);
  sem_destroy(&pong);
  return 0;
}
