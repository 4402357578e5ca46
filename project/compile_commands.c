// How the files of a project are compiled: compile_commands.json, and what the
// launcher noted of a build.
//
// Both forms of an entry are read, "arguments" and "command"; the latter is
// taken apart as a shell would.  What an argument means is none of our business
// but for three: the file itself, the compiler, and files with more arguments
// (@FILE; nvcc's --options-file), for these are relative to the entry's folder.

#define _GNU_SOURCE

#include "project/json.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ------------------------------------------------------------------ words ---

// One character that stands for itself, behind a backslash or not.
static const char *take_char(const char *at, char quote, char **to) {
  bool is_escape = *at == '\\' && at[1] &&
                   (!quote || (quote == '"' && strchr("\"\\$`\n", at[1])));
  *(*to)++ = at[is_escape];
  return at + 1 + is_escape;
}

static const char *take_word(Arena *arena, const char *at, Texts *words) {
  char *word = arena_alloc(arena, strlen(at) + 1), *to = word, quote = 0;
  while (*at && (quote || !isspace((unsigned char)*at))) {
    bool opens = !quote && (*at == '"' || *at == '\'');
    if (opens || (quote && *at == quote))
      quote = (char)(opens ? *at : 0), at++;
    else
      at = take_char(at, quote, &to);
  }
  push(arena, words, word);
  return at;
}

Texts split_as_shell(Arena *arena, const char *line) {
  Texts words = {0};
  for (const char *at = line + strspn(line, " \t\r\n"); *at;
       at += strspn(at, " \t\r\n"))
    at = take_word(arena, at, &words);
  return words;
}

// --------------------------------------------------------- response files ---

static char *file_text(Arena *arena, const char *path) {
  FILE *in = fopen(path, "rb");
  struct stat status;
  char *text = NULL;
  if (in && !fstat(fileno(in), &status) && S_ISREG(status.st_mode)) {
    text = arena_alloc(arena, (size_t)status.st_size + 1);
    text[fread(text, 1, (size_t)status.st_size, in)] = 0;
  }
  if (in)
    fclose(in);
  return text;
}

// The name of a file with more arguments, or NULL; how many words that took.
static const char *options_file(const Texts *words, size_t i, size_t *took) {
  static const char *const names[] = {"--options-file", "-optf",
                                      "-options-file", "--optf"};
  const char *word = words->at[i];
  *took = 1;
  if (word[0] == '@' && word[1])
    return word + 1;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    size_t length = strlen(names[k]);
    bool is_one = !strncmp(word, names[k], length);
    if (is_one && word[length] == '=')
      return word + length + 1;
    if (is_one && !word[length] && i + 1 < words->count) {
      *took = 2;
      return words->at[i + 1];
    }
  }
  return NULL;
}

// What cannot be read stays, and whoever compiles says what is wrong.
static void expand(Task *task, const char *folder, const Texts *words,
                   Texts *to, unsigned depth) {
  enum { DEEPEST = 8 };
  Arena *arena = &task->arena;
  for (size_t i = 0, took; i < words->count; i += took) {
    const char *name = options_file(words, i, &took);
    const char *path = name && *name != '/'
                           ? arena_printf(arena, "%s/%s", folder, name)
                           : name;
    char *text = path && depth < DEEPEST ? file_text(arena, path) : NULL;
    if (text) {
      Texts more = split_as_shell(arena, text);
      expand(task, folder, &more, to, depth + 1);
      continue;
    }
    for (size_t k = i; k < i + took; k++)
      push(arena, to, words->at[k]);
  }
}

// Of what was expanded; NULL: all could be read.
static const char *unread_file(const Texts *all) {
  for (size_t i = 0, took; i < all->count; i += took) {
    const char *file = options_file(all, i, &took);
    if (file)
      return file;
  }
  return NULL;
}

Texts with_options_files(Task *task, const char *folder, const Texts *words,
                         const char **unread) {
  Texts all = {0};
  expand(task, folder, words, &all, 0);
  for (size_t i = 0, took; i < all.count; i += took) {
    const char *file = options_file(&all, i, &took);
    if (file && all.at[i][0] == '-')
      *unread = file;
  }
  return all;
}

// ---------------------------------------------------------------- entries ---

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
  Texts all = {0};
  size_t i = 0;
  expand(task, command->directory, words, &all, 0);
  while (i + 1 < all.count &&
         (is_launcher(all.at[i]) || strchr(all.at[i], '=')))
    i++;
  command->compiler = i < all.count ? base_of(all.at[i]) : "";
  command->unread = unread_file(&all);
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

// Texts with a NUL behind each: the folder, the compiler, its arguments.
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

static bool is_input(const Texts *words, size_t i) {
  static const char *const suffixes[] = {".cu", ".hip", ".cl", ".cpp",
                                         ".cc", ".cxx", ".C"};
  static const char *const before[] = {"-o",       "-MF", "-MT",      "-MQ",
                                       "-include", "-I",  "-isystem", "-x"};
  const char *word = words->at[i];
  size_t length = strlen(word);
  if (*word == '-')
    return false;
  for (size_t k = 0; i && k < sizeof before / sizeof *before; k++)
    if (!strcmp(words->at[i - 1], before[k]))
      return false;
  for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++)
    if (length > strlen(suffixes[k]) &&
        !strcmp(word + length - strlen(suffixes[k]), suffixes[k]))
      return true;
  return false;
}

// A command may compile several files.
static void add_note(Task *task, const char *path, CompileCommands *commands) {
  Texts note = read_note(&task->arena, path), words = {0}, all = {0};
  if (note.count < 2)
    return;
  for (size_t i = 1; i < note.count; i++)
    push(&task->arena, &words, note.at[i]);
  expand(task, note.at[0], &words, &all, 0);
  for (size_t i = 1; i < all.count; i++) {
    CompileCommand command = {.directory = note.at[0],
                              .file = all.at[i],
                              .compiler = base_of(all.at[0])};
    if (!is_input(&all, i))
      continue;
    for (size_t k = 1; k < all.count; k++)
      if (!is_input(&all, k))
        push(&task->arena, &command.arguments, all.at[k]);
    push(&task->arena, commands, command);
  }
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
