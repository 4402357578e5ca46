// One kernel of a file, made ready for execution.
//
// The file is compiled or read, the kernel found by the name that the launch
// file or an option gives - with no name it has to be the only one - and its
// code surveyed.  A second function can be taken along: the canonicaliser of
// `gpuverify schedules`, a kernel or any other function of the device.

#define _POSIX_C_SOURCE 200809L

#include "plugin/run.h"
#include "plugin/suppress.h"
#include "runtime/values/values.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct Opening {
  Task *task;
  const Settings *settings;
  const char *file;
  KernelFile *kernel;
  const KernelEntry *also;
  bool is_cut;
  int *status;
} Opening;

static bool complain(Opening *opening, int status, const char *what,
                     const char *why) {
  status_complain(opening->status, status, what, why);
  return false;
}

const char *file_trouble(const char *file) {
  if (access(file, F_OK))
    return strerror(errno);
  if (is_folder(file))
    return "this is a folder";
  if (has_suffix(file, ".ptx"))
    return "PTX is not executed; give the source that it was made of, or see "
           "gpuverify barriers";
  return access(file, R_OK) ? strerror(errno) : NULL;
}

static const char *kernel_trouble(const char *file) {
  static const char *const suffixes[] = {".cu", ".cl", ".ll", ".bc"};
  const char *trouble = file_trouble(file);
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (trouble || has_suffix(file, suffixes[i]))
      return trouble;
  return "not a .cu, .cl, .ll or .bc file";
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
  if (kernel->module && llvm_is_amdgcn(kernel->module))
    return complain(opening, EXIT_WRONG_USE, file,
                    "code for devices of AMD is proved, and not executed");
  if (kernel->module && proofs_are_wanted(opening->settings))
    kernel->compiled = llvm_copy_module(kernel->module);
  if (kernel->module)
    frontend_link_library(task, opening->settings, kernel->module);
  if (kernel->module)
    suppressions_know_functions(opening->settings->options.suppressions,
                                kernel->module);
  if (kernel->module && also)
    llvm_make_kernel(task, kernel->module, also);
  if (kernel->module)
    code_expand_assembly(task, kernel->module, false);
  if (kernel->module && llvm_prepare(task, kernel->module, &reason))
    return true;
  return complain(opening, EXIT_FRONT_END, file, reason);
}

// Spaces do not count, and `text` may go on with template arguments.
static bool is_called(const char *text, const char *name, bool is_template) {
  for (;; text++, name++) {
    text += strspn(text, " ");
    name += strspn(name, " ");
    if (!*name || *text != *name)
      return !*name && *text == (is_template ? '<' : 0);
  }
}

// By its whole name, or without template arguments if there is only one such.
static const KernelEntry *find_named(const KernelEntries *kernels,
                                     const char *name) {
  const KernelEntry *found = NULL;
  unsigned count = 0;
  for (size_t i = 0; i < kernels->count; i++)
    if (is_called(kernels->at[i].source, name, false) ||
        !strcmp(kernels->at[i].name, name))
      return &kernels->at[i];
  for (size_t i = 0; i < kernels->count; i++)
    if (is_called(kernels->at[i].source, name, true)) {
      found = &kernels->at[i];
      count++;
    }
  return count == 1 ? found : NULL;
}

static bool find_also(Opening *opening) {
  const char *name = opening->settings->canonical;
  if (!name)
    return true;
  opening->also = find_named(&opening->kernel->kernels, name);
  return opening->also || complain(opening, EXIT_WRONG_USE,
                                   "--canonical: no function is called", name);
}

// The first few of those that can be meant.
static const char *names_of(Opening *opening) {
  enum { MOST_NAMES = 8 };
  Arena *arena = &opening->task->arena;
  const KernelEntries *kernels = &opening->kernel->kernels;
  const char *text = "", *comma = "";
  unsigned count = 0;
  for (size_t i = 0; i < kernels->count && count <= MOST_NAMES; i++) {
    if (&kernels->at[i] == opening->also)
      continue;
    const char *name = ++count > MOST_NAMES ? ".." : kernels->at[i].source;
    text = arena_printf(arena, "%s%s%s", text, comma, name);
    comma = ", ";
  }
  return text;
}

// The kernel of this name; with no name the only one beside the other.
static bool find_kernel(Opening *opening, const char *name) {
  KernelFile *kernel = opening->kernel;
  Arena *arena = &opening->task->arena;
  const KernelEntries *kernels = &kernel->kernels;
  size_t candidates = kernels->count - (opening->also != NULL);
  if (!candidates)
    return complain(opening, EXIT_WRONG_USE, opening->file,
                    "there is no kernel in this file");
  if (name)
    kernel->entry = find_named(kernels, name);
  for (size_t i = 0; i < kernels->count && candidates == 1 && !name; i++)
    if (&kernels->at[i] != opening->also)
      kernel->entry = &kernels->at[i];
  if (kernel->entry)
    return true;
  const char *which =
      name ? arena_printf(arena, "no kernel is called: %s; there %s: %s", name,
                          candidates > 1 ? "are" : "is", names_of(opening))
           : arena_printf(arena, "it has several kernels; name one: %s",
                          names_of(opening));
  return complain(opening, EXIT_WRONG_USE, opening->file, which);
}

static void survey(Task *task, void *data) {
  Opening *opening = data;
  KernelFile *kernel = opening->kernel;
  bool is_cut = opening->is_cut;
  Cut cut = {.has_warps = settings_compare_warps(opening->settings),
             .wants_copies = opening->settings->unit,
             .is_deterministic = opening->settings->deterministic,
             .are_apart = true, // as launch files have it
             .is_for_device = settings_want_device(opening->settings)};
  if (is_cut)
    values_cut(task, kernel->module, kernel->entry, &cut);
  kernel->code = code_from_llvm(task, kernel->module, kernel->entry);
  if (is_cut)
    values_tell(task, kernel->code, &cut);
  code_refuse_guesses(task, kernel->code);
  if (opening->also)
    code_add(task, kernel->code, opening->also);
}

static bool make_code(Opening *opening) {
  Task *task = opening->task;
  if (task_run(task, survey, opening))
    return true;
  report_place(stderr, task->where, opening->file);
  fprintf(stderr, ": %s\n", task->reason);
  return complain(opening, EXIT_NOT_DECIDED, opening->kernel->entry->source,
                  "this kernel cannot be executed here");
}

bool kernel_file_open(Task *task, const Settings *settings, const char *file,
                      const char *name, KernelFile *kernel, int *status) {
  Opening opening = {.task = task,
                     .settings = settings,
                     .file = file,
                     .kernel = kernel,
                     .status = status};
  const char *trouble = kernel_trouble(file);
  if (trouble)
    return complain(&opening, EXIT_WRONG_USE, file, trouble);
  if (!open_module(&opening))
    return false;
  llvm_find_kernels(task, kernel->module, &kernel->kernels);
  if (!find_also(&opening) || !find_kernel(&opening, name))
    return false;
  if (kernel->entry == opening.also)
    return complain(&opening, EXIT_WRONG_USE, settings->canonical,
                    "a kernel cannot be its own --canonical");
  if (kernel->compiled)
    kernel->prepared = llvm_copy_module(kernel->module);
  opening.is_cut = settings_look_for_values(settings) && !kernel->compiled;
  return make_code(&opening);
}

bool kernel_file_cut(Task *task, const Settings *settings, const char *file,
                     KernelFile *kernel, int *status) {
  Opening opening = {.task = task,
                     .settings = settings,
                     .file = file,
                     .kernel = kernel,
                     .is_cut = true,
                     .status = status};
  size_t which = (size_t)(kernel->entry - kernel->kernels.at);
  llvm_drop_copy(kernel->module);
  kernel->module = kernel->prepared;
  kernel->prepared = NULL;
  kernel->kernels = (KernelEntries){0};
  llvm_find_kernels(task, kernel->module, &kernel->kernels);
  kernel->entry = &kernel->kernels.at[which];
  return make_code(&opening);
}

void kernel_file_close(KernelFile *kernel) {
  if (kernel->compiled)
    llvm_drop_copy(kernel->compiled);
  if (kernel->prepared)
    llvm_drop_copy(kernel->prepared);
  if (kernel->module)
    llvm_free_module(kernel->module);
}
