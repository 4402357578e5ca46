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
  bool is_hip = settings->language == LANGUAGE_HIP;
  if (has_suffix(file, ".hip") || has_suffix(file, ".hip.cpp"))
    return LANGUAGE_HIP;
  if (has_suffix(file, ".cu")) // what hipcc compiles is often called so, too
    return is_hip ? LANGUAGE_HIP : LANGUAGE_CUDA;
  if (has_suffix(file, ".cl"))
    return LANGUAGE_OPENCL;
  return settings->language;
}

bool is_source(const Settings *settings, const char *file) {
  static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".C"};
  Language language = settings_language(settings, file);
  bool is_cpp = language == LANGUAGE_HIP || language == LANGUAGE_CUDA;
  for (size_t i = 0; is_cpp && i < sizeof suffixes / sizeof *suffixes; i++)
    if (has_suffix(file, suffixes[i]))
      return true;
  return has_suffix(file, ".cu") || has_suffix(file, ".cl") ||
         has_suffix(file, ".hip");
}
