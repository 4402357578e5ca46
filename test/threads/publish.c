// A message is made and then published by a flag.
//
// bug 1: crash  the flag comes before the message
// bug 2: race   the flag is no atomic

#include <pthread.h>
#include <stddef.h>

#if BUG == 2
static int is_there;
#else
static _Atomic int is_there;
#endif
#if BUG == 1
static int *_Atomic message;
#else
static int *message;
#endif
static int text = 42;

static void *send(void *unused) {
#if BUG == 1
  is_there = 1;
  message = &text;
#else
  message = &text;
  is_there = 1;
#endif
  return unused;
}

static void *receive(void *unused) {
  if (is_there && *message != 42)
    return NULL;
  return unused;
}

int main(void) {
  pthread_t sender, receiver;
  pthread_create(&sender, NULL, send, NULL);
  pthread_create(&receiver, NULL, receive, NULL);
  pthread_join(sender, NULL);
  pthread_join(receiver, NULL);
  return 0;
}
