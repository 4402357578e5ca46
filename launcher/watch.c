// What a build executes: a library that `gpuverify batch -- COMMAND` has loaded
// into each of its processes.
//
// CMake and others call compilers by absolute names, which no folder in front
// of PATH catches.  Here the functions that execute programs are replaced.
// Where a compiler is to be executed, ours or one behind a cache of
// compilations, gpuverify-recorder is, with the whole command as its
// arguments; it notes them and becomes the compiler, without this library.
// Programs that are linked statically do not load it.
//
// Between fork and execution nothing may be allocated, so all new words stand
// on the stack.

#define _GNU_SOURCE

#include <alloca.h>
#include <dlfcn.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

extern char **environ;

static const char recorder_name[] = "GPUVERIFY_RECORDER";

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// nvcc, clang and hipcc, and what ends in a version: clang++-22.
static bool is_compiler(const char *path) {
  static const char *const names[] = {"nvcc",  "clang",      "clang++",
                                      "hipcc", "amdclang++", "amdclang"};
  const char *name = base_of(path);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    const char *rest = name + length;
    if (strncmp(name, names[i], length) != 0)
      continue;
    if (!*rest || (rest[0] == '-' && rest[1] &&
                   rest[1 + strspn(rest + 1, "0123456789.")] == 0))
      return true;
  }
  return false;
}

// Caches may have an answer, and then execute no compiler.
static bool is_cache(const char *path) {
  static const char *const names[] = {"ccache", "sccache"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(base_of(path), names[i]))
      return true;
  return false;
}

static const char *value_in(char *const environment[], const char *name) {
  size_t length = strlen(name);
  for (; environment && *environment; environment++)
    if (!strncmp(*environment, name, length) && (*environment)[length] == '=')
      return *environment + length + 1;
  return NULL;
}

// Who is to be executed instead, or NULL.
static const char *recorder_for(const char *path, char *const words[],
                                char *const environment[]) {
  bool is_ours = is_compiler(path) || (is_cache(path) && words[0] && words[1] &&
                                       is_compiler(words[1]));
  const char *notes = value_in(environment, "GPUVERIFY_COMMANDS");
  return is_ours && notes && *notes ? value_in(environment, recorder_name)
                                    : NULL;
}

static size_t count_of(char *const words[]) {
  size_t count = 0;
  while (words[count])
    count++;
  return count;
}

// The recorder, the path, and the words behind the first.
static void put_before(char **to, const char *recorder, const char *path,
                       char *const words[], size_t count) {
  *to++ = (char *)(size_t)recorder;
  *to++ = (char *)(size_t)path;
  for (size_t i = 1; i < count; i++)
    *to++ = words[i];
  *to = NULL;
}

#define WORDS_BEFORE(recorder, path, words)                                    \
  size_t count = count_of(words);                                              \
  char **more = alloca((count + 3) * sizeof *more);                            \
  put_before(more, recorder, path, words, count)

// Looked up at the start, for a lock of the loader may be held when a process
// forks.
static __typeof__(&execve) real_execve;
static __typeof__(&execvpe) real_execvpe;
static __typeof__(&posix_spawn) real_spawn;
static __typeof__(&posix_spawnp) real_spawnp;

__attribute__((constructor)) static void find_real(void) {
  *(void **)&real_execve = dlsym(RTLD_NEXT, "execve");
  *(void **)&real_execvpe = dlsym(RTLD_NEXT, "execvpe");
  *(void **)&real_spawn = dlsym(RTLD_NEXT, "posix_spawn");
  *(void **)&real_spawnp = dlsym(RTLD_NEXT, "posix_spawnp");
}

// ------------------------------------------------------------------- exec ---

PUBLIC int execve(const char *path, char *const words[],
                  char *const environment[]) {
  const char *recorder = recorder_for(path, words, environment);
  if (!recorder)
    return real_execve(path, words, environment);
  WORDS_BEFORE(recorder, path, words);
  return real_execve(recorder, more, environment);
}

PUBLIC int execv(const char *path, char *const words[]) {
  return execve(path, words, environ);
}

PUBLIC int execvpe(const char *file, char *const words[],
                   char *const environment[]) {
  const char *recorder = recorder_for(file, words, environment);
  if (!recorder)
    return real_execvpe(file, words, environment);
  WORDS_BEFORE(recorder, file, words);
  return real_execve(recorder, more, environment);
}

PUBLIC int execvp(const char *file, char *const words[]) {
  return execvpe(file, words, environ);
}

#define WORDS_OF(first)                                                        \
  va_list list, again;                                                         \
  size_t room = 2;                                                             \
  va_start(list, first);                                                       \
  va_copy(again, list);                                                        \
  while (va_arg(again, char *))                                                \
    room++;                                                                    \
  va_end(again);                                                               \
  char **words = alloca(room * sizeof *words), **to = words;                   \
  *to++ = (char *)(size_t)first;                                               \
  while ((*to++ = va_arg(list, char *)))                                       \
  continue

PUBLIC int execl(const char *path, const char *first, ...) {
  WORDS_OF(first);
  va_end(list);
  return execve(path, words, environ);
}

PUBLIC int execlp(const char *file, const char *first, ...) {
  WORDS_OF(first);
  va_end(list);
  return execvpe(file, words, environ);
}

PUBLIC int execle(const char *path, const char *first, ...) {
  WORDS_OF(first);
  char *const *environment = va_arg(list, char *const *);
  va_end(list);
  return execve(path, words, environment);
}

// ------------------------------------------------------------------ spawn ---

PUBLIC int posix_spawn(pid_t *process, const char *path,
                       const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const words[],
                       char *const environment[]) {
  const char *recorder = recorder_for(path, words, environment);
  if (!recorder)
    return real_spawn(process, path, actions, attributes, words, environment);
  WORDS_BEFORE(recorder, path, words);
  return real_spawn(process, recorder, actions, attributes, more, environment);
}

PUBLIC int posix_spawnp(pid_t *process, const char *file,
                        const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes,
                        char *const words[], char *const environment[]) {
  const char *recorder = recorder_for(file, words, environment);
  if (!recorder)
    return real_spawnp(process, file, actions, attributes, words, environment);
  WORDS_BEFORE(recorder, file, words);
  return real_spawn(process, recorder, actions, attributes, more, environment);
}
