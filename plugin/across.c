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

static void add_others(Task *task, const OpenFiles *files, size_t file,
                       const char *kernel, HostLaunches *all) {
  for (size_t i = 0; i < files->count; i++) {
    const HostLaunches *theirs = &files->at[i].launches;
    for (size_t k = 0; i != file && k < theirs->count; k++)
      if (theirs->at[k].is_elsewhere && !strcmp(theirs->at[k].kernel, kernel))
        push(&task->arena, all, theirs->at[k]);
  }
}

HostLaunches launches_across(Task *task, const OpenFiles *files, size_t file) {
  const OpenFile *own = &files->at[file];
  bool is_all = are_all_seen(files);
  HostLaunches all = {0};
  for (size_t i = 0; i < own->launches.count; i++) {
    HostLaunch launch = own->launches.at[i];
    launch.is_elsewhere = false;
    push(&task->arena, &all, launch);
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
