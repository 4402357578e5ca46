// What the files of `gpuverify threads` share.

#ifndef PLUGIN_THREADS_H
#define PLUGIN_THREADS_H

#include "plugin/run.h"
#include "report/threads.h"

// ----------------------------------------------- threads_schedule_file.c ---

// False: errno says why.
bool threads_schedule_write(const char *name, const ThreadsReport *report);
enum { VERDICT_TEXT = 32 };
// NULL, or what is wrong with it; and the verdict that it was written for.
const char *threads_schedule_read(const char *name, const ProgramImage *image,
                                  ThreadSchedule *schedule,
                                  char verdict[VERDICT_TEXT]);

#endif
