// --sarif: what a command prints becomes one document.  Private to the command.

#ifndef PLUGIN_SARIF_COMMAND_H
#define PLUGIN_SARIF_COMMAND_H

#include "plugin/plugin.h"

// A command, with the exit status that it returns.
typedef struct Act {
  int (*run)(void *data);
  void *data;
} Act;

// Does it, writes the document to stdout, and returns the command's status.
int sarif_command(const Act *act, const char *version, const char *command);

// gpuverify report .. : the arguments behind that word.
int report_command(int count, char **texts, const char *version);

#endif
