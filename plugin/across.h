// Files that are given together: who launches whose kernels.

#ifndef PLUGIN_ACROSS_H
#define PLUGIN_ACROSS_H

#include "plugin/plugin.h"

// A CUDA file among others.
typedef struct OpenFile {
  const char *file;
  bool is_cuda;
  bool is_tried;                   // .module is what became of it, if CUDA
  struct LLVMOpaqueModule *module; // NULL: it does not compile, or is not here
  bool is_read;                    // it compiles
  bool is_linked;                  // others have code of it
  HostLaunches launches;           // that its own code makes
  KernelEntries kernels;
} OpenFile;

typedef Vec(OpenFile) OpenFiles;

// Of the kernels of files->at[file]: those of its own code, and those of the
// other files that are certain to be theirs.
HostLaunches launches_across(Task *task, const OpenFiles *files, size_t file);
// Does the file launch a kernel that another one has?
bool launches_others(const OpenFiles *files, size_t file);

// linked_code.cc: gives each file what it lacks and another one defines.
void link_across(OpenFiles *files);

#endif
