// An incident as plain data, and as text for a person.
//
// The text says first where and what, then each thread.  It is made from the
// sighting alone, without code or run, so one process can report what another
// has seen.

#include "runtime/runtime.h"

#include <inttypes.h>
#include <string.h>

// ------------------------------------------------------------------ make ---

static void copy(char *to, size_t room, const char *text) {
  snprintf(to, room, "%s", text ? text : "");
}

void sighting_place(SightingPlace *place, Loc loc) {
  copy(place->file, sizeof place->file, loc.file);
  place->line = loc.line;
  place->column = loc.column;
}

static SightingEnd end_of(const RunReport *report, const Actor *actor) {
  const Site *site = actor_site(report, actor);
  SightingEnd end = {.has_exited = actor->has_exited,
                     .has_site = site != NULL,
                     .kind = site ? site->kind : SITE_CALL,
                     .element = actor_element(report, actor),
                     .offset = actor->offset,
                     .bytes = actor->bytes};
  memcpy(end.block, actor->block, sizeof end.block);
  memcpy(end.thread, actor->thread, sizeof end.thread);
  copy(end.verb, sizeof end.verb, site ? site_verb(site) : "");
  copy(end.array, sizeof end.array, actor_array(report, actor));
  sighting_place(&end.where, site ? site->loc : (Loc){0});
  if (!end.where.file[0])
    copy(end.where.file, sizeof end.where.file, report->file);
  return end;
}

static bool has_suffix(const char *text, const char *suffix) {
  size_t length = strlen(text), most = strlen(suffix);
  return length >= most && !strcmp(text + length - most, suffix);
}

// Two statements of two threads that lock step would order, and of no threads
// of two warps.  OpenCL knows no warps.
static bool is_of_warps(const Incident *incident, const Sighting *sighting) {
  const SightingEnd *a = &sighting->ends[0], *b = &sighting->ends[1];
  return incident->kind == INCIDENT_RACE && !incident->is_wide &&
         !has_suffix(a->where.file, ".cl") &&
         (a->where.line != b->where.line || a->where.column != b->where.column);
}

Sighting sighting_of(Task *task, const RunReport *report,
                     const Incident *incident) {
  Sighting sighting = {.kind = incident->kind,
                       .times = incident->times,
                       .count = incident->count};
  copy(sighting.kernel, sizeof sighting.kernel, report->entry->source);
  copy(sighting.sentence, sizeof sighting.sentence,
       incident_sentence(task, report, incident));
  copy(sighting.where.file, sizeof sighting.where.file, report->file);
  for (unsigned i = 0; i < incident->count; i++)
    sighting.ends[i] = end_of(report, &incident->actors[i]);
  if (incident->count)
    sighting.where = sighting.ends[0].where;
  sighting.is_in_warp = is_of_warps(incident, &sighting);
  return sighting;
}

// ------------------------------------------------------------------ text ---

static void print_place(FILE *out, const SightingPlace *place) {
  report_place(out, (Loc){place->file, place->line, place->column}, "");
}

static void print_cell(FILE *out, const SightingEnd *end) {
  if (!end->array[0])
    return;
  fprintf(out, " %s", end->array);
  if (end->element && end->offset % (int64_t)end->element == 0)
    fprintf(out, "[%" PRId64 "]", end->offset / (int64_t)end->element);
  if (end->bytes > 1)
    fprintf(out, " (bytes %" PRId64 "..%" PRId64 ")", end->offset,
            end->offset + (int64_t)end->bytes - 1);
  else
    fprintf(out, " (byte %" PRId64 ")", end->offset);
}

static void print_end(FILE *out, const SightingEnd *end) {
  fprintf(out, "thread (%u,%u,%u) in block (%u,%u,%u)", end->thread[0],
          end->thread[1], end->thread[2], end->block[0], end->block[1],
          end->block[2]);
  if (end->has_exited) {
    fputs(" has left the kernel", out);
    return;
  }
  if (end->has_site)
    fprintf(out, " %s", end->verb);
  if (end->has_site && end->kind != SITE_CALL && end->kind != SITE_LOOP)
    print_cell(out, end);
  fputs(", ", out);
  print_place(out, &end->where);
}

// Of which kernel: where no thread is named, or it is one of many launches.
static bool names_kernel(const Sighting *sighting) {
  return sighting->launch || !sighting->count;
}

static void print_kernel(FILE *out, const Sighting *sighting) {
  if (sighting->launch)
    fprintf(out, "in launch %" PRIu64 ", ", sighting->launch);
  fprintf(out, "kernel '%s'", sighting->kernel);
}

unsigned sighting_notes(const Sighting *sighting) {
  return sighting->count + sighting->is_in_warp + names_kernel(sighting) +
         (sighting->times > 1);
}

void sighting_note(FILE *out, const Sighting *sighting, unsigned note) {
  if (note < sighting->count) {
    print_end(out, &sighting->ends[note]);
    return;
  }
  note -= sighting->count;
  if (sighting->is_in_warp && note-- == 0)
    fputs(
        "both are in one warp, whose threads need not run in lock step; "
        "__syncwarp() would order them",
        out);
  else if (names_kernel(sighting) && note-- == 0)
    print_kernel(out, sighting);
  else
    fprintf(out, "and %" PRIu64 " more like this", sighting->times - 1);
}

void sighting_print(FILE *out, const Sighting *sighting) {
  const SightingPlace *where = &sighting->where;
  if (where->file[0]) {
    print_place(out, where);
    fputs(": ", out);
  }
  fprintf(out, "%s\n", sighting->sentence);
  report_quote(out, (Loc){where->file, where->line, where->column}, "    ");
  for (unsigned i = 0; i < sighting_notes(sighting); i++) {
    fputs("  ", out);
    sighting_note(out, sighting, i);
    fputc('\n', out);
  }
}
