// Whether a debugger looks at this process.
//
// Then the one schedule of a replay is executed here, and not in a copy of the
// process, and the debugger is told of the program's lines.

#include "runtime/threads/world.h"

bool debugger_looks(void) {
  FILE *in = fopen("/proc/self/status", "r");
  char line[256];
  int tracer = 0;
  while (in && fgets(line, sizeof line, in))
    if (sscanf(line, "TracerPid: %d", &tracer) == 1)
      break;
  if (in)
    fclose(in);
  return tracer;
}
