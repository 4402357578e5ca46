// The words of a command line.

#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/base.h"

typedef Vec(const char *) Texts;

// As a shell splits a line, quotes and backslashes.
Texts split_as_shell(Arena *arena, const char *line);
// As a shell reads it, in single quotes where it needs them.
const char *shell_word(Arena *arena, const char *text);
// With the words of files of options (@FILE, nvcc's --options-file=A,B) in the
// place of their names, which are relative to the folder.  What cannot be read
// stays.
Texts with_options_files(Arena *arena, const char *folder, const Texts *words);
// The word that is nvcc, also behind what starts it, or the number of words.
size_t nvcc_in(const Texts *command);
// With what NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS (NULL: they are not set)
// have nvcc read before and behind its arguments.
Texts with_nvcc_flags(Arena *arena, const Texts *command, const char *before,
                      const char *behind);
// Of what was expanded a file of options that could not be read, or NULL; what
// begins with '@' may be the name of something else.
const char *unread_options_file(const Texts *expanded, bool with_at);
// The first of a list as nvcc has it: a comma ends it, but not in quotes nor
// behind a backslash.  Where the next one begins, or NULL.
const char *nvcc_first(Arena *arena, const char *list, const char **first);

#endif
