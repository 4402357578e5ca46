// Files that are given together: who launches whose kernels.
//
// A file launches a kernel that it does not define itself, or that is inline,
// of a template or weak, so that its code may be another file's.  Such a launch
// is one of the kernel of that name in the other files: linkers look for no
// more. What a file alone can define is judged there under its own launches.
//
// To a kernel that its own file launches the others add theirs.  One that it
// does not launch may be launched with anything, unless the files given tell
// all: no other of them defines a kernel of that name (they may be of several
// programs), and each is read for launches and has none that nobody sees.
//
// Launches in files that are not given are not seen, as ever.
//
// SOUND(whole-program): a file lists functions that it takes nobody else to
// call, as launches of its own, and those of others that it names, as launches
// elsewhere.  No kernel has such a name.  Where another file names one that it
// lists, its launches keep what is certain of them.

#include "plugin/across.h"

#include <string.h>

static bool defines(const OpenFile *file, const char *kernel) {
  for (size_t i = 0; i < file->kernels.count; i++)
    if (!strcmp(file->kernels.at[i].name, kernel))
      return true;
  return false;
}

static bool launches(const OpenFile *file, const char *kernel) {
  for (size_t i = 0; i < file->launches.count; i++)
    if (!strcmp(file->launches.at[i].kernel, kernel))
      return true;
  return false;
}

// Some launches of it may be of kernels that it does not name.
static bool hides_launches(const OpenFile *file) {
  return file->is_cuda && (!file->is_read || launches(file, ""));
}

static bool are_all_seen(const OpenFiles *files) {
  for (size_t i = 0; i < files->count; i++)
    if (hides_launches(&files->at[i]))
      return false;
  return true;
}

static bool is_defined_once(const OpenFiles *files, const char *kernel) {
  unsigned count = 0;
  for (size_t i = 0; i < files->count; i++)
    count += defines(&files->at[i], kernel);
  return count == 1;
}

static bool launches_elsewhere(const OpenFile *file, const char *name) {
  for (size_t i = 0; i < file->launches.count; i++)
    if (file->launches.at[i].is_elsewhere &&
        !strcmp(file->launches.at[i].kernel, name))
      return true;
  return false;
}

// Does another file name one of the functions that this one has for itself?
static bool is_called_by_others(const OpenFiles *files, size_t file) {
  const HostLaunches *own = &files->at[file].launches;
  for (size_t k = 0; k < own->count; k++)
    for (size_t i = 0; i < files->count; i++)
      if (i != file && !own->at[k].is_elsewhere &&
          !defines(&files->at[file], own->at[k].kernel) &&
          launches_elsewhere(&files->at[i], own->at[k].kernel))
        return true;
  return false;
}

static HostFacts certain(Task *task, const HostFacts *facts) {
  HostFacts kept = {0};
  for (size_t i = 0; i < facts->count; i++)
    if (!facts->at[i].is_of_program)
      push(&task->arena, &kept, facts->at[i]);
  return kept;
}

static void add_launch(Task *task, const OpenFiles *files, size_t from,
                       HostLaunch launch, HostLaunches *all) {
  if (is_called_by_others(files, from))
    launch.launch.facts = certain(task, &launch.launch.facts);
  push(&task->arena, all, launch);
}

static void add_others(Task *task, const OpenFiles *files, size_t file,
                       const char *kernel, HostLaunches *all) {
  for (size_t i = 0; i < files->count; i++) {
    const HostLaunches *theirs = &files->at[i].launches;
    for (size_t k = 0; i != file && k < theirs->count; k++)
      if (theirs->at[k].is_elsewhere && !strcmp(theirs->at[k].kernel, kernel))
        add_launch(task, files, i, theirs->at[k], all);
  }
}

HostLaunches launches_across(Task *task, const OpenFiles *files, size_t file) {
  const OpenFile *own = &files->at[file];
  bool is_all = are_all_seen(files);
  HostLaunches all = {0};
  for (size_t i = 0; i < own->launches.count; i++) {
    HostLaunch launch = own->launches.at[i];
    launch.is_elsewhere = false;
    add_launch(task, files, file, launch, &all);
  }
  for (size_t i = 0; i < own->kernels.count; i++) {
    const char *kernel = own->kernels.at[i].name;
    if (launches(own, kernel) || (is_all && is_defined_once(files, kernel)))
      add_others(task, files, file, kernel, &all);
  }
  return all;
}

bool launches_others(const OpenFiles *files, size_t file) {
  const HostLaunches *own = &files->at[file].launches;
  for (size_t i = 0; i < files->count; i++)
    for (size_t k = 0; i != file && k < own->count; k++)
      if (own->at[k].is_elsewhere && defines(&files->at[i], own->at[k].kernel))
        return true;
  return false;
}
