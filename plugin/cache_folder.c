// Where this user keeps what commands find out for later ones.

#include "plugin/plugin.h"

#include <stdlib.h>

const char *cache_folder(Task *task, const Settings *settings) {
  const char *own = getenv("GPUVERIFY_CACHE");
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (settings->no_cache)
    return NULL;
  if (settings->cache_dir)
    return settings->cache_dir;
  if (own)
    return *own ? own : NULL;
  if (cache && *cache == '/')
    return arena_printf(&task->arena, "%s/gpuverify", cache);
  return home && *home ? arena_printf(&task->arena, "%s/.cache/gpuverify", home)
                       : NULL;
}
