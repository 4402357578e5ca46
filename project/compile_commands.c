// How the files of a project are compiled: compile_commands.json, and what the
// launcher noted of a build.
//
// Both forms of an entry are read, "arguments" and "command"; the latter is
// taken apart as a shell would.  What an argument means is none of our business
// but for three: the file itself, the compiler, and files with more arguments,
// for these are relative to the entry's folder.

#define _GNU_SOURCE

#include "project/json.h"

#include "base/nvcc.h"
#include "base/words.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------- entries ---

static bool has_end(const char *word, const char *end) {
  size_t length = strlen(word), rest = strlen(end);
  return length > rest && !strcmp(word + length - rest, end);
}

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// What only starts another program, as CMAKE_CUDA_COMPILER_LAUNCHER does.
static bool is_launcher(const char *word) {
  static const char *const names[] = {"ccache",
                                      "sccache",
                                      "distcc",
                                      "icecc",
                                      "gpuverify-launcher",
                                      "gpuverify-recorder",
                                      "env",
                                      "nice"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(base_of(word), names[i]))
      return true;
  return false;
}

// Behind launchers, and what they are told: `env A=1 ccache nvcc`.
static size_t compiler_in(const Texts *words) {
  size_t i = 0;
  while (i + 1 < words->count &&
         (is_launcher(words->at[i]) || strchr(words->at[i], '=')))
    i++;
  return i;
}

// The value of NAME=VALUE before the compiler, or NULL.
static const char *given_before(const Texts *words, const char *name) {
  size_t length = strlen(name), end = compiler_in(words);
  for (size_t i = 0; i < end; i++)
    if (!strncmp(words->at[i], name, length) && words->at[i][length] == '=')
      return words->at[i] + length + 1;
  return NULL;
}

// A command that is executed now would find what it does not set itself in the
// environment; one that was noted found what the note has.
static const char *flags_in(const Texts *words, const char *name,
                            bool is_noted) {
  const char *given = given_before(words, name);
  return given || is_noted ? given : getenv(name);
}

// With all that the compiler reads elsewhere.
static Texts in_full(Arena *arena, const char *folder, const Texts *words,
                     bool is_noted) {
  Texts all = with_nvcc_flags(arena, words,
                              flags_in(words, "NVCC_PREPEND_FLAGS", is_noted),
                              flags_in(words, "NVCC_APPEND_FLAGS", is_noted));
  return with_options_files(arena, folder, &all);
}

static bool is_absolute(const char *path) { return *path == '/'; }

static const char *absolute(Arena *arena, const char *folder,
                            const char *path) {
  return is_absolute(path) ? path : arena_printf(arena, "%s/%s", folder, path);
}

static bool is_same_file(Arena *arena, const char *folder, const char *a,
                         const char *b) {
  return !strcmp(absolute(arena, folder, a), absolute(arena, folder, b));
}

static void take_words(Task *task, CompileCommand *command,
                       const Texts *words) {
  Texts all = in_full(&task->arena, command->directory, words, false);
  size_t i = compiler_in(&all);
  command->compiler = i < all.count ? base_of(all.at[i]) : "";
  command->unread = unread_options_file(&all, true);
  for (i++; i < all.count; i++)
    if (*all.at[i] == '-' || !is_same_file(&task->arena, command->directory,
                                           all.at[i], command->file))
      push(&task->arena, &command->arguments, all.at[i]);
}

static Texts texts_of(Task *task, const json_t *list) {
  Texts texts = {0};
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *text = json_to_text(task, json_array_get(list, i));
    if (text)
      push(&task->arena, &texts, text);
  }
  return texts;
}

static bool read_entry(Task *task, const char *folder, const json_t *entry,
                       CompileCommand *command) {
  const char *directory =
      json_to_text(task, json_object_get(entry, "directory"));
  const char *file = json_to_text(task, json_object_get(entry, "file"));
  const char *line = json_to_text(task, json_object_get(entry, "command"));
  const json_t *list = json_object_get(entry, "arguments");
  if (!file || (!line && !json_is_array(list)))
    return false;
  *command = (CompileCommand){
      .directory = absolute(&task->arena, folder, directory ? directory : "."),
      .file = file};
  Texts words = json_is_array(list) ? texts_of(task, list)
                                    : split_as_shell(&task->arena, line);
  take_words(task, command, &words);
  return true;
}

bool compile_commands_read(Task *task, const char *folder,
                           CompileCommands *commands, const char **error) {
  Arena *arena = &task->arena;
  struct stat status;
  bool is_folder = !stat(folder, &status) && S_ISDIR(status.st_mode);
  char *file = is_folder
                   ? arena_printf(arena, "%s/compile_commands.json", folder)
                   : arena_copy(arena, folder);
  char *real = realpath(file, NULL);
  json_error_t mistake;
  json_t *root = json_load_file(file, 0, &mistake);
  *error = NULL;
  if (access(file, R_OK))
    *error = arena_printf(arena, "%s: %s%s", file, strerror(errno),
                          is_folder ? " (CMake writes it with "
                                      "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON)"
                                    : "");
  else if (!root)
    *error = arena_printf(arena, "%s: line %d: %s", file, mistake.line,
                          mistake.text);
  else if (!json_is_array(root))
    *error = arena_printf(arena, "%s: this is no list of commands", file);
  const char *beside = real ? arena_copy(arena, real) : file;
  beside = arena_printf(arena, "%.*s", (int)(base_of(beside) - beside), beside);
  for (size_t i = 0; !*error && i < json_array_size(root); i++) {
    CompileCommand command;
    if (read_entry(task, beside, json_array_get(root, i), &command))
      push(arena, commands, command);
    else
      *error = arena_printf(arena,
                            "%s: entry %zu has no \"file\", or neither "
                            "\"command\" nor \"arguments\"",
                            file, i + 1);
  }
  free(real);
  json_decref(root);
  return !*error;
}

// --------------------------------------------------------------- recorded ---

// Texts with a NUL behind each: the folder, variables that nvcc reads as
// NAME=VALUE, the compiler, its arguments.
static Texts read_note(Arena *arena, const char *path) {
  Texts texts = {0};
  FILE *in = fopen(path, "rb");
  char *text = NULL;
  size_t room = 0;
  while (in && getdelim(&text, &room, 0, in) > 0)
    push(arena, &texts, arena_copy(arena, text));
  free(text);
  if (in)
    fclose(in);
  return texts;
}

// The value of an option, which is the next word, may look like a source.
static bool takes_next(const char *word) {
  const char *value = "";
  const NvccOption *option = nvcc_find(word, &value);
  return option && option->value != NONE && !*value;
}

// nvcc and clang are told of sources with other names what is in them.
static bool names_language(const Texts *words) {
  for (size_t i = 0; i < words->count; i++) {
    const char *value = "";
    const NvccOption *option = nvcc_find(words->at[i], &value);
    if (!option || option->fate != LANGUAGE)
      continue;
    if (!*value && i + 1 < words->count)
      value = words->at[i + 1];
    if (!strcmp(value, "cu") || !strcmp(value, "cuda") || !strcmp(value, "hip"))
      return true;
  }
  return false;
}

static bool is_object(const char *word) {
  static const char *const suffixes[] = {".o",   ".obj",   ".a",     ".so",
                                         ".ptx", ".cubin", ".fatbin"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (has_end(word, suffixes[i]))
      return true;
  return false;
}

static bool is_source(const char *word, bool is_any) {
  static const char *const suffixes[] = {".cu", ".hip", ".cl", ".cpp",
                                         ".cc", ".cxx", ".C",  ".c"};
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (has_end(word, suffixes[i]))
      return true;
  return is_any && !is_object(word);
}

// Those of a compiler's words that are sources; the others are options.
static Texts inputs_of(Arena *arena, const Texts *words, Texts *options) {
  bool is_any = names_language(words);
  Texts inputs = {0};
  for (size_t i = 0; i < words->count; i++) {
    const char *word = words->at[i];
    bool is_value = i && takes_next(words->at[i - 1]);
    if (*word != '-' && !is_value && is_source(word, is_any))
      push(arena, &inputs, word);
    else
      push(arena, options, word);
  }
  return inputs;
}

// A command may compile several files.
static void add_note(Task *task, const char *path, CompileCommands *commands) {
  Arena *arena = &task->arena;
  Texts note = read_note(arena, path), options = {0};
  if (note.count < 2)
    return;
  Texts words = {note.at + 1, note.count - 1, 0};
  Texts all = in_full(arena, note.at[0], &words, true);
  size_t first = compiler_in(&all) + 1;
  Texts behind = {all.at + first, all.count - first, 0};
  Texts inputs = inputs_of(arena, &behind, &options);
  for (size_t i = 0; i < inputs.count; i++)
    push(arena, commands,
         ((CompileCommand){.directory = note.at[0],
                           .file = inputs.at[i],
                           .arguments = options,
                           .unread = unread_options_file(&all, true),
                           .compiler = base_of(all.at[first - 1])}));
}

static int is_note(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

bool compile_commands_recorded(Task *task, const char *folder,
                               CompileCommands *commands, const char **error) {
  struct dirent **entries;
  int count = scandir(folder, &entries, is_note, alphasort);
  if (count < 0) {
    *error = arena_printf(&task->arena, "%s: %s", folder, strerror(errno));
    return false;
  }
  for (int i = 0; i < count; i++) {
    add_note(task,
             arena_printf(&task->arena, "%s/%s", folder, entries[i]->d_name),
             commands);
    free(entries[i]);
  }
  free(entries);
  return true;
}
