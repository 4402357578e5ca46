// The command line that looks at one file of a batch again, by itself.
//
// What the batch has of how the file is compiled are options for clang, of
// whatever compiler they once were. gpuverify takes most of them as they are,
// and what has two dashes, or one letter, behind --clang-arg.  Folders of
// headers are relative to where the compiler was, so that is where the command
// begins.  Warnings are nothing to a proof.

#include "plugin/batch.h"

#include "base/words.h"

#include <string.h>

static bool is_of_warnings(const char *option) {
  return option[0] == '-' && (option[1] == 'W' || !strcmp(option, "-w")) &&
         !strchr(option, ',');
}

static const char *as_option(Arena *arena, const char *word) {
  bool is_hidden = word[0] == '-' && (word[1] == '-' || !word[1] || !word[2]);
  return shell_word(
      arena, is_hidden ? arena_printf(arena, "--clang-arg=%s", word) : word);
}

// What says of a file with another name what is in it.
static const char *language_option(const BatchUnit *unit) {
  const Settings plain = {.language = LANGUAGE_BY_SUFFIX};
  bool is_named = settings_language(&plain, unit->file) != LANGUAGE_BY_SUFFIX;
  bool is_hip = unit->settings.language == LANGUAGE_HIP;
  return is_named ? "" : is_hip ? " --hip" : " --cuda";
}

const char *batch_again(const Batch *batch, const BatchUnit *unit) {
  Arena *arena = &batch->task->arena;
  const char *options = language_option(unit);
  for (size_t i = 0; i < unit->settings.clang_args.count; i++) {
    const char *word = unit->settings.clang_args.at[i];
    if (!is_of_warnings(word))
      options = arena_printf(arena, "%s %s", options, as_option(arena, word));
  }
  if (!*options)
    return NULL;
  if (!strcmp(unit->directory, batch->project))
    return arena_printf(arena, "gpuverify %s%s", shell_word(arena, unit->label),
                        options);
  return arena_printf(arena, "cd %s && gpuverify %s%s",
                      shell_word(arena, batch_relative(batch, unit->directory)),
                      shell_word(arena, unit->file), options);
}
