// gpuverify-launcher: the arguments of a compiler come in; the kernels of what
// it compiles are verified by the command gpuverify, and then the compiler
// takes our place.  Knows base/ only.

#ifndef LAUNCHER_LAUNCHER_H
#define LAUNCHER_LAUNCHER_H

#include "base/words.h"

// ------------------------------------------------------------ compile.c ---

typedef struct Compilation {
  Texts words;        // for gpuverify, the sources among them
  const char *source; // the first of them; NULL: nothing of ours is compiled
  bool is_of_nvcc;
  bool compiles_nothing; // links, preprocesses or prints something
} Compilation;

// Of a compiler and its arguments.
Compilation compilation_read(Task *task, const Texts *command);

#endif
