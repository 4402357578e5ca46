// One file of a batch, compiled: its module goes to a file, and what planning
// has to know of it is printed.
//
// A kernel's fingerprint is made of the module as clang leaves it and, behind
// it, of the module as the prover sees it.  The first has all that executions
// and PTX are made of; the second has what preparing adds from elsewhere in the
// module, such as functions that a pointer may be.

#define _GNU_SOURCE

#include "plugin/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct Compilation {
  Task *task;
  const BatchUnit *unit;
  struct LLVMOpaqueModule *module;
  HostLaunches launches;
  Lookups lookups;
  KernelEntries kernels;
  IrText *written, *prepared;
  Manifest manifest;
} Compilation;

bool batch_is_ir(const BatchUnit *unit) {
  return has_suffix(unit->file, ".ll") || has_suffix(unit->file, ".bc");
}

static void open_module(Compilation *c) {
  const char *file = c->unit->file, *reason = NULL;
  frontend_watch(c->task, &c->lookups);
  if (batch_is_ir(c->unit)) {
    c->module = llvm_read_file(c->task, file, &reason);
    push(&c->task->arena, &c->lookups,
         ((Lookup){realpath(file, NULL), true, true}));
  } else {
    c->module =
        frontend_compile(c->task, &c->unit->settings, file, &c->launches);
  }
  frontend_watch(c->task, NULL);
  if (reason)
    fprintf(stderr, "gpuverify: %s: %s\n", file, reason);
}

// ----------------------------------------------------------------- kernels ---

static void find_kernels(Task *task, void *data) {
  Compilation *c = data;
  const char *only = c->unit->settings.options.kernel;
  KernelEntries all = {0};
  llvm_find_kernels(task, c->module, &all);
  for (size_t i = 0; i < all.count; i++)
    if (!only || !strcmp(only, all.at[i].name) ||
        !strcmp(only, all.at[i].source))
      push(&task->arena, &c->kernels, all.at[i]);
}

// As verify_module does.  What cannot be prepared is as it was written.
static void prepare(Task *task, void *data) {
  Compilation *c = data;
  const char *reason = NULL;
  llvm_name_grid_barrier(c->module);
  llvm_lower_assembly(task, c->module);
  if (!llvm_prepare(task, c->module, &reason) ||
      !llvm_follow_calls(task, c->module, &reason))
    unsupported(task, (Loc){0}, "%s", reason);
}

static void print_fingerprint(Compilation *c, const char *kernel,
                              PlaceTable *places, FILE *out) {
  const char *folder = c->unit->directory;
  ir_text_print(c->task, c->written, kernel, folder, places, out);
  fputs("prepared\n", out);
  if (c->prepared)
    ir_text_print(c->task, c->prepared, kernel, folder, places, out);
}

static void add_kernel(Compilation *c, const KernelEntry *entry) {
  ManifestKernel kernel = {
      .name = entry->name, .source = entry->source, .loc = entry->loc};
  char *text = NULL, hash[HASH_SIZE];
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  print_fingerprint(c, entry->name, &kernel.places, out);
  fclose(out);
  hash_text(text, size, hash);
  free(text);
  kernel.ir = arena_copy(&c->task->arena, hash);
  push(&c->task->arena, &c->manifest.kernels, kernel);
}

// ---------------------------------------------------------------- manifest ---

static void add_launches(Compilation *c) {
  for (size_t i = 0; i < c->launches.count; i++) {
    const HostLaunch *of = &c->launches.at[i];
    push(&c->task->arena, &c->manifest.launches,
         ((ManifestLaunch){of->kernel, of->is_elsewhere, of->launch}));
  }
}

static const char *absolute(const Compilation *c, const char *path) {
  return *path == '/'
             ? path
             : arena_printf(&c->task->arena, "%s/%s", c->unit->directory, path);
}

static bool is_newer(const char *path, struct timespec than) {
  struct stat status;
  return stat(path, &status) || status.st_mtim.tv_sec > than.tv_sec ||
         (status.st_mtim.tv_sec == than.tv_sec &&
          status.st_mtim.tv_nsec > than.tv_nsec);
}

// False: one of the files has changed since we began, so nobody knows what was
// read.
static bool add_files(Compilation *c, struct timespec began) {
  bool is_certain = true;
  for (size_t i = 0; i < c->lookups.count; i++) {
    const Lookup *of = &c->lookups.at[i];
    char hash[HASH_SIZE];
    ManifestFile file = {.path = of->path, .is_there = of->is_there};
    if (of->is_read &&
        (is_newer(of->path, began) || !hash_file(of->path, hash)))
      is_certain = false;
    else if (of->is_read)
      file.hash = arena_copy(&c->task->arena, hash);
    push(&c->task->arena, &c->manifest.files, file);
  }
  return is_certain;
}

// Lines of IR are of sources that nobody read; comments there count, too.
static void add_sources(Compilation *c) {
  Texts sources = ir_text_sources(c->task, c->written, c->unit->directory);
  for (size_t i = 0; i < sources.count; i++) {
    const char *path = sources.at[i];
    bool is_there = !access(path, R_OK) && !is_folder(path);
    if (*path)
      push(&c->task->arena, &c->lookups,
           ((Lookup){absolute(c, path), is_there, is_there}));
  }
}

// Such a manifest is true only now.
static void spoil(Compilation *c) {
  push(&c->task->arena, &c->manifest.files,
       ((ManifestFile){.path = "/", .is_there = false}));
}

static bool write_module(Compilation *c) {
  const char *file = c->unit->bitcode;
  char hash[HASH_SIZE];
  bool is_written = llvm_write_file(c->module, file) && hash_file(file, hash);
  if (is_written)
    c->manifest.module = arena_copy(&c->task->arena, hash);
  else
    fprintf(stderr, "gpuverify: %s: %s\n", file, strerror(errno));
  return is_written;
}

static int tell(Compilation *c, struct timespec began, FILE *out, int status) {
  if (!add_files(c, began))
    spoil(c);
  fputs(manifest_text(c->task, &c->manifest), out);
  return status;
}

int batch_compile(Task *task, const BatchUnit *unit, FILE *out) {
  Compilation c = {.task = task, .unit = unit, .manifest.module = ""};
  struct timespec began;
  clock_gettime(CLOCK_REALTIME, &began);
  open_module(&c);
  if (!c.module)
    return tell(&c, began, out, EXIT_FRONT_END);
  if (!write_module(&c))
    return EXIT_WRONG_USE;
  c.written = ir_text_read(task, module_text(task, c.module));
  if (!task_run(task, find_kernels, &c))
    return EXIT_FRONT_END;
  if (task_run(task, prepare, &c))
    c.prepared = ir_text_read(task, module_text(task, c.module));
  for (size_t i = 0; i < c.kernels.count; i++)
    add_kernel(&c, &c.kernels.at[i]);
  add_launches(&c);
  if (batch_is_ir(unit))
    add_sources(&c);
  return tell(&c, began, out, EXIT_ALL_VERIFIED);
}
