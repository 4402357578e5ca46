// Names, paths and texts in the spelling of each document.

#define _DEFAULT_SOURCE

#include "report/documents/documents.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------ text ---

// The length of the character of UTF-8, or 0: it is none, or XML has no place
// for it.
static unsigned character_length(const unsigned char *at) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned length = at[0] < 0x80       ? 1
                    : at[0] >> 5 == 6  ? 2
                    : at[0] >> 4 == 14 ? 3
                    : at[0] >> 3 == 30 ? 4
                                       : 0;
  uint32_t code = length == 1 ? at[0] : at[0] & (0xffu >> (length + 1));
  for (unsigned i = 1; i < length; i++) {
    if (at[i] >> 6 != 2)
      return 0;
    code = code << 6 | (at[i] & 0x3fu);
  }
  bool is_control = code < 0x20 && code != '\t' && code != '\n';
  bool is_none = code == 0x7f || (code >= 0xd800 && code < 0xe000) ||
                 code == 0xfffe || code == 0xffff || code > 0x10ffff;
  return length && code >= least[length] && !is_control && !is_none ? length
                                                                    : 0;
}

const char *clean_text(Arena *arena, const char *text) {
  static const char instead[] = "\xef\xbf\xbd";
  char *clean = arena_alloc(arena, 3 * strlen(text) + 1), *to = clean;
  for (const char *at = text; *at;) {
    unsigned length = character_length((const unsigned char *)at);
    memcpy(to, length ? at : instead, length ? length : 3);
    to += length ? length : 3;
    at += length ? length : 1;
  }
  return clean;
}

void print_escaped(FILE *out, const char *text) {
  for (const char *at = text; *at; at++)
    switch (*at) {
    case '&':
      fputs("&amp;", out);
      break;
    case '<':
      fputs("&lt;", out);
      break;
    case '>':
      fputs("&gt;", out);
      break;
    case '"':
      fputs("&quot;", out);
      break;
    case '\'':
      fputs("&#39;", out);
      break;
    default:
      fputc(*at, out);
    }
}

// ----------------------------------------------------------------- paths ---

// Without "." and "..", which are resolved as text.
static const char *normal_path(Arena *arena, const char *path) {
  char *normal = arena_alloc(arena, strlen(path) + 2);
  size_t length = 0;
  while (*path) {
    size_t part = strcspn(path, "/");
    if (part == 2 && !strncmp(path, "..", 2)) {
      while (length && normal[--length] != '/')
        ;
    } else if (part && !(part == 1 && *path == '.')) {
      normal[length++] = '/';
      memcpy(normal + length, path, part);
      length += part;
    }
    path += part + (path[part] == '/');
  }
  normal[length] = 0;
  return length ? normal : "/";
}

const char *path_shown(Results *results, const char *file) {
  Arena *arena = &results->arena;
  const char *whole =
      normal_path(arena, *file == '/' ? file
                                      : arena_printf(arena, "%s/%s",
                                                     results->folder, file));
  const char *folder = normal_path(arena, results->folder);
  size_t length = strcmp(folder, "/") ? strlen(folder) : 0;
  bool is_below = !strncmp(whole, folder, length) && whole[length] == '/';
  return is_below && whole[length + 1] ? whole + length + 1 : whole;
}

bool path_is_inside(const char *shown) { return *shown != '/'; }

const char *path_uri(Arena *arena, const char *shown) {
  static const char plain[] = "-._~/";
  char *uri = arena_alloc(arena, 3 * strlen(shown) + 8), *to = uri;
  if (*shown == '/')
    to += sprintf(to, "file://");
  for (const char *at = shown; *at; at++)
    to += isalnum((unsigned char)*at) || strchr(plain, *at)
              ? sprintf(to, "%c", *at)
              : sprintf(to, "%%%02X", (unsigned char)*at);
  return uri;
}

const char *place_shown(Results *results, Loc loc) {
  Arena *arena = &results->arena;
  if (!loc.file)
    return "";
  const char *file = clean_text(arena, path_shown(results, loc.file));
  if (!loc.line)
    return file;
  return loc.column
             ? arena_printf(arena, "%s:%u:%u", file, loc.line, loc.column)
             : arena_printf(arena, "%s:%u", file, loc.line);
}

const char *places_shown(Results *results, const Toleration *pair) {
  const char *where = place_shown(results, pair->where);
  const char *other = place_shown(results, pair->other);
  return strcmp(where, other)
             ? arena_printf(&results->arena, "%s and %s", where, other)
             : where;
}
