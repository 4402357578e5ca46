// What may differ from a revision of git: files that clang read for a unit, or
// looked for in vain, which git says have changed, or does not know.

#define _GNU_SOURCE

#include "plugin/batch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Adds the names that git prints, a NUL behind each, below `root`.  False: it
// failed.
static bool add_names(Task *task, const char *const *words, const char *root,
                      WordTable *names) {
  int ends[2];
  fflush(NULL);
  pid_t git = pipe(ends) ? -1 : fork();
  if (!git) {
    dup2(ends[1], STDOUT_FILENO);
    if (!freopen("/dev/null", "w", stderr)) // we say what is wrong
      _exit(127);
    close(ends[0]);
    execvp(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
  }
  if (git < 0)
    return false;
  close(ends[1]);
  FILE *in = fdopen(ends[0], "rb");
  char *name = NULL;
  size_t room = 0;
  int status = 0;
  while (in && getdelim(&name, &room, *root ? 0 : '\n', in) > 0) {
    name[strcspn(name, "\n")] = *root ? name[strcspn(name, "\n")] : 0;
    const char *path =
        *root ? arena_printf(&task->arena, "%s/%s", root, name) : name;
    words_add(&task->arena, names, path, strlen(path));
  }
  free(name);
  if (in)
    fclose(in);
  waitpid(git, &status, 0);
  return !status;
}

static bool is_among(Task *task, const WordTable *changed, const char *path) {
  char *real = realpath(path, NULL);
  const char *name = real ? arena_copy(&task->arena, real) : path;
  free(real);
  return words_find(changed, name, strlen(name)) != NO_WORD;
}

static bool has_changed(Batch *batch, const BatchUnit *unit,
                        const WordTable *changed) {
  bool is = !unit->has_manifest;
  for (size_t i = 0; !is && i < unit->manifest.files.count; i++) {
    const ManifestFile *file = &unit->manifest.files.at[i];
    is = (file->hash || !file->is_there) &&
         is_among(batch->task, changed, file->path);
  }
  return is;
}

static bool is_shallow(Task *task, const char *root) {
  WordTable answer = {0};
  const char *ask[] = {
      "git", "-C", root, "rev-parse", "--is-shallow-repository", NULL};
  return add_names(task, ask, "", &answer) && answer.at.count &&
         !strcmp(answer.at.at[0], "true");
}

bool batch_mark_changed(Batch *batch, const char *revision,
                        const char **error) {
  Task *task = batch->task;
  WordTable roots = {0}, changed = {0};
  const char *top[] = {"git", "rev-parse", "--show-toplevel", NULL};
  if (!add_names(task, top, "", &roots) || !roots.at.count) {
    *error = "--since: this is no work tree of git";
    return false;
  }
  const char *root = roots.at.at[0];
  const char *differ[] = {"git",         "-C", root,           "diff",
                          "--name-only", "-z", "--no-renames", revision,
                          "--",          NULL};
  const char *others[] = {"git",      "-C",       root,
                          "ls-files", "--others", "--exclude-standard",
                          "-z",       NULL};
  if (!add_names(task, differ, root, &changed) ||
      !add_names(task, others, root, &changed)) {
    *error = arena_printf(
        &task->arena, "--since: git knows no revision '%s'%s", revision,
        is_shallow(task, root)
            ? "; this clone is shallow (git fetch --unshallow)"
            : "");
    return false;
  }
  for (size_t i = 0; i < batch->units.count; i++)
    batch->units.at[i]->is_changed =
        has_changed(batch, batch->units.at[i], &changed);
  return true;
}
