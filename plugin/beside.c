// Finds a library of ours: beside the command, or where it is installed.

#define _XOPEN_SOURCE 700

#include "plugin/plugin.h"

#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

const char *find_beside(Task *task, const char *library) {
  static const char *const places[] = {"", "../lib/"};
  char command[PATH_BYTES];
  ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
  command[length > 0 ? length : 0] = 0;
  char *slash = strrchr(command, '/');
  if (slash)
    slash[1] = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const char *path =
        arena_printf(&task->arena, "%s%s%s", command, places[i], library);
    if (!access(path, R_OK))
      return path;
  }
  return NULL;
}
