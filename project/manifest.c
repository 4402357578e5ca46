// What one compilation came to, as a line of JSON.
//
// It has all that planning a batch needs, so a file that did not change, with
// the files that it includes, need not be compiled to know that nothing is to
// be done.

#include "project/json.h"

#include <stdlib.h>
#include <string.h>

enum { MANIFEST_SCHEMA = 3 };

// ----------------------------------------------------------------- pieces ---

json_t *json_of_place(Loc loc) {
  return loc.line
             ? json_pack("[s?, i, i]", loc.file, (int)loc.line, (int)loc.column)
             : json_null();
}

const char *json_to_text(Task *task, const json_t *json) {
  const char *text = json_string_value(json);
  return text ? arena_copy(&task->arena, text) : NULL;
}

Loc json_to_place(Task *task, const json_t *place) {
  return (Loc){json_to_text(task, json_array_get(place, 0)),
               (unsigned)json_integer_value(json_array_get(place, 1)),
               (unsigned)json_integer_value(json_array_get(place, 2))};
}

char *json_to_line(Task *task, json_t *json) {
  char *line = json_dumps(json, JSON_COMPACT | JSON_PRESERVE_ORDER |
                                    JSON_REAL_PRECISION(6));
  char *copy = line ? arena_copy(&task->arena, line) : NULL;
  free(line);
  json_decref(json);
  return copy;
}

// ---------------------------------------------------------------- writing ---

static json_t *kernel(const ManifestKernel *of) {
  json_t *places = json_array();
  for (size_t i = 0; i < of->places.at.count; i++)
    json_array_append_new(places, json_of_place(of->places.at.at[i]));
  return json_pack("{s:s, s:s, s:o, s:s, s:o}", "name", of->name, "source",
                   of->source, "where", json_of_place(of->loc), "ir", of->ir,
                   "places", places);
}

static json_t *launch(Task *task, const ManifestLaunch *of) {
  return json_pack("{s:s, s:b, s:o}", "kernel", of->kernel, "elsewhere",
                   of->is_elsewhere, "launch",
                   launch_to_json(task, &of->launch, NULL));
}

char *manifest_text(Task *task, const Manifest *manifest) {
  json_t *kernels = json_array(), *launches = json_array(),
         *files = json_array();
  for (size_t i = 0; i < manifest->kernels.count; i++)
    json_array_append_new(kernels, kernel(&manifest->kernels.at[i]));
  for (size_t i = 0; i < manifest->launches.count; i++)
    json_array_append_new(launches, launch(task, &manifest->launches.at[i]));
  for (size_t i = 0; i < manifest->files.count; i++) {
    const ManifestFile *file = &manifest->files.at[i];
    json_array_append_new(
        files, json_pack("[s, b, s?]", file->path, file->is_there, file->hash));
  }
  return json_to_line(task, json_pack("{s:i, s:s, s:o, s:o, s:o}", "schema",
                                      MANIFEST_SCHEMA, "module",
                                      manifest->module, "kernels", kernels,
                                      "launches", launches, "files", files));
}

// ---------------------------------------------------------------- reading ---

static bool read_kernel(Task *task, const json_t *json, ManifestKernel *to) {
  const json_t *places = json_object_get(json, "places");
  *to = (ManifestKernel){
      .name = json_to_text(task, json_object_get(json, "name")),
      .source = json_to_text(task, json_object_get(json, "source")),
      .loc = json_to_place(task, json_object_get(json, "where")),
      .ir = json_to_text(task, json_object_get(json, "ir"))};
  for (size_t i = 0; i < json_array_size(places); i++)
    if (place_table_add(&task->arena, &to->places,
                        json_to_place(task, json_array_get(places, i))) != i)
      return false;
  return to->name && to->source && to->ir;
}

static bool read_launch(Task *task, const json_t *json, ManifestLaunch *to) {
  *to = (ManifestLaunch){
      .kernel = json_to_text(task, json_object_get(json, "kernel")),
      .is_elsewhere = json_is_true(json_object_get(json, "elsewhere"))};
  return to->kernel &&
         launch_from_json(task, json_object_get(json, "launch"), &to->launch);
}

static bool read_all(Task *task, const json_t *root, Manifest *manifest) {
  const json_t *kernels = json_object_get(root, "kernels");
  const json_t *launches = json_object_get(root, "launches");
  const json_t *files = json_object_get(root, "files");
  Arena *arena = &task->arena;
  manifest->module = json_to_text(task, json_object_get(root, "module"));
  for (size_t i = 0; i < json_array_size(kernels); i++) {
    ManifestKernel one;
    if (!read_kernel(task, json_array_get(kernels, i), &one))
      return false;
    push(arena, &manifest->kernels, one);
  }
  for (size_t i = 0; i < json_array_size(launches); i++) {
    ManifestLaunch one;
    if (!read_launch(task, json_array_get(launches, i), &one))
      return false;
    push(arena, &manifest->launches, one);
  }
  for (size_t i = 0; i < json_array_size(files); i++) {
    const json_t *file = json_array_get(files, i);
    ManifestFile one = {json_to_text(task, json_array_get(file, 0)),
                        json_is_true(json_array_get(file, 1)),
                        json_to_text(task, json_array_get(file, 2))};
    if (!one.path)
      return false;
    push(arena, &manifest->files, one);
  }
  return manifest->module &&
         json_integer_value(json_object_get(root, "schema")) == MANIFEST_SCHEMA;
}

bool manifest_read(Task *task, const char *text, Manifest *manifest) {
  json_t *root = json_loads(text, JSON_DISABLE_EOF_CHECK, NULL);
  const char *end = strchr(text, '\n');
  *manifest = (Manifest){.words = end ? end + 1 : ""};
  bool is_read = root && read_all(task, root, manifest);
  json_decref(root);
  return is_read;
}
