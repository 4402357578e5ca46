// What can go wrong in an execution, in words.

#include "runtime/runtime.h"

const char *incident_kind(IncidentKind kind) {
  switch (kind) {
  case INCIDENT_RACE:
    return "racy";
  case INCIDENT_OUT_OF_BOUNDS:
    return "out-of-bounds";
  case INCIDENT_MISALIGNED:
    return "misaligned";
  case INCIDENT_DIVERGENCE:
    return "divergent";
  case INCIDENT_DEADLOCK:
    return "deadlock";
  case INCIDENT_ENDLESS:
    return "endless";
  case INCIDENT_STACK:
    return "stack-overflow";
  case INCIDENT_ASSERTION:
    return "assertion";
  case INCIDENT_TRAP:
    return "trap";
  case INCIDENT_CRASH:
    return "crash";
  case INCIDENT_REQUIRES:
    return "vacuous";
  case INCIDENT_LIMIT:
  case INCIDENT_REFUSED:
    return "unknown";
  }
  return "";
}

bool incident_is_bug(IncidentKind kind) {
  switch (kind) {
  case INCIDENT_RACE:
  case INCIDENT_OUT_OF_BOUNDS:
  case INCIDENT_MISALIGNED:
  case INCIDENT_DIVERGENCE:
  case INCIDENT_DEADLOCK:
  case INCIDENT_ENDLESS:
  case INCIDENT_STACK:
  case INCIDENT_ASSERTION:
  case INCIDENT_TRAP:
  case INCIDENT_CRASH:
    return true;
  case INCIDENT_REQUIRES:
  case INCIDENT_LIMIT:
  case INCIDENT_REFUSED:
    break;
  }
  return false;
}

const Site *actor_site(const RunReport *report, const Actor *actor) {
  return actor->site == NO_SITE ? NULL : &report->code->sites.at[actor->site];
}

const char *actor_array(const RunReport *report, const Actor *actor) {
  size_t index = (size_t)actor->array, buffers = report->run->buffers.count;
  if (actor->array < 0)
    return NULL;
  return index < buffers ? report->run->buffers.at[index].name
                         : report->code->variables.at[index - buffers].name;
}

unsigned actor_element(const RunReport *report, const Actor *actor) {
  size_t index = (size_t)actor->array, buffers = report->run->buffers.count;
  if (actor->array < 0)
    return 0;
  return index < buffers ? report->run->buffers.at[index].element
                         : report->code->variables.at[index - buffers].element;
}

const char *site_verb(const Site *site) {
  if (site->is_free)
    return "frees";
  if (site->is_copy)
    return site->kind == SITE_FETCH ? "copies from" : "copies to";
  switch (site->kind) {
  case SITE_READ:
  case SITE_FETCH:
    return "reads";
  case SITE_WRITE:
  case SITE_FILL:
    return "writes";
  case SITE_ATOMIC:
    return site->is_load    ? "reads atomically"
           : site->is_store ? "writes atomically"
                            : "updates atomically";
  case SITE_FENCE:
  case SITE_CALL:
  case SITE_LOOP:
    return "is here";
  }
  return "";
}

static const char *race_name(const RunReport *report,
                             const Incident *incident) {
  const Site *a = actor_site(report, &incident->actors[0]);
  const Site *b = actor_site(report, &incident->actors[1]);
  if (a->kind == SITE_ATOMIC || b->kind == SITE_ATOMIC) {
    const Site *other = a->kind == SITE_ATOMIC ? b : a;
    if (other->kind == SITE_ATOMIC)
      return "atomic-atomic";
    return other->kind == SITE_READ || other->kind == SITE_FETCH
               ? "atomic-read"
               : "atomic-write";
  }
  bool reads = a->kind == SITE_READ || a->kind == SITE_FETCH ||
               b->kind == SITE_READ || b->kind == SITE_FETCH;
  return reads ? "read-write" : "write-write";
}

const char *incident_sentence(Task *task, const RunReport *report,
                              const Incident *incident) {
  const char *array = actor_array(report, &incident->actors[0]);
  Arena *arena = &task->arena;
  switch (incident->kind) {
  case INCIDENT_RACE:
    return arena_printf(arena, "%s race %s%s%s", race_name(report, incident),
                        array ? arena_printf(arena, "on '%s'", array)
                              : "outside of all arrays",
                        incident->text[0] ? ": " : "", incident->text);
  case INCIDENT_MISALIGNED:
    return arena_printf(arena, "misaligned access: %s", incident->text);
  case INCIDENT_OUT_OF_BOUNDS:
    if (incident->actors[0].array == OWN_ARRAY)
      return arena_printf(arena, "access outside of a local array: %s",
                          incident->text);
    if (!array)
      return arena_printf(arena, "access outside of all arrays: %s",
                          incident->text);
    return arena_printf(arena, "access outside of '%s': %s", array,
                        incident->text);
  case INCIDENT_DIVERGENCE:
    return incident->text[0] ? incident->text : "barrier divergence";
  case INCIDENT_DEADLOCK:
    return arena_printf(arena, "deadlock: %s", incident->text);
  case INCIDENT_ENDLESS:
    return arena_printf(arena, "this loop does not end: stopped %s",
                        incident->text);
  case INCIDENT_STACK:
    return "stack overflow";
  case INCIDENT_ASSERTION:
    return arena_printf(arena, "assertion failed%s%s",
                        incident->text[0] ? ": " : "", incident->text);
  case INCIDENT_TRAP:
    return "trap";
  case INCIDENT_CRASH:
    return arena_printf(arena, "crash: %s", incident->text);
  case INCIDENT_REQUIRES:
    return "the launch breaks a __requires";
  case INCIDENT_LIMIT:
  case INCIDENT_REFUSED:
    return arena_printf(arena, "not executed to the end: %s", incident->text);
  }
  return "";
}
