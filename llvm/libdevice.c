// The functions of CUDA's device library by name: libdevice.def.

#include "llvm/libdevice.h"

#include <string.h>

#define PREFIX "__nv_"

static const LibraryFunction functions[] = {
#define LIBRARY(name, types, meaning, operation, host)                         \
  {PREFIX #name, types, operation},
#include "llvm/libdevice.def"
};

const LibraryFunction *library_find(const char *name) {
  if (strncmp(name, PREFIX, strlen(PREFIX)) != 0)
    return NULL;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!strcmp(functions[i].name, name))
      return &functions[i];
  return NULL;
}

size_t library_number(const LibraryFunction *function) {
  return (size_t)(function - functions);
}

bool library_touches_memory(const LibraryFunction *function) {
  return strpbrk(function->types, "pIFD") != NULL;
}
