// What a file is, by its name and by what the options say.

#include "plugin/plugin.h"

#include <string.h>
#include <sys/stat.h>

bool has_suffix(const char *file, const char *suffix) {
  size_t length = strlen(file), end = strlen(suffix);
  return length > end && !strcmp(file + length - end, suffix);
}

bool is_folder(const char *file) {
  struct stat status;
  return !stat(file, &status) && S_ISDIR(status.st_mode);
}

Language settings_language(const Settings *settings, const char *file) {
  if (has_suffix(file, ".cu"))
    return LANGUAGE_CUDA;
  if (has_suffix(file, ".cl"))
    return LANGUAGE_OPENCL;
  return settings->language;
}
