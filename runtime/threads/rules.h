// What both engines that execute schedules go by: world.c here, and that of
// runtime/instances/, which is CUDA C.  Were it not the same, a schedule would
// not be either.

#ifndef RUNTIME_THREADS_RULES_H
#define RUNTIME_THREADS_RULES_H

// For what a thread waits.
typedef enum ThreadWait {
  WAIT_NOT,
  WAIT_MUTEX,
  WAIT_CONDITION,
  WAIT_READ_LOCK,
  WAIT_WRITE_LOCK,
  WAIT_BARRIER,
  WAIT_SEMAPHORE,
  WAIT_ONCE,
  WAIT_JOIN,
  WAIT_FUTEX,
} ThreadWait;

enum {
  GRANULE = 16,       // of the heap
  SPIN_STEPS = 512,   // without a change of memory
  SPIN_AGAIN = 256,   // and so many more
  EVENT_WINDOW = 256, // less than SPIN_STEPS
};

#endif
