// Which files a batch is about, and how each of them is compiled.
//
// They come from compile_commands.json, from what gpuverify-recorder noted of a
// build, or are given: files, folders with all .cu, .hip and .cl below, and
// launches that GPUVerify's interceptors noted.  What a compile command says is
// said to the options' own reader, so the table of nvcc's options is the same
// as everywhere.  Other languages' files are left out.

#define _GNU_SOURCE

#include "plugin/batch.h"

#include "base/nvcc.h"

#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void batch_trouble(Batch *batch, const char *file, const char *kind,
                   const char *message, int status) {
  database_add_trouble(batch->database, file, kind, message);
  status_tell(kind, (Loc){.file = file}, message);
  status_worsen(&batch->status, status);
}

void batch_complain(Batch *batch, const char *file, const char *kind,
                    const char *message) {
  progress_clear(&batch->progress);
  fprintf(stderr, "gpuverify: %s: %s\n", file, message);
  batch_trouble(batch, file, kind, message, EXIT_WRONG_USE);
}

// ------------------------------------------------------------------- names ---

const char *batch_relative(const Batch *batch, const char *path) {
  size_t length = strlen(batch->project);
  bool is_below = !strncmp(path, batch->project, length) && path[length] == '/';
  return is_below ? path + length + 1 : path;
}

const char *batch_path(const Batch *batch, const char *folder,
                       const char *file) {
  Arena *arena = &batch->task->arena;
  const char *path =
      *file == '/' ? file : arena_printf(arena, "%s/%s", folder, file);
  char *real = realpath(path, NULL);
  const char *copy = real ? arena_copy(arena, real) : path;
  free(real);
  return copy;
}

const char *batch_label(const Batch *batch, const char *folder,
                        const char *file) {
  return batch_relative(batch, batch_path(batch, folder, file));
}

// ------------------------------------------------------------------- units ---

// What is added to a list of this unit is not added to another's.
static Settings own_settings(const Batch *batch) {
  Settings own = *batch->settings;
  own.door = DOOR_COMMAND;
  own.cache_dir = batch->cache.folder;
  own.no_cache = !own.cache_dir;
  own.clang_args.room = own.clang_args.count;
  own.ignored.room = own.ignored.count;
  own.warnings.room = own.warnings.count;
  own.options.kernel_args.room = own.options.kernel_args.count;
  own.options.kernel_arrays.room = own.options.kernel_arrays.count;
  own.files.at = NULL;
  own.files.count = own.files.room = 0;
  return own;
}

static bool is_same(const BatchUnit *a, const BatchUnit *b) {
  bool same = !strcmp(a->file, b->file) &&
              !strcmp(a->directory, b->directory) &&
              a->settings.clang_args.count == b->settings.clang_args.count &&
              !a->settings.options.kernel && !b->settings.options.kernel &&
              a->settings.language == b->settings.language;
  for (size_t i = 0; same && i < a->settings.clang_args.count; i++)
    same = !strcmp(a->settings.clang_args.at[i], b->settings.clang_args.at[i]);
  return same;
}

static void add_unit(Batch *batch, BatchUnit unit) {
  Arena *arena = &batch->task->arena;
  for (size_t i = 0; i < batch->units.count; i++)
    if (is_same(batch->units.at[i], &unit))
      return;
  BatchUnit *own = NEW(arena, BatchUnit);
  *own = unit;
  own->number = batch->units.count;
  own->bitcode = arena_printf(arena, "%s/%zu.bc", batch->scratch, own->number);
  push(arena, &batch->units, own);
}

// ------------------------------------------------------- compile commands ---

// hipcc needs not be told what it compiles.
static Language language_of(const Settings *settings,
                            const CompileCommand *of) {
  bool is_hip = strstr(of->compiler, "hipcc") != NULL;
  if (is_hip && settings->language == LANGUAGE_BY_SUFFIX &&
      !has_suffix(of->file, ".cl") && !has_suffix(of->file, ".c"))
    return LANGUAGE_HIP;
  return settings->language;
}

// nvcc takes several macros, folders or headers in one value, which its own
// names of -D, -I and the like stand for.
static Texts in_words_of_nvcc(Task *task, const CompileCommand *of) {
  Texts words = {0};
  for (size_t i = 0; i < of->arguments.count; i++) {
    const char *word = of->arguments.at[i], *value;
    const NvccOption *option = nvcc_find(word, &value);
    bool has_several = option && strstr(of->compiler, "nvcc") &&
                       (option->fate == TOGETHER || option->fate == APART);
    if (has_several)
      word = arena_printf(&task->arena, "--%s%s%s", option->name,
                          *value ? "=" : "", value);
    push(&task->arena, &words, word);
  }
  return words;
}

static void add_command(Batch *batch, const CompileCommand *of) {
  Task *task = batch->task;
  Texts words = in_words_of_nvcc(task, of);
  const char *path = batch_path(batch, of->directory, of->file), *error = NULL;
  BatchUnit unit = {.file = of->file,
                    .label = batch_relative(batch, path),
                    .directory = of->directory,
                    .settings = own_settings(batch)};
  bool is_read = settings_parse_compiler(task, &unit.settings, (int)words.count,
                                         (char **)(uintptr_t)words.at, &error);
  unit.settings.language = language_of(&unit.settings, of);
  if (settings_language(&unit.settings, of->file) == LANGUAGE_BY_SUFFIX)
    return;
  if (!is_read)
    batch_complain(batch, unit.label, "command", error);
  else if (of->unread)
    batch_complain(batch, unit.label, "command",
                   arena_printf(&task->arena, "cannot read '%s'", of->unread));
  else if (access(path, F_OK))
    batch_complain(batch, unit.label, "vanished", strerror(errno));
  else
    add_unit(batch, unit);
}

static bool is_chosen(const Batch *batch, const CompileCommand *of,
                      const regex_t *patterns, size_t count) {
  const char *path = batch_path(batch, of->directory, of->file);
  for (size_t i = 0; i < count; i++)
    if (!regexec(&patterns[i], batch_relative(batch, path), 0, NULL, 0) ||
        !regexec(&patterns[i], path, 0, NULL, 0))
      return true;
  return !count;
}

static bool read_patterns(Batch *batch, regex_t *patterns, const char **error) {
  const Settings *settings = batch->settings;
  for (size_t i = 0; i < settings->files.count; i++) {
    char why[256];
    int code =
        regcomp(&patterns[i], settings->files.at[i], REG_EXTENDED | REG_NOSUB);
    if (!code)
      continue;
    regerror(code, &patterns[i], why, sizeof why);
    *error = arena_printf(&batch->task->arena, "'%s' is no pattern: %s",
                          settings->files.at[i], why);
    return false;
  }
  return true;
}

static bool add_commands(Batch *batch, const CompileCommands *commands,
                         const char **error) {
  size_t count = batch->settings->files.count, chosen = 0;
  regex_t *patterns =
      arena_alloc(&batch->task->arena, (count + 1) * sizeof *patterns);
  if (!read_patterns(batch, patterns, error))
    return false;
  for (size_t i = 0; i < commands->count; i++)
    if (is_chosen(batch, &commands->at[i], patterns, count)) {
      chosen++;
      add_command(batch, &commands->at[i]);
    }
  for (size_t i = 0; i < count; i++)
    regfree(&patterns[i]);
  if (!chosen && count)
    *error = "no file of the compile commands matches";
  return !*error;
}

// A build that compiled nothing must not look like one without a bug.
static void check_commands(Batch *batch) {
  const Settings *settings = batch->settings;
  bool is_watched = settings->program_args.count > 0;
  if (batch->units.count || database_troubles(batch->database))
    return;
  if (is_watched)
    batch_complain(batch, settings->program_args.at[0], "empty",
                   "it compiled no CUDA, HIP or OpenCL; what is up to date is "
                   "not compiled again, and so not seen");
  else
    batch_complain(batch,
                   settings->build ? settings->build : settings->recorded,
                   "empty", "no CUDA, HIP or OpenCL is compiled there");
}

// ------------------------------------------------------------- files, folders
// ---

static void add_given(Batch *batch, const char *file) {
  struct stat status;
  if (stat(file, &status)) {
    batch_complain(batch, file, "vanished", strerror(errno));
    return;
  }
  add_unit(batch, (BatchUnit){.file = file,
                              .label = file,
                              .directory = batch->project,
                              .settings = own_settings(batch)});
}

static void add_intercepted(Batch *batch, const char *file) {
  Intercepted launches = {0};
  const char *error = NULL;
  Settings own = own_settings(batch);
  if (!intercepted_read(batch->task, &own, file, &launches, &error))
    batch_complain(batch, file, "command", error);
  for (size_t i = 0; !error && i < launches.count; i++) {
    Settings *launch = &launches.at[i];
    const char *source = launch->files.at[0];
    launch->files.count = 0;
    add_unit(batch, (BatchUnit){.file = source,
                                .label = source,
                                .directory = batch->project,
                                .settings = *launch});
  }
}

static int is_visible(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

static const char *below(const Batch *batch, const char *folder,
                         const char *name) {
  size_t length = strlen(folder);
  while (length > 1 && folder[length - 1] == '/')
    length--;
  return strcmp(folder, ".") ? arena_printf(&batch->task->arena, "%.*s/%s",
                                            (int)length, folder, name)
                             : arena_copy(&batch->task->arena, name);
}

// In alphabetical order; what is linked symbolically is elsewhere, too.  How
// many files there are.
static size_t add_folder(Batch *batch, const char *folder) {
  static const char *const suffixes[] = {".cu", ".hip", ".cl"};
  struct dirent **entries;
  struct stat status;
  size_t files = 0;
  int count = scandir(folder, &entries, is_visible, alphasort);
  if (count < 0)
    batch_complain(batch, folder, "vanished", strerror(errno));
  for (int i = 0; i < count; i++) {
    const char *path = below(batch, folder, entries[i]->d_name);
    free(entries[i]);
    if (!lstat(path, &status) && S_ISDIR(status.st_mode))
      files += add_folder(batch, path);
    for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++)
      if (has_suffix(path, suffixes[k]) && !is_folder(path)) {
        add_given(batch, path);
        files++;
      }
  }
  if (count >= 0)
    free(entries);
  return files;
}

// Who names a folder thinks that there is something in it.
static void add_given_folder(Batch *batch, const char *folder) {
  size_t troubles = database_troubles(batch->database);
  if (!add_folder(batch, folder) &&
      database_troubles(batch->database) == troubles)
    batch_complain(batch, folder, "empty",
                   "there is no .cu, .hip or .cl file in or below this folder");
}

static bool is_known(const Settings *settings, const char *file) {
  return is_source(settings, file) || has_suffix(file, ".ll") ||
         has_suffix(file, ".bc");
}

static void add_files(Batch *batch) {
  const Settings *settings = batch->settings;
  for (size_t i = 0; i < settings->files.count; i++) {
    const char *file = settings->files.at[i];
    if (is_folder(file))
      add_given_folder(batch, file);
    else if (has_suffix(file, ".json"))
      add_intercepted(batch, file);
    else if (is_known(settings, file) || access(file, F_OK))
      add_given(batch, file);
    else
      batch_complain(
          batch, file, "command",
          "not a .cu, .hip, .cl, .ll, .bc or .json file, nor a folder");
  }
}

// --------------------------------------------------------------------- all ---

// A file that is one of many may launch the kernels of others.
static void say_how_many(Batch *batch) {
  size_t cuda = 0;
  for (size_t i = 0; i < batch->units.count; i++) {
    const BatchUnit *unit = batch->units.at[i];
    Language language = settings_language(&unit->settings, unit->file);
    cuda += language == LANGUAGE_CUDA || language == LANGUAGE_HIP;
  }
  for (size_t i = 0; i < batch->units.count; i++)
    for (size_t k = 0; k < (cuda > 1 ? 2 : 1); k++)
      push(&batch->task->arena, &batch->units.at[i]->settings.files,
           batch->units.at[i]->file);
}

bool batch_find_units(Batch *batch, const char **error) {
  const Settings *settings = batch->settings;
  CompileCommands commands = {0};
  if (settings->build &&
      !compile_commands_read(batch->task, settings->build, &commands, error))
    return false;
  if (settings->recorded &&
      !compile_commands_recorded(batch->task, settings->recorded, &commands,
                                 error))
    return false;
  if (settings->build || settings->recorded) {
    if (!add_commands(batch, &commands, error))
      return false;
    check_commands(batch);
  } else {
    add_files(batch);
  }
  say_how_many(batch);
  return true;
}
