// One kernel of a file, made ready for execution.
//
// The file is compiled or read, the kernel found by the name that the launch
// file or an option gives - with no name it has to be the only one - and its
// code surveyed.  A second function can be taken along: the canonicaliser of
// `gpuverify schedules`, a kernel or any other function of the device.

#define _POSIX_C_SOURCE 200809L

#include "plugin/run.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct Opening {
  Task *task;
  const Settings *settings;
  const char *file;
  KernelFile *kernel;
  const KernelEntry *also;
  int *status;
} Opening;

static bool complain(Opening *opening, int status, const char *what,
                     const char *why) {
  status_complain(opening->status, status, what, why);
  return false;
}

static bool open_module(Opening *opening) {
  Task *task = opening->task;
  KernelFile *kernel = opening->kernel;
  const char *file = opening->file, *reason = "does not compile";
  const char *also = opening->settings->canonical;
  bool is_ir = has_suffix(file, ".ll") || has_suffix(file, ".bc");
  kernel->module = is_ir ? llvm_read_file(task, file, &reason)
                         : frontend_compile(task, opening->settings, file,
                                            &kernel->launches);
  if (kernel->module)
    frontend_link_library(task, opening->settings, kernel->module);
  if (kernel->module && also)
    llvm_make_kernel(task, kernel->module, also);
  if (kernel->module)
    code_expand_assembly(task, kernel->module, false);
  if (kernel->module && llvm_prepare(task, kernel->module, &reason))
    return true;
  return complain(opening, EXIT_FRONT_END, file, reason);
}

static const KernelEntry *find_named(const KernelEntries *kernels,
                                     const char *name) {
  for (size_t i = 0; i < kernels->count; i++)
    if (!strcmp(kernels->at[i].source, name) ||
        !strcmp(kernels->at[i].name, name))
      return &kernels->at[i];
  return NULL;
}

static bool find_also(Opening *opening) {
  const char *name = opening->settings->canonical;
  if (!name)
    return true;
  opening->also = find_named(&opening->kernel->kernels, name);
  return opening->also || complain(opening, EXIT_WRONG_USE,
                                   "--canonical: no function is called", name);
}

// The kernel of this name; with no name the only one beside the other.
static bool find_kernel(Opening *opening, const char *name) {
  KernelFile *kernel = opening->kernel;
  const KernelEntries *kernels = &kernel->kernels;
  size_t candidates = kernels->count - (opening->also != NULL);
  if (name) {
    kernel->entry = find_named(kernels, name);
    return kernel->entry ||
           complain(opening, EXIT_WRONG_USE, "no kernel is called", name);
  }
  for (size_t i = 0; i < kernels->count && candidates == 1; i++)
    if (&kernels->at[i] != opening->also)
      kernel->entry = &kernels->at[i];
  return kernel->entry ||
         complain(opening, EXIT_WRONG_USE, opening->file,
                  candidates ? "it has several kernels; name one"
                             : "there is no kernel in this file");
}

static void survey(Task *task, void *data) {
  Opening *opening = data;
  KernelFile *kernel = opening->kernel;
  kernel->code = code_from_llvm(task, kernel->module, kernel->entry);
  if (opening->also)
    code_add(task, kernel->code, opening->also);
}

bool kernel_file_open(Task *task, const Settings *settings, const char *file,
                      const char *name, KernelFile *kernel, int *status) {
  Opening opening = {.task = task,
                     .settings = settings,
                     .file = file,
                     .kernel = kernel,
                     .status = status};
  if (access(file, R_OK))
    return complain(&opening, EXIT_WRONG_USE, file, strerror(errno));
  if (!open_module(&opening))
    return false;
  llvm_find_kernels(task, kernel->module, &kernel->kernels);
  if (!find_also(&opening) || !find_kernel(&opening, name))
    return false;
  if (kernel->entry == opening.also)
    return complain(&opening, EXIT_WRONG_USE, settings->canonical,
                    "a kernel cannot be its own --canonical");
  if (task_run(task, survey, &opening))
    return true;
  report_place(stderr, task->where, file);
  fprintf(stderr, ": %s\n", task->reason);
  return complain(&opening, EXIT_NOT_DECIDED, kernel->entry->source,
                  "this kernel cannot be executed here");
}

void kernel_file_close(KernelFile *kernel) {
  if (kernel->module)
    llvm_free_module(kernel->module);
}
