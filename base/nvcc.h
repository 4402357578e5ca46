// The options of nvcc and clang that a program's own build gives:
// base/nvcc.def.

#ifndef BASE_NVCC_H
#define BASE_NVCC_H

typedef enum NvccValue { NONE, GIVEN, JOINED } NvccValue;

typedef enum NvccFate {
  DROP,
  SPLIT,
  LINKER,
  ARCH,
  STANDARD,
  LINKED,
  DEFINE,
  APART,
  TOGETHER,
  LINK,
  UNSAID, // from here on the launcher's
  PAIR,
  EQUAL,
  CLANG,
  LANGUAGE,
  NOTHING,
} NvccFate;

typedef struct NvccOption {
  const char *name, *brief;
  NvccValue value;
  NvccFate fate;
} NvccOption;

// The option that a word names, or NULL.  *value is what follows the name in
// it, or "".
const NvccOption *nvcc_find(const char *word, const char **value);

#endif
