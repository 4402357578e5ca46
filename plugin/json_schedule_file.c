// Schedule files: one schedule of one kernel, as JSON (docs/SCHEDULES.md).
//
// What is needed to execute it again are the sizes, the seed and the delays;
// lines and values are for the reader, and to notice that a kernel has changed
// since.

#include "plugin/schedules.h"
#include "report/json.h"

#include <errno.h>
#include <string.h>

static void fill_id(uint32_t id[3], uint32_t index, const uint32_t size[3]) {
  id[0] = index % size[0];
  id[1] = index / size[0] % size[1];
  id[2] = index / size[0] / size[1];
}

// ------------------------------------------------------------------ write ---

static json_t *delay_object(const SchedulesReport *report, unsigned number) {
  const Instance *instance = &report->findings->search.found.at[number];
  const Step *step = schedules_delay(report->findings, number);
  const Run *run = report->run.run;
  uint32_t block[3], thread[3];
  fill_id(block, instance->block, run->grid);
  fill_id(thread, instance->thread, run->block);
  json_t *object =
      json_pack("{s:o, s:o, s:I}", "block", json_triple(block), "thread",
                json_triple(thread), "access", (json_int_t)instance->ordinal);
  if (step)
    json_object_set_new(object, "where",
                        json_place(report->run.code->sites.at[step->site].loc,
                                   report->run.file));
  return object;
}

bool schedule_file_write(const char *name, Task *task,
                         const SchedulesReport *report, const char **error) {
  json_t *delays = json_array();
  const Run *run = report->run.run;
  for (unsigned i = 0; i < report->findings->search.found.count; i++)
    json_array_append_new(delays, delay_object(report, i));
  json_t *object =
      json_pack("{s:i, s:o, s:o, s:s, s:o, s:o, s:I, s:o}", "schema",
                (int)SCHEMA_VERSION, "file", json_text(report->run.file),
                "kernel", json_text(report->run.entry->source), "verdict",
                schedules_verdict(report), "grid", json_triple(run->grid),
                "block", json_triple(run->block), "seed",
                (json_int_t)report->exploration->seed, "delays", delays);
  bool is_written =
      object &&
      !json_dump_file(object, name, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  json_decref(object);
  if (!is_written)
    *error = arena_copy(&task->arena, strerror(errno));
  return is_written;
}

// ------------------------------------------------------------------- read ---

static bool read_triple(const json_t *list, uint32_t triple[3]) {
  for (size_t i = 0; i < 3; i++) {
    json_int_t value = json_integer_value(json_array_get(list, i));
    if (value < 0 || value > INT32_MAX)
      return false;
    triple[i] = (uint32_t)value;
  }
  return json_array_size(list) == 3;
}

static bool read_sizes(const json_t *list, uint32_t sizes[3]) {
  return read_triple(list, sizes) && sizes[0] && sizes[1] && sizes[2];
}

static bool read_index(const json_t *list, const uint32_t size[3],
                       uint32_t *index) {
  uint32_t id[3];
  if (!read_triple(list, id) || id[0] >= size[0] || id[1] >= size[1] ||
      id[2] >= size[2])
    return false;
  *index = id[0] + size[0] * (id[1] + size[1] * id[2]);
  return true;
}

// A whole number up to `most`; 0 if it is not there.
static bool read_number(const json_t *value, uint64_t most, uint64_t *number) {
  json_int_t whole = json_integer_value(value);
  *number = (uint64_t)whole;
  return !value || (json_is_integer(value) && whole >= 0 && *number <= most);
}

static bool read_delay(const json_t *object, ScheduleFile *file) {
  Instance instance;
  uint64_t ordinal, line;
  const json_t *access = json_object_get(object, "access");
  const json_t *where = json_object_get(object, "where");
  if (file->delays.count == MOST_DELAYS || !access ||
      !read_number(access, UINT32_MAX, &ordinal) ||
      !read_number(json_object_get(where, "line"), INT32_MAX, &line) ||
      !read_index(json_object_get(object, "block"), file->grid,
                  &instance.block) ||
      !read_index(json_object_get(object, "thread"), file->block,
                  &instance.thread))
    return false;
  instance.ordinal = (uint32_t)ordinal;
  file->lines[file->delays.count] = (unsigned)line;
  file->delays.at[file->delays.count++] = instance;
  return true;
}

static bool read_object(const json_t *object, Task *task, ScheduleFile *file) {
  const json_t *delays = json_object_get(object, "delays");
  const char *kernel = json_string_value(json_object_get(object, "kernel"));
  const char *verdict = json_string_value(json_object_get(object, "verdict"));
  if (json_integer_value(json_object_get(object, "schema")) != SCHEMA_VERSION ||
      !kernel || !json_is_array(delays) ||
      !read_number(json_object_get(object, "seed"), INT64_MAX, &file->seed) ||
      !read_sizes(json_object_get(object, "grid"), file->grid) ||
      !read_sizes(json_object_get(object, "block"), file->block))
    return false;
  file->kernel = arena_copy(&task->arena, kernel);
  file->is_race = verdict && !strcmp(verdict, incident_kind(INCIDENT_RACE));
  for (size_t i = 0; i < json_array_size(delays); i++)
    if (!read_delay(json_array_get(delays, i), file))
      return false;
  return true;
}

bool schedule_file_read(const char *name, Task *task, ScheduleFile *file,
                        const char **error) {
  json_error_t trouble;
  json_t *object = json_load_file(name, JSON_REJECT_DUPLICATES, &trouble);
  if (!object) {
    *error = arena_copy(&task->arena, trouble.text);
    return false;
  }
  bool is_read = read_object(object, task, file);
  if (!is_read)
    *error = "this is no schedule (see docs/SCHEDULES.md)";
  json_decref(object);
  return is_read;
}
