// What is to be done in a batch: which manifests of earlier ones are still
// true, which kernels have a verdict already, and which share one.
//
// The key of a kernel is a hash of all that its verdict depends on: its
// fingerprint, the launches that all files of the batch make of it, the
// options, and which gpuverify, LLVM and Z3 look at it.  That of a compilation
// is a hash of how clang is called; its manifest names every file that clang
// read or looked for in vain, so it is true as long as these are what they
// were.  It has the hash of its module, which is kept for whoever goes on where
// we were ended.

#define _GNU_SOURCE

#include "plugin/batch.h"
#include "plugin/suppress.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --------------------------------------------------------------- manifests ---

static void make_unit_key(Batch *batch, BatchUnit *unit) {
  const char *only = unit->settings.options.kernel;
  const char *text = arena_printf(
      &batch->task->arena, "compilation\n%s%s\n%s\n%s\n%s%s", batch->versions,
      unit->directory, unit->file, only ? only : "",
      frontend_how(batch->task, &unit->settings, unit->file),
      options_text(batch->task, &unit->settings));
  hash_text(text, strlen(text), unit->key);
}

// Once for each file of a batch.
static const char *hash_of(Batch *batch, const char *path) {
  Arena *arena = &batch->task->arena;
  size_t number = words_add(arena, &batch->files, path, strlen(path));
  char hash[HASH_SIZE];
  if (number == batch->file_hashes.count)
    push(arena, &batch->file_hashes,
         hash_file(path, hash) ? arena_copy(arena, hash) : "");
  return batch->file_hashes.at[number];
}

// Every kernel of a file includes the same headers.
static bool has_comments(Batch *batch, const char *path) {
  Arena *arena = &batch->task->arena;
  size_t number = words_add(arena, &batch->scanned, path, strlen(path));
  if (number == batch->has_comments.count)
    push(arena, &batch->has_comments, suppressions_has_comments(path));
  return batch->has_comments.at[number];
}

static bool is_as_it_was(Batch *batch, const ManifestFile *file) {
  if (file->hash)
    return !strcmp(hash_of(batch, file->path), file->hash);
  return !access(file->path, F_OK) == file->is_there;
}

static bool is_true(Batch *batch, const Manifest *manifest) {
  for (size_t i = 0; i < manifest->files.count; i++)
    if (!is_as_it_was(batch, &manifest->files.at[i]))
      return false;
  return true;
}

// What was said when it was compiled, such as that launches could not be read.
static void speak(Batch *batch, BatchUnit *unit) {
  if (unit->has_spoken || !*unit->manifest.words)
    return;
  unit->has_spoken = true;
  progress_clear(&batch->progress);
  fputs(unit->manifest.words, stderr);
}

static void take(Batch *batch, BatchUnit *unit, const Manifest *manifest) {
  if (!*manifest->module) {
    batch_break(batch, unit, manifest->words);
    return;
  }
  unit->manifest = *manifest;
  unit->has_manifest = true;
  unit->kernels.count = 0;
  for (size_t i = 0; i < manifest->kernels.count; i++)
    push(&batch->task->arena, &unit->kernels,
         ((BatchKernel){.unit = unit,
                        .index = i,
                        .of = &unit->manifest.kernels.at[i],
                        .state = WORK_SKIPPED})); // until there is a plan
  speak(batch, unit);
}

static void recall(Batch *batch, BatchUnit *unit) {
  Manifest manifest;
  make_unit_key(batch, unit);
  const char *text = database_manifest(batch->task, batch->database, unit->key);
  bool is_found = text && manifest_read(batch->task, text, &manifest) &&
                  is_true(batch, &manifest);
  if (!is_found) {
    text = cache_get(batch->task, &batch->cache, unit->key);
    is_found = text && manifest_read(batch->task, text, &manifest) &&
               is_true(batch, &manifest);
    if (is_found)
      database_add_manifest(batch->database, unit->key, text);
  }
  if (!is_found)
    return;
  take(batch, unit, &manifest);
}

void batch_recall(Batch *batch) {
  database_begin(batch->database);
  for (size_t i = 0; i < batch->units.count; i++)
    recall(batch, batch->units.at[i]);
  database_commit(batch->database);
}

bool batch_learn(Batch *batch, BatchUnit *unit, const char *text) {
  Manifest manifest;
  if (!manifest_read(batch->task, text, &manifest))
    return false;
  database_add_manifest(batch->database, unit->key, text);
  cache_put(batch->task, &batch->cache, unit->key, text);
  take(batch, unit, &manifest);
  unit->has_bitcode = !unit->is_broken;
  if (unit->has_bitcode)
    cache_keep_file(batch->task, &batch->cache, manifest.module, unit->bitcode);
  return true;
}

bool batch_recall_module(Batch *batch, BatchUnit *unit) {
  const char *wanted = unit->manifest.module, *file = unit->bitcode;
  char hash[HASH_SIZE] = "";
  if (cache_take_file(batch->task, &batch->cache, wanted, file) &&
      hash_file(file, hash) && !strcmp(hash, wanted))
    return true;
  unlink(file); // who writes it would write what is kept
  return false;
}

// ---------------------------------------------------------------- launches ---

static bool is_cuda(const BatchUnit *unit) {
  Language language = settings_language(&unit->settings, unit->file);
  return language == LANGUAGE_CUDA || language == LANGUAGE_HIP;
}

static OpenFile open_file(Batch *batch, const BatchUnit *unit) {
  OpenFile file = {.file = unit->file,
                   .is_cuda = is_cuda(unit),
                   .is_tried = true,
                   .is_read = unit->has_manifest};
  Arena *arena = &batch->task->arena;
  for (size_t i = 0; i < unit->manifest.launches.count; i++) {
    const ManifestLaunch *of = &unit->manifest.launches.at[i];
    push(arena, &file.launches,
         ((HostLaunch){.kernel = of->kernel,
                       .launch = of->launch,
                       .is_elsewhere = of->is_elsewhere}));
  }
  for (size_t i = 0; i < unit->manifest.kernels.count; i++)
    push(arena, &file.kernels,
         ((KernelEntry){.name = unit->manifest.kernels.at[i].name}));
  return file;
}

static void find_launches(Batch *batch) {
  OpenFiles files = {0};
  size_t cuda = 0;
  for (size_t i = 0; i < batch->units.count; i++) {
    push(&batch->task->arena, &files, open_file(batch, batch->units.at[i]));
    cuda += files.at[i].is_cuda;
  }
  for (size_t i = 0; i < batch->units.count; i++)
    batch->units.at[i]->launches = cuda > 1 && files.at[i].is_cuda
                                       ? launches_across(batch->task, &files, i)
                                       : files.at[i].launches;
}

static void own_launches(Batch *batch, BatchKernel *kernel) {
  const HostLaunches *all = &kernel->unit->launches;
  kernel->launches.count = 0;
  for (size_t i = 0; i < all->count; i++)
    if (!strcmp(all->at[i].kernel, kernel->of->name))
      push(&batch->task->arena, &kernel->launches, all->at[i]);
}

// -------------------------------------------------------------------- keys ---

static void print_launches(Batch *batch, BatchKernel *kernel, FILE *out) {
  for (size_t i = 0; i < kernel->launches.count; i++) {
    const HostLaunch *launch = &kernel->launches.at[i];
    fprintf(out, "launch %d %s\n", launch->is_elsewhere,
            launch_text(batch->task, &launch->launch, &kernel->places));
  }
}

static void copy_places(Batch *batch, const PlaceTable *from, PlaceTable *to) {
  *to = (PlaceTable){0};
  for (size_t i = 0; i < from->at.count; i++)
    place_table_add(&batch->task->arena, to, from->at.at[i]);
}

// Comments of the files that clang read suppress findings at their lines, so a
// file that has such a comment counts as a whole; so do lists, and all files
// for a baseline, which has the texts of lines.
static void print_suppressions(Batch *batch, BatchKernel *kernel, FILE *out) {
  const Settings *settings = &kernel->unit->settings;
  const Manifest *manifest = &kernel->unit->manifest;
  const char *lists[] = {settings->ignore_list, settings->baseline};
  bool has_some = settings->ignore_list || settings->baseline;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    if (lists[i])
      fprintf(out, "list %zu %s\n", i, hash_of(batch, lists[i]));
  for (size_t i = 0; i < manifest->files.count; i++) {
    const ManifestFile *file = &manifest->files.at[i];
    bool counts = settings->baseline || has_comments(batch, file->path);
    if (file->hash && counts)
      fprintf(out, "suppresses %s %s\n", file->path, file->hash);
    has_some |= file->hash && counts;
  }
  if (has_some) // what is suppressed of one is not of its like
    fprintf(out, "of %s %s %s\n", kernel->unit->file, kernel->of->name,
            kernel->of->source);
}

static void make_key(Batch *batch, BatchKernel *kernel) {
  const Settings *settings = &kernel->unit->settings;
  bool has_names = settings->options.kernel_args.count ||
                   settings->options.kernel_arrays.count;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  copy_places(batch, &kernel->of->places, &kernel->places);
  own_launches(batch, kernel);
  fprintf(out, "kernel\n%s%s%s %d\n", batch->versions,
          options_text(batch->task, settings), kernel->of->ir,
          batch_is_ir(kernel->unit));
  if (has_names)
    fprintf(out, "%s\n%s\n", kernel->of->name, kernel->of->source);
  print_launches(batch, kernel, out);
  print_suppressions(batch, kernel, out);
  fclose(out);
  hash_text(text, size, kernel->key);
  free(text);
}

// ----------------------------------------------------------------- choices ---

// "2/3" of --shard; what has one fingerprint is in one part, wherever it is.
static bool is_in_shard(const Batch *batch, const BatchKernel *kernel) {
  unsigned part = 1, parts = 1;
  char digits[9] = "";
  if (batch->settings->shard)
    sscanf(batch->settings->shard, "%u/%u", &part, &parts);
  memcpy(digits, kernel->of->ir, sizeof digits - 1);
  return strtoul(digits, NULL, 16) % parts == part - 1;
}

// Its own file, or one that launches it.
static bool may_have_changed(const Batch *batch, const BatchKernel *kernel) {
  bool changed = kernel->unit->is_changed;
  for (size_t i = 0; !changed && i < batch->units.count; i++) {
    const BatchUnit *unit = batch->units.at[i];
    for (size_t k = 0; unit->is_changed && k < unit->manifest.launches.count;
         k++)
      changed |=
          !strcmp(unit->manifest.launches.at[k].kernel, kernel->of->name);
  }
  return changed;
}

// There is a row, and it is of something else.
static bool is_stale(Batch *batch, const BatchKernel *kernel) {
  ResultRow row;
  return database_find(batch->task, batch->database, kernel->unit->key,
                       kernel->of->name, &row) &&
         strcmp(row.key, batch_row_key(batch, kernel)) != 0;
}

static bool is_wanted(Batch *batch, const BatchKernel *kernel) {
  return is_in_shard(batch, kernel) &&
         (!batch->settings->since || may_have_changed(batch, kernel) ||
          is_stale(batch, kernel));
}

// Kernels that are to be proved, by their keys.
typedef struct Firsts {
  WordTable keys;
  Vec(BatchKernel *) at;
} Firsts;

// The one with this key; NULL: it is this kernel.
static BatchKernel *first_of(const Batch *batch, Firsts *firsts,
                             BatchKernel *kernel) {
  Arena *arena = &batch->task->arena;
  size_t before = firsts->at.count;
  size_t number = words_add(arena, &firsts->keys, kernel->key, HASH_SIZE - 1);
  if (number < before)
    return firsts->at.at[number];
  push(arena, &firsts->at, kernel);
  return NULL;
}

static bool is_to_be_checked(const Batch *batch, const BatchKernel *kernel) {
  char digits[9] = "";
  memcpy(digits, kernel->key + 8, sizeof digits - 1);
  return strtoul(digits, NULL, 16) % 100 < batch->settings->cache_check;
}

static const char *kept(Batch *batch, BatchKernel *kernel) {
  return batch->settings->no_cache
             ? NULL
             : batch_record_of(
                   batch, kernel,
                   cache_get(batch->task, &batch->cache, kernel->key));
}

// Of a batch that was not finished, or whose verdicts may be taken.
static bool has_row(Batch *batch, const BatchKernel *kernel) {
  const Settings *settings = batch->settings;
  ResultRow row;
  RecordFacts facts;
  if ((batch->was_finished && settings->cache_check) ||
      !database_find(batch->task, batch->database, kernel->unit->key,
                     kernel->of->name, &row) ||
      (settings->no_cache && row.is_cached) ||
      strcmp(row.key, batch_row_key(batch, kernel)) != 0 ||
      !record_facts(batch->task, row.record, &facts))
    return false;
  return batch_is_final(facts.verdict) ||
         batch_is_enough(kernel, row.timeout, row.memory);
}

static void choose(Batch *batch, Firsts *firsts, BatchKernel *kernel) {
  make_key(batch, kernel);
  kernel->state = WORK_SKIPPED;
  kernel->is_checked = false;
  if (!is_wanted(batch, kernel))
    return;
  bool is_there = has_row(batch, kernel);
  kernel->kept = is_there ? NULL : kept(batch, kernel);
  kernel->is_checked = kernel->kept && is_to_be_checked(batch, kernel);
  kernel->state =
      (is_there || kernel->kept) && !kernel->is_checked ? WORK_DONE : WORK_TODO;
  if (kernel->state == WORK_TODO &&
      (kernel->first = first_of(batch, firsts, kernel)))
    kernel->state = WORK_FOLLOWS;
}

void batch_plan(Batch *batch) {
  Firsts firsts = {0};
  find_launches(batch);
  for (size_t i = 0; i < batch->units.count; i++)
    for (size_t k = 0; k < batch->units.at[i]->kernels.count; k++)
      choose(batch, &firsts, &batch->units.at[i]->kernels.at[k]);
}

// -------------------------------------------------------------- what is known
// ---

static void take_kernel(Batch *batch, BatchKernel *kernel) {
  ResultRow row;
  const char *unit = kernel->unit->key, *name = kernel->of->name;
  if (kernel->state == WORK_SKIPPED && batch->settings->since)
    database_keep(batch->database, unit, name);
  if (kernel->state != WORK_DONE)
    return;
  batch->cached++;
  if (kernel->kept)
    batch_tell(batch, kernel, kernel->kept, true);
  else if (database_find(batch->task, batch->database, unit, name, &row))
    batch_tell_row(batch, kernel, row.record);
}

void batch_take_known(Batch *batch) {
  database_begin(batch->database);
  for (size_t i = 0; i < batch->units.count; i++)
    for (size_t k = 0; k < batch->units.at[i]->kernels.count; k++)
      take_kernel(batch, &batch->units.at[i]->kernels.at[k]);
  database_commit(batch->database);
}
