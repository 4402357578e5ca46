// What the names of a PTX file mean, scope by scope.
//
// A hash table of all names in sight; closing a scope takes its names out.
// Two things of one name in one scope are for the caller to find.

#include "ptx/syntax.h"

#include <assert.h>
#include <string.h>

static size_t hash(const char *text) {
  size_t value = 5381;
  for (; *text; text++)
    value = value * 33 + (unsigned char)*text;
  return value;
}

static void grow(Names *names) {
  Names old = *names;
  names->bucket_count = old.bucket_count ? 2 * old.bucket_count : 64;
  names->buckets =
      arena_alloc(names->arena, names->bucket_count * sizeof(Name *));
  for (size_t i = 0; i < old.bucket_count; i++)
    for (Name *name = old.buckets[i], *next; name; name = next) {
      next = name->next;
      Name **bucket = &names->buckets[hash(name->text) % names->bucket_count];
      name->next = *bucket;
      *bucket = name;
    }
}

Name *names_find(const Names *names, const char *text) {
  if (!names->bucket_count)
    return NULL;
  Name *best = NULL;
  Name *name = names->buckets[hash(text) % names->bucket_count];
  for (; name; name = name->next)
    if (!strcmp(name->text, text) && (!best || name->depth > best->depth))
      best = name;
  return best;
}

Name *names_add(Arena *arena, Names *names, NameKind kind, unsigned depth,
                const char *text) {
  assert(depth <= names->depth);
  if (names->count >= names->bucket_count)
    grow(names);
  Name *name = NEW(arena, Name);
  name->kind = kind;
  name->depth = depth;
  name->text = text;
  Name **bucket = &names->buckets[hash(text) % names->bucket_count];
  name->next = *bucket;
  *bucket = name;
  name->peer = names->scopes[depth];
  names->scopes[depth] = name;
  names->count++;
  return name;
}

static void take_out(Names *names, Name *name) {
  Name **at = &names->buckets[hash(name->text) % names->bucket_count];
  while (*at != name) {
    assert(*at); // each name of a scope is in its bucket
    at = &(*at)->next;
  }
  *at = name->next;
  names->count--;
}

void names_close_scope(Names *names) {
  assert(names->depth > 0);
  for (Name *name = names->scopes[names->depth]; name; name = name->peer)
    take_out(names, name);
  names->scopes[names->depth--] = NULL;
}
