// What the code that checks itself and its compiler have to agree on: C here,
// CUDA C in values.cu.

#ifndef RUNTIME_MACHINE_COPIED_H
#define RUNTIME_MACHINE_COPIED_H

enum {
  VALUES_THREAD_BYTES = 320, // of what a thread keeps for itself
  VALUES_SITE_SHIFT = 10,    // above them the site, below the thread's number
};

// Where a thread goes on.
enum {
  VALUES_DONE = -1, // all threads of the block have ended
  VALUES_IDLE = -2, // this one has
};

// What the results of a barrier are.
enum { VALUES_NO_VOTE, VALUES_AND, VALUES_OR, VALUES_COUNT };

// What is told while it runs.
enum {
  VALUES_WRITE_WRITE,
  VALUES_SAME_VALUE, // the same, but both have written the same
  VALUES_READ_WRITE, // the first thread reads
  VALUES_DIVERGES,
  VALUES_UNSTABLE,
  VALUES_FULL,
};

#endif
